//! A real git repository, made step by step.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::sandbox::git_environment;
use crate::{Outcome, Program};

/// A git repository on branch `main`, with fixed people and dates: equal steps give equal commits.
#[derive(Debug)]
pub struct Repo {
    root: PathBuf,
    environment: Vec<(OsString, OsString)>,
    // A repository of a sandbox goes with the sandbox.
    _own: Option<TempDir>,
}

impl Default for Repo {
    fn default() -> Self {
        Self::new()
    }
}

impl Repo {
    /// Makes an empty repository in a temporary folder of its own, removed when dropped.
    ///
    /// # Panics
    ///
    /// When the system gives no folder or git does not run.
    #[must_use]
    pub fn new() -> Self {
        let own = tempfile::tempdir().expect("the system gives a temporary folder");
        let mut repo = Self::at(&own.path().join("repo"), git_environment(own.path()));
        repo._own = Some(own);
        repo
    }

    pub(crate) fn at(root: &Path, environment: Vec<(OsString, OsString)>) -> Self {
        fs::create_dir_all(root).expect("the folder of a repository can be made");
        let root = root.canonicalize().expect("the folder was just made");
        let repo = Self { root, environment, _own: None };
        repo.git(&["init", "--quiet", "-b", "main"]);
        repo
    }

    /// The same people and settings of git for another repository, such as a clone of this one; it
    /// goes with the folder that it lies in.
    ///
    /// # Panics
    ///
    /// When the folder does not exist.
    #[must_use]
    pub fn neighbour(&self, root: &Path) -> Self {
        let root = root.canonicalize().expect("the other repository is there");
        Self { root, environment: self.environment.clone(), _own: None }
    }

    /// The absolute path of its root, links resolved.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The absolute path of a file.
    #[must_use]
    pub fn path(&self, file: &str) -> PathBuf {
        self.root.join(file)
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, file: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(file);
        let folder = path.parent().expect("a file has a folder");
        fs::create_dir_all(folder).expect("a folder of the repository can be made");
        fs::write(&path, content).unwrap_or_else(|error| panic!("{file}: {error}"));
        self
    }

    /// Adds text to the end of a file, which is made when it is not there.
    pub fn append(&self, file: &str, text: &str) -> &Self {
        let mut content = match fs::read(self.path(file)) {
            Ok(content) => content,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => panic!("{file}: {error}"),
        };
        content.extend_from_slice(text.as_bytes());
        self.write(file, content)
    }

    /// Reads a file as text.
    #[must_use]
    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// Removes a file from the work tree.
    pub fn remove(&self, file: &str) -> &Self {
        fs::remove_file(self.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        self
    }

    /// Runs git and gives what it printed, without the last line end.
    ///
    /// # Panics
    ///
    /// When git fails; the message shows what it said.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) -> String {
        let outcome = self.git_outcome(arguments);
        let said = &outcome.stderr;
        assert!(outcome.status.success(), "git {arguments:?}: {} {said}", outcome.status);
        outcome.stdout.trim_end_matches('\n').to_owned()
    }

    /// Runs git, however it ends.
    #[must_use]
    pub fn git_outcome(&self, arguments: &[&str]) -> Outcome {
        Program::new("git", &self.environment).args(arguments).dir(&self.root).run()
    }

    /// Commits everything there is, also when nothing changed, and gives the commit id.
    pub fn commit_all(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
        self.head()
    }

    /// The commit id of HEAD.
    #[must_use]
    pub fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"])
    }

    /// Every path of the work tree but `.git` and those below `except`, a line each with mode and
    /// content, in order: equal pictures mean equal trees.
    #[must_use]
    pub fn picture(&self, except: &str) -> Vec<String> {
        let mut seen = Vec::new();
        let mut open = vec![self.root.clone()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder).expect("a folder of the repository") {
                let path = entry.expect("an entry of it").path();
                let below = path.strip_prefix(&self.root).expect("it lies below the root");
                if below == Path::new(".git") || below == Path::new(except) {
                    continue;
                }
                let found = fs::symlink_metadata(&path).expect("it was just listed");
                let content = if found.is_dir() {
                    open.push(path.clone());
                    String::new()
                } else if found.is_symlink() {
                    format!("-> {:?}", fs::read_link(&path).expect("a link"))
                } else {
                    String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned()
                };
                seen.push(format!("{below:?} {:o} {content:?}", found.permissions().mode()));
            }
        }
        seen.sort();
        seen
    }

    /// What `git status --porcelain` prints, every untracked file by name.
    #[must_use]
    pub fn status(&self) -> String {
        self.git(&["status", "--porcelain", "--untracked-files=all"])
    }
}

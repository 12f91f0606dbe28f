//! A folder that stands for a user's machine.

use std::cell::Cell;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::{Program, Repo, Scenario, binary};

/// A machine of its own: home, state, config and temporary files below one folder, and an
/// environment that knows of nothing else. Removed when dropped.
#[derive(Debug)]
pub struct Sandbox {
    root: PathBuf,
    scenarios: Cell<u32>,
    _folder: TempDir,
}

impl Default for Sandbox {
    fn default() -> Self {
        Self::new()
    }
}

impl Sandbox {
    /// Makes the folders.
    ///
    /// # Panics
    ///
    /// When the system gives no temporary folder.
    #[must_use]
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("the system gives a temporary folder");
        let root = folder.path().canonicalize().expect("the folder was just made");
        let sandbox = Self { root, scenarios: Cell::new(0), _folder: folder };
        for folder in [sandbox.home(), sandbox.state(), sandbox.config(), sandbox.tmp()] {
            fs::create_dir(folder).expect("a fresh folder takes folders");
        }
        sandbox
    }

    /// The folder that holds all of it.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `HOME`.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// `XDG_STATE_HOME`.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.root.join("state")
    }

    /// `XDG_CONFIG_HOME`.
    #[must_use]
    pub fn config(&self) -> PathBuf {
        self.root.join("config")
    }

    /// `TMPDIR`.
    #[must_use]
    pub fn tmp(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// Where scenarios may log, outside of every repository.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.root.join("agents.jsonl")
    }

    /// Makes an empty repository in the sandbox.
    #[must_use]
    pub fn repo(&self, name: &str) -> Repo {
        Repo::at(&self.root.join(name), self.environment())
    }

    /// The whole environment of a program in the sandbox.
    #[must_use]
    pub fn environment(&self) -> Vec<(OsString, OsString)> {
        let mut environment = git_environment(&self.home());
        environment.extend([
            ("XDG_STATE_HOME".into(), self.state().into()),
            ("XDG_CONFIG_HOME".into(), self.config().into()),
            ("XDG_CACHE_HOME".into(), self.home().join(".cache").into()),
            ("XDG_DATA_HOME".into(), self.home().join(".local/share").into()),
            ("TMPDIR".into(), self.tmp().into()),
        ]);
        environment
    }

    /// The `tribunal` program with these arguments, to be refined, run or spawned.
    ///
    /// # Panics
    ///
    /// When the program is not built.
    #[must_use]
    pub fn tribunal(&self, arguments: &[&str]) -> Program {
        self.program(binary("tribunal")).args(arguments)
    }

    /// Any program, in the sandbox's root and environment.
    #[must_use]
    pub fn program(&self, program: impl AsRef<std::ffi::OsStr>) -> Program {
        Program::new(program, &self.environment()).dir(&self.root)
    }

    /// Stores a scenario and gives the command line that plays it, quoted as POSIX words.
    ///
    /// # Panics
    ///
    /// When the scripted agent is not built or the scenario cannot be stored.
    #[must_use]
    pub fn agent_command(&self, scenario: &Scenario) -> String {
        let number = self.scenarios.get() + 1;
        self.scenarios.set(number);
        let file = self.root.join(format!("scenario-{number}.json"));
        scenario.store(&file);
        [binary("scripted-agent"), file].map(|path| quoted(&path)).join(" ")
    }
}

fn quoted(path: &Path) -> String {
    let text = path.to_str().expect("the build and temporary folders have UTF-8 names");
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// What git and its callers need: no configuration of the user's, fixed people and dates.
pub(crate) fn git_environment(home: &Path) -> Vec<(OsString, OsString)> {
    const FIXED: [(&str, &str); 10] = [
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_AUTHOR_NAME", "Ada"),
        ("GIT_AUTHOR_EMAIL", "ada@example.org"),
        ("GIT_AUTHOR_DATE", "2024-01-02T03:04:05Z"),
        ("GIT_COMMITTER_NAME", "Ada"),
        ("GIT_COMMITTER_EMAIL", "ada@example.org"),
        ("GIT_COMMITTER_DATE", "2024-01-02T03:04:05Z"),
        ("LANG", "C.UTF-8"),
    ];
    let mut environment: Vec<(OsString, OsString)> =
        FIXED.iter().map(|(name, value)| (name.into(), value.into())).collect();
    environment.push(("HOME".into(), home.into()));
    environment.push(("PATH".into(), env::var_os("PATH").expect("tests have a PATH")));
    environment
}

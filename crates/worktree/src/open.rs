//! Opens a work tree, and says clearly why it cannot.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use git2::{ErrorCode, Repository, RepositoryInitOptions, RepositoryOpenFlags};

use crate::blob_ids::Remembered;
use crate::excluded::ExcludedBelow;
use crate::extensions::accept_partial_clones;
use crate::kept_refs::KeptRefs;
use crate::objects::{Known, Objects};
use crate::{Excluded, WorktreeError};

/// A work tree whose state can be kept, compared and restored.
///
/// It remembers which files it has read, so that a second snapshot through the same value is
/// cheap. Not to be shared between threads.
pub struct Worktree {
    root: PathBuf,
    kind: Kind,
    known: Known,
    remembered: Remembered,
    kept: KeptRefs,
}

/// Where snapshots are kept, and whether there is an index and a HEAD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// In the user's repository; its git folder.
    Git(PathBuf),
    /// In a store of ours (`--no-git`), a bare repository.
    OwnStore(PathBuf),
}

/// One question to the work tree.
///
/// Each opens the repository afresh: libgit2 goes on seeing packs that a `git gc` of an agent has
/// removed, and would take their objects for stored.
pub(crate) struct Session<'w> {
    pub(crate) repository: Repository,
    pub(crate) root: &'w Path,
    pub(crate) kind: &'w Kind,
    pub(crate) known: &'w Known,
    pub(crate) remembered: &'w Remembered,
    pub(crate) kept: &'w KeptRefs,
}

impl Worktree {
    /// Opens the repository at or above a path, by the path alone: `GIT_DIR` and other variables
    /// of a surrounding git have no influence.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::NotARepository`], [`WorktreeError::Bare`],
    /// [`WorktreeError::ForeignOwner`], [`WorktreeError::UnsupportedFormat`] for sha256 and
    /// reftable repositories, [`WorktreeError::Io`] when the path does not exist.
    pub fn open(path: &Path) -> Result<Self, WorktreeError> {
        let path = resolved(path)?;
        let repository = open_at(&path, RepositoryOpenFlags::empty())?;
        match repository.workdir() {
            Some(root) => {
                let git_folder = repository.path().to_owned();
                Ok(Self::over(resolved(root)?, Kind::Git(git_folder)))
            }
            None => Err(WorktreeError::Bare { path: repository.path().to_owned() }),
        }
    }

    /// Opens a folder that is no repository (`--no-git`, D15): the same snapshots, kept in a bare
    /// repository made below `store`. `.gitignore` files hold as they do in a repository; all
    /// files count as untracked.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Io`] when the folder does not exist, [`WorktreeError::Git`] when the store
    /// cannot be made.
    pub fn without_git(root: &Path, store: &Path) -> Result<Self, WorktreeError> {
        let root = resolved(root)?;
        let place = store.join("snapshots.git");
        accept_partial_clones();
        match Repository::open_bare(&place) {
            Ok(_) => {}
            Err(error) if error.code() == ErrorCode::NotFound => {
                let mut options = RepositoryInitOptions::new();
                options.bare(true).mkpath(true).external_template(false);
                Repository::init_opts(&place, &options)
                    .map_err(|error| WorktreeError::git(&place, &error))?;
            }
            Err(error) => return Err(why_closed(&place, &error)),
        }
        Ok(Self::over(root, Kind::OwnStore(resolved(&place)?)))
    }

    fn over(root: PathBuf, kind: Kind) -> Self {
        Self {
            root,
            kind,
            known: RefCell::default(),
            remembered: RefCell::default(),
            kept: RefCell::default(),
        }
    }

    /// The root of the work tree, absolute, links resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where git keeps its own files, links resolved: the repository's folder, and of a linked work
    /// tree also the one that it shares.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Git`] when the repository can no longer be opened.
    pub fn git_folders(&self) -> Result<Vec<PathBuf>, WorktreeError> {
        let session = self.session()?;
        let own = session.repository.path().to_owned();
        let shared = session.repository.commondir().to_owned();
        let mut folders = vec![resolved(&own)?];
        if shared != own {
            folders.push(resolved(&shared)?);
        }
        Ok(folders)
    }

    /// Gives an existing path relative to the root; `.` for the root itself (D48a).
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Outside`] when it lies elsewhere, [`WorktreeError::Io`] when it does not
    /// exist. A relative path is looked up in the current directory.
    pub fn target_inside(&self, path: &Path) -> Result<PathBuf, WorktreeError> {
        let absolute = resolved(path)?;
        match absolute.strip_prefix(&self.root) {
            Ok(below) if below.as_os_str().is_empty() => Ok(PathBuf::from(".")),
            Ok(below) => Ok(below.to_owned()),
            Err(_) => {
                Err(WorktreeError::Outside { path: path.to_owned(), root: self.root.clone() })
            }
        }
    }

    pub(crate) fn session(&self) -> Result<Session<'_>, WorktreeError> {
        let repository = match &self.kind {
            Kind::Git(git_folder) => open_at(git_folder, RepositoryOpenFlags::NO_SEARCH)?,
            Kind::OwnStore(place) => {
                Repository::open_bare(place).map_err(|error| why_closed(place, &error))?
            }
        };
        // `core.worktree` and `core.bare` may have been changed since: the root stays where it is.
        if repository.workdir() != Some(&self.root) {
            repository
                .set_workdir(&self.root, false)
                .map_err(|error| WorktreeError::git(repository.path(), &error))?;
        }
        let Self { root, kind, known, remembered, kept } = self;
        Ok(Session { repository, root, kind, known, remembered, kept })
    }
}

impl Session<'_> {
    pub(crate) fn objects(&self) -> Result<Objects<'_>, WorktreeError> {
        Objects::new(&self.repository, self.known)
    }

    pub(crate) fn refused(&self, error: &git2::Error) -> WorktreeError {
        WorktreeError::git(self.repository.path(), error)
    }

    /// The caller's list, and the repository itself where it lies inside under another name than
    /// `.git`.
    pub(crate) fn below(&self, excluded: &Excluded) -> Result<ExcludedBelow, WorktreeError> {
        let own = [self.repository.path().to_owned(), self.repository.commondir().to_owned()];
        ExcludedBelow::new(self.root, excluded, &own)
    }

    /// Forgets which objects are stored; they may be collected once nothing names them.
    pub(crate) fn forget(&self) {
        self.known.borrow_mut().clear();
        self.remembered.borrow_mut().clear();
    }
}

fn resolved(path: &Path) -> Result<PathBuf, WorktreeError> {
    path.canonicalize().map_err(|error| WorktreeError::io(path, "opening", error))
}

fn open_at(path: &Path, flags: RepositoryOpenFlags) -> Result<Repository, WorktreeError> {
    let no_ceiling: [&Path; 0] = [];
    accept_partial_clones();
    Repository::open_ext(path, flags, no_ceiling).map_err(|error| why_closed(path, &error))
}

impl std::fmt::Debug for Worktree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Worktree");
        shown.field("root", &self.root).field("kind", &self.kind).finish_non_exhaustive()
    }
}

fn why_closed(path: &Path, error: &git2::Error) -> WorktreeError {
    let path = path.to_owned();
    let why = error.message().to_owned();
    let says = |words: &[&str]| words.iter().any(|word| why.to_lowercase().contains(word));
    match error.code() {
        ErrorCode::NotFound => WorktreeError::NotARepository { path },
        ErrorCode::Owner => WorktreeError::ForeignOwner { path, why },
        _ if says(&["sha256", "objectformat", "object format"]) => {
            WorktreeError::UnsupportedFormat { path, format: "sha256".to_owned() }
        }
        _ if says(&["refstorage", "reftable"]) => {
            WorktreeError::UnsupportedFormat { path, format: "reftable".to_owned() }
        }
        _ if says(&["unsupported extension", "repository version"]) => {
            WorktreeError::UnsupportedFormat { path, format: why }
        }
        _ => WorktreeError::Git { path, why },
    }
}

//! What can go wrong, with its place.

use std::io;
use std::path::{Path, PathBuf};

/// Why a work tree could not be opened, read or restored; every kind names its path.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorktreeError {
    /// No repository at or above the path.
    #[error("no git repository at or above {}", path.display())]
    NotARepository {
        /// The path asked for.
        path: PathBuf,
    },
    /// The repository has no work tree.
    #[error("bare repository without a work tree: {}", path.display())]
    Bare {
        /// The repository.
        path: PathBuf,
    },
    /// git refuses repositories that belong to someone else (`safe.directory`).
    #[error("repository of another owner at {}: {why}", path.display())]
    ForeignOwner {
        /// The repository.
        path: PathBuf,
        /// git's message.
        why: String,
    },
    /// A repository or index format that cannot be read here.
    #[error("unsupported repository format at {}: {format}", path.display())]
    UnsupportedFormat {
        /// The repository or file.
        path: PathBuf,
        /// The format: `sha256`, `reftable`, `split index`, or git's message.
        format: String,
    },
    /// The operating system refused.
    #[error("{} {}: {source}", action, path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was being done, such as `reading`.
        action: &'static str,
        /// Its answer.
        source: io::Error,
    },
    /// git refused.
    #[error("git at {}: {why}", path.display())]
    Git {
        /// The repository, or the path git was asked about.
        path: PathBuf,
        /// git's message.
        why: String,
    },
    /// An untracked file is larger than a snapshot takes.
    #[error("untracked file {} has {size} bytes, a snapshot takes {limit}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size in bytes.
        size: u64,
        /// [`crate::Limits::untracked_file`].
        limit: u64,
    },
    /// All untracked files together are more than a snapshot takes.
    #[error("untracked files have more than {limit} bytes in all, up to {}", path.display())]
    TooMuch {
        /// The file that went over the limit.
        path: PathBuf,
        /// [`crate::Limits::untracked_in_all`].
        limit: u64,
    },
    /// A path that lies outside of the work tree.
    #[error("{} is outside of {}", path.display(), root.display())]
    Outside {
        /// The path.
        path: PathBuf,
        /// The root of the work tree.
        root: PathBuf,
    },
    /// A name that cannot name a snapshot.
    #[error("`{name}` cannot name a snapshot")]
    InvalidName {
        /// The name.
        name: String,
    },
    /// No snapshot of that name.
    #[error("no snapshot `{name}` in {}", path.display())]
    UnknownSnapshot {
        /// The repository.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// A snapshot that does not read back.
    #[error("snapshot `{name}` in {} is broken: {why}", path.display())]
    BrokenSnapshot {
        /// The repository.
        path: PathBuf,
        /// The name or object id.
        name: String,
        /// What does not fit.
        why: String,
    },
    /// HEAD has no commit yet, and a linked work tree needs one.
    #[error("no commit yet in {}", path.display())]
    NoCommit {
        /// The repository.
        path: PathBuf,
    },
    /// Another git holds the index.
    #[error("index is locked by another git: {}", path.display())]
    Locked {
        /// The lock file.
        path: PathBuf,
    },
    /// HEAD or its branch is not where it was left; nothing was restored.
    #[error("{name} in {} is not where it was left", path.display())]
    RefMoved {
        /// The repository.
        path: PathBuf,
        /// The reference.
        name: String,
    },
    /// Something that no snapshot holds stands where a file must be restored.
    #[error("{} cannot be restored, ignored or excluded files stand in its place", path.display())]
    Occupied {
        /// The path.
        path: PathBuf,
    },
}

impl WorktreeError {
    pub(crate) fn git(path: &Path, error: &git2::Error) -> Self {
        Self::Git { path: path.to_owned(), why: error.message().to_owned() }
    }

    pub(crate) fn io(path: &Path, action: &'static str, source: impl Into<io::Error>) -> Self {
        Self::Io { path: path.to_owned(), action, source: source.into() }
    }
}

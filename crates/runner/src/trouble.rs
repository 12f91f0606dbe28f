//! What a front end tells apart in the errors of adapters, which it does not know.

use std::path::PathBuf;

use tribunal_journal::{JournalError, JournalErrorKind};
use tribunal_worktree::WorktreeError;

/// What a front end tells apart in the journal's errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JournalTrouble {
    /// No run, or several, are meant by the name.
    NoSuchRun,
    /// Another process works on the run.
    Locked,
    /// The system refused to read or write.
    System,
    /// Anything else.
    Other,
}

impl JournalTrouble {
    /// Which it is.
    pub fn of(error: &JournalError) -> Self {
        match error.kind {
            JournalErrorKind::NoSuchRun { .. }
            | JournalErrorKind::Ambiguous { .. }
            | JournalErrorKind::BadRunId(_) => Self::NoSuchRun,
            JournalErrorKind::Locked(_) | JournalErrorKind::TreeLocked => Self::Locked,
            JournalErrorKind::Io { .. } => Self::System,
            _ => Self::Other,
        }
    }
}

/// What a front end tells apart in the work tree's errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorktreeTrouble {
    /// There is no repository.
    NotARepository,
    /// It has no work tree.
    Bare,
    /// It belongs to somebody else.
    ForeignOwner {
        /// The repository.
        path: PathBuf,
    },
    /// Untracked files are more than a snapshot takes.
    TooLarge,
    /// Its index is split in two files.
    SplitIndex,
    /// Objects or refs are kept in a way that cannot be read.
    UnsupportedFormat,
    /// Another git holds its index.
    IndexLocked,
    /// Git, or the system below it, refused.
    Refused,
    /// Anything else.
    Other,
}

impl WorktreeTrouble {
    /// Which it is.
    pub fn of(error: &WorktreeError) -> Self {
        match error {
            WorktreeError::NotARepository { .. } => Self::NotARepository,
            WorktreeError::Bare { .. } => Self::Bare,
            WorktreeError::ForeignOwner { path, .. } => Self::ForeignOwner { path: path.clone() },
            WorktreeError::TooLarge { .. } | WorktreeError::TooMuch { .. } => Self::TooLarge,
            WorktreeError::UnsupportedFormat { format, .. } if format == "split index" => {
                Self::SplitIndex
            }
            WorktreeError::UnsupportedFormat { .. } => Self::UnsupportedFormat,
            WorktreeError::Locked { .. } => Self::IndexLocked,
            WorktreeError::Git { .. } | WorktreeError::Io { .. } => Self::Refused,
            _ => Self::Other,
        }
    }
}

//! What is wrong with a place that was named.

use std::path::PathBuf;

/// What is wrong with a place that was named for a run.
#[derive(Debug, thiserror::Error)]
pub enum PlaceFault {
    /// Nothing was named.
    #[error("no path is given")]
    Empty,
    /// There is nothing.
    #[error("does not exist")]
    Missing,
    /// The system refuses to look.
    #[error("{0}")]
    Unreadable(std::io::Error),
    /// A file stands where a folder is meant.
    #[error("is no folder")]
    NoFolder,
    /// A pipe, a socket or a device.
    #[error("is neither a file nor a folder")]
    Special,
    /// It lies outside of the repository.
    #[error("leads out of the repository {}", root.display())]
    LeadsOut {
        /// The root of the repository.
        root: PathBuf,
    },
    /// It is a link out of the repository that holds the link, or lies behind one.
    #[error("the link {} leads out of the repository {}, to {}", link.display(), root.display(), to.display())]
    LinkOut {
        /// The link.
        link: PathBuf,
        /// The root of the repository that it lies in.
        root: PathBuf,
        /// Where it leads.
        to: PathBuf,
    },
    /// A repository is audited from its root.
    #[error("lies below the root of its repository, {}", root.display())]
    BelowRoot {
        /// The root.
        root: PathBuf,
    },
    /// Git's own files are no part of the tree.
    #[error("lies in `.git`")]
    InGit,
    /// Prompts are UTF-8.
    #[error("is not UTF-8, which prompts and answers need")]
    NotUtf8,
    /// Git's settings have changed since the run began.
    #[error("git now has its work tree at {}", root.display())]
    Moved {
        /// Where it has it.
        root: PathBuf,
    },
    /// What is kept there would be taken for the user's, or the user's for ours.
    #[error("is the repository itself")]
    IsRoot,
    /// It holds files of the user's.
    #[error("holds files that git tracks")]
    HoldsTracked,
}

//! Why the inspector gives no answer.

use std::path::PathBuf;

/// A reason to end without an answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// The command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// The prompt lacks a block that the role needs.
    #[error("the prompt holds no block `{0}`")]
    NoBlock(&'static str),
    /// A block of the prompt is not what its contract says.
    #[error("block `{block}` is unreadable")]
    BadBlock {
        /// The name behind the marker.
        block: &'static str,
        /// What serde met.
        source: serde_json::Error,
    },
    /// What should be looked at is not there.
    #[error("{} is not below {}", target.display(), root.display())]
    TargetOutside {
        /// As given on the command line.
        target: PathBuf,
        /// The repository root.
        root: PathBuf,
    },
    /// A rule file of a user cannot be used.
    #[error("{}: {problem}", path.display())]
    Rule {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Rules do not do what their examples say.
    #[error("{0} rules fail their examples")]
    Examples(usize),
    /// Reading the prompt or writing the answer failed.
    #[error("prompt or answer stream failed")]
    Stream(#[from] std::io::Error),
    /// The answer cannot be written as JSON.
    #[error("the answer cannot be written as JSON")]
    Answer(#[source] serde_json::Error),
    /// There is no folder for linters to work in, or none to be asked about.
    #[error("linters have no place to work in")]
    Workplace(#[source] std::io::Error),
    /// Walking the tree failed at its root.
    #[error("the tree cannot be walked")]
    Walk(#[from] ignore::Error),
}

impl Fault {
    /// 2 for a wrong command line or rule file, 1 for the rest.
    pub(crate) fn exit_status(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::Rule { .. } => 2,
            Self::NoBlock(_)
            | Self::BadBlock { .. }
            | Self::TargetOutside { .. }
            | Self::Examples(_)
            | Self::Stream(_)
            | Self::Workplace(_)
            | Self::Answer(_)
            | Self::Walk(_) => 1,
        }
    }
}

//! What can go wrong with state on disk.

use std::io;
use std::path::{Path, PathBuf};

use tribunal_phase::{ArtifactId, RunId};
use tribunal_record::RecordError;

/// State that could not be read or written, and where.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", place.display())]
pub struct JournalError {
    /// What went wrong.
    #[source]
    pub kind: JournalErrorKind,
    /// The file or folder.
    pub place: PathBuf,
}

/// What can go wrong with state on disk.
#[derive(Debug, thiserror::Error)]
pub enum JournalErrorKind {
    /// The system refused.
    #[error("cannot {doing}: {source}")]
    Io {
        /// What was tried, as a verb.
        doing: &'static str,
        /// The system's answer.
        source: io::Error,
    },
    /// A link stands where a file or folder of ours belongs; links are never followed.
    #[error("is a link")]
    Link,
    /// Something else stands where a folder belongs.
    #[error("is no folder")]
    NotAFolder,
    /// Something else stands where a regular file belongs.
    #[error("is no regular file")]
    NotAFile,
    /// A text that cannot name a run.
    #[error("`{0}` cannot name a run (letters, digits, `-` and `_`, at most 64)")]
    BadRunId(String),
    /// A run of this name is there already.
    #[error("run {0} exists already")]
    RunExists(RunId),
    /// No run has this name, or a name that begins so.
    #[error("no run `{name}`{}", suggestion(near.as_ref()))]
    NoSuchRun {
        /// What was given.
        name: String,
        /// The newest run that may have been meant.
        near: Option<RunId>,
    },
    /// Several runs have names that begin so.
    #[error("`{prefix}` could be any of {} runs", runs.len())]
    Ambiguous {
        /// The beginning that was given.
        prefix: String,
        /// All runs whose names begin so, newest first.
        runs: Vec<RunId>,
    },
    /// Another process works on the run.
    #[error("run {0} is being worked on by another process")]
    Locked(RunId),
    /// Another run is at work on the tree.
    #[error("another run is at work on this tree")]
    TreeLocked,
    /// The journal has no complete first line.
    #[error("no complete header")]
    NoHeader,
    /// The journal belongs to another run.
    #[error("is the journal of run {0}")]
    OtherRun(RunId),
    /// A line in the middle is torn or is not the record it should be.
    #[error("line {line}: {fault}")]
    Record {
        /// The line, from 1; the header is line 1.
        line: u64,
        /// What is wrong with it.
        #[source]
        fault: RecordError,
    },
    /// A line in the middle is no text.
    #[error("line {line}: no UTF-8 text")]
    NotText {
        /// The line, from 1.
        line: u64,
    },
    /// An earlier write failed in a way that leaves the end of the journal unknown.
    #[error("an earlier write failed; the run must be opened again")]
    Broken,
    /// There is no artifact of this name.
    #[error("no artifact {0}")]
    NoArtifact(ArtifactId),
    /// The artifact's content is not what its name says.
    #[error("artifact {0} is damaged")]
    DamagedArtifact(ArtifactId),
    /// A text that cannot name a file of the output folder.
    #[error("`{0}` cannot name a file there")]
    BadFileName(String),
}

fn suggestion(near: Option<&RunId>) -> String {
    near.map_or_else(String::new, |run| format!(", did you mean {run}?"))
}

impl JournalError {
    pub(crate) fn new(kind: JournalErrorKind, place: &Path) -> Self {
        Self { kind, place: place.to_owned() }
    }

    /// For `map_err`: what was tried and where.
    pub(crate) fn io<E: Into<io::Error>>(
        doing: &'static str,
        place: &Path,
    ) -> impl FnOnce(E) -> Self {
        move |error| Self::new(JournalErrorKind::Io { doing, source: error.into() }, place)
    }
}

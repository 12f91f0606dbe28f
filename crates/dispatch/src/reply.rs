//! What came of an invocation.

use std::time::Duration;

/// What a child said and how it ended; success is for the caller to judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Why it ended.
    pub ended: Ended,
    /// The highest rung of the ladder that was needed; `None` when it ended by itself.
    pub rung: Option<Rung>,
    /// The start of its standard output; the spool has all of it.
    pub stdout: Captured,
    /// The end of its standard error, at most `stderr_cap` bytes.
    pub stderr: Vec<u8>,
    /// From its start to its own end, without the draining of its pipes.
    pub wall: Duration,
}

/// Why a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this exit code.
    Exited(i32),
    /// By this signal, which was none of ours.
    Signalled(i32),
    /// Ended by us: its deadline passed.
    Deadline,
    /// Ended by us: it said nothing for too long.
    Idle,
    /// Ended by us: the caller wanted it.
    Cancelled,
}

/// The rungs of the ladder that ends a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// TERM to its process group.
    Term,
    /// KILL to its process group.
    Kill,
}

/// Output as far as it was kept in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    /// The first bytes, cut before a character that does not fit whole.
    pub bytes: Vec<u8>,
    /// Whether there was more than that.
    pub truncated: bool,
    /// How many bytes there were in all.
    pub total: u64,
}

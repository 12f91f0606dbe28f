//! Why an agent gave no answer.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An agent that could not be heard; never silence, never approval (DESIGN §2, D42).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// It could not be started.
    NotStarted,
    /// It ended with this exit status.
    Exit(i32),
    /// It was ended by this signal, not by us.
    Signal(i32),
    /// It ran longer than its deadline.
    Deadline,
    /// It was silent longer than its idle deadline.
    Idle,
    /// It ended well and said nothing, in a role that must answer.
    Blank,
    /// Its envelope reports an error.
    AgentError,
    /// It ended well, and the event that closes its envelope is not there.
    Unfinished,
    /// It changed the tree, twice, in a role that may not (D43).
    WroteInReadOnlyRole,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted => f.write_str("could not be started"),
            Self::Exit(code) => write!(f, "failed (exit {code})"),
            Self::Signal(signal) => write!(f, "failed (signal {signal})"),
            Self::Deadline => f.write_str("failed (ran past its deadline)"),
            Self::Idle => f.write_str("failed (silent past its idle deadline)"),
            Self::Blank => f.write_str("failed (ended without an answer)"),
            Self::AgentError => f.write_str("failed (reported an error)"),
            Self::Unfinished => f.write_str("failed (ended before its closing event)"),
            Self::WroteInReadOnlyRole => {
                f.write_str("failed (changed the tree in a read-only role)")
            }
        }
    }
}

//! How a run ends, pauses or fails.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{CallId, Fault, Refusal, SnapshotId};

/// How a run came to its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Every step that was due has run.
    Completed,
    /// A step failed; nothing after it ran.
    Failed {
        /// The call that failed.
        call: CallId,
        /// Why.
        failure: Failure,
    },
    /// The run can be resumed.
    Paused(Pause),
}

/// Why a run paused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pause {
    /// A signal asked for it.
    Signal(i32),
    /// The cycle ran past its time.
    CycleTimeout,
}

/// Why a step failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// Its condition could not be evaluated, or a value did not have the kind it needs.
    Recipe,
    /// It would have broken the order of the audit.
    Order(Refusal),
    /// No validator gave a ballot and at least one said something (D10).
    Gate,
    /// The agent could not be heard; where it may write, the state it left is kept.
    Agent {
        /// What went wrong.
        fault: Fault,
        /// The snapshot of what it left.
        kept: Option<SnapshotId>,
    },
    /// The agent's answer does not keep the role's contract (D42).
    Contract,
    /// A command ended with this exit status, or did not end by itself.
    Command(Option<i32>),
    /// Something outside the run does not answer: git, the disk.
    Environment,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recipe => f.write_str("recipe error"),
            Self::Order(refusal) => write!(f, "wrong order: {refusal}"),
            Self::Gate => f.write_str("no validator gave a ballot"),
            Self::Agent { fault, kept: None } => write!(f, "agent {fault}"),
            Self::Agent { fault, kept: Some(snapshot) } => {
                write!(f, "agent {fault}; what it left is kept as snapshot {snapshot}")
            }
            Self::Contract => f.write_str("the answer does not keep the contract of its role"),
            Self::Command(Some(code)) => write!(f, "command failed (exit {code})"),
            Self::Command(None) => f.write_str("command did not end by itself"),
            Self::Environment => f.write_str("the environment failed"),
        }
    }
}

//! How a goal loop ends.

use serde::{Deserialize, Serialize};

use crate::{ArtifactId, CallId, Failure, Outcome};

/// How a goal loop ended for good.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The check passed, on the tree that is there now.
    GoalMet {
        /// Runs of the check.
        cycles: u32,
    },
    /// The last allowed check failed, or left another tree than it passed on.
    MaxCycles,
    /// The same failure was seen as often as is allowed.
    SameFailure {
        /// What it is called.
        signature: ArtifactId,
        /// How often it was seen.
        times: u32,
    },
    /// The check looked at nothing.
    NothingVerified,
    /// The environment is to blame.
    Environment,
    /// An agent, or something outside the run, did not do its part.
    Failed {
        /// The call.
        call: CallId,
        /// Why.
        failure: Failure,
    },
}

impl Ending {
    /// The same for those who know nothing of goals: a loop that stopped by its own rules has
    /// completed.
    pub fn outcome(&self, check: &CallId) -> Outcome {
        match self {
            Self::GoalMet { .. }
            | Self::MaxCycles
            | Self::SameFailure { .. }
            | Self::NothingVerified => Outcome::Completed,
            Self::Environment => {
                Outcome::Failed { call: check.clone(), failure: Failure::Environment }
            }
            Self::Failed { call, failure } => {
                Outcome::Failed { call: call.clone(), failure: failure.clone() }
            }
        }
    }
}

//! What the steps of a goal loop find out.

use serde::{Deserialize, Serialize};

use crate::{ArtifactId, Fact};

/// One thing that a goal loop knows. It comes from readers of ours, never from a child's word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Learned {
    /// What the check said.
    Checked(Checked),
    /// The diagnosis was taken in, as a contract or as prose.
    Diagnosed,
    /// What a fix changed was held against its bounds (D24).
    Weighed {
        /// Whether it is refused: tests deleted, skipped or weakened, checks edited, or paths that
        /// nobody named.
        refused: bool,
    },
}

impl Learned {
    /// What a fact says to a goal loop.
    pub(super) fn of(fact: &Fact) -> Option<&Self> {
        match fact {
            Fact::Goal(learned) => Some(learned),
            Fact::Found { .. }
            | Fact::Balloted { .. }
            | Fact::Tallied { .. }
            | Fact::Snapped(_)
            | Fact::FixerLaunched { .. }
            | Fact::Reported { .. }
            | Fact::Judged { .. }
            | Fact::NotAsked
            | Fact::Chronicled
            | Fact::Decided(_)
            | Fact::FramePushed(_) => None,
        }
    }
}

/// What a check said, as far as the loop goes by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Checked {
    /// It holds.
    Passed,
    /// It does not hold, and the code is to blame.
    Failed {
        /// What the failure is called: equal exactly when the signatures are (D21).
        signature: ArtifactId,
    },
    /// It looked at nothing (D22).
    NothingRan,
    /// It failed, and no change of the code would help (D22).
    Environment,
}

//! What the loop remembers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Asked, Tool};
use crate::{ArtifactId, CallId, SnapshotId, TreeId};

/// The state of one loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Nothing has happened yet.
    Idle,
    /// The tree is looked at for the first time.
    Starting(Asked),
    /// A phase is open: an agent is at work.
    Open(Progress, Phase),
    /// A call was made in the phase and is held against the tree and the tests.
    Weighing(Progress, Phase, Weighed),
    /// The loop has ended through a gate.
    Done(Progress, Gate),
}

/// The two phases that alternate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Somebody reviews.
    Review,
    /// Somebody simplifies.
    Simplify,
}

impl Phase {
    /// The tool that ends it.
    pub fn tool(self) -> Tool {
        match self {
            Self::Review => Tool::Review,
            Self::Simplify => Tool::Simplify,
        }
    }
}

/// What is known in every phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Simplify passes done.
    pub round: u32,
    /// Findings of the last review that counted.
    pub findings: u32,
    /// The last call that was accepted.
    pub accepted: Asked,
    /// The tree that a review is shown and a pass begins with.
    pub shown: Seen,
    /// Where the changes begin that a review has to look at; `None` before there are any.
    pub since: Option<SnapshotId>,
    /// The last run of the test command.
    pub tested: Option<Tested>,
    /// Snapshots taken so far.
    pub snapshots: u32,
    /// Runs of the test command so far.
    pub runs: u32,
}

/// A state of the tree, and the snapshot that holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The snapshot.
    pub snapshot: SnapshotId,
    /// The state.
    pub tree: TreeId,
}

/// One run of the test command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tested {
    /// The tree when it had ended.
    pub tree: TreeId,
    /// Its exit status; `None` when it did not end by itself.
    pub exit: Option<i32>,
    /// What it printed.
    pub output: ArtifactId,
    /// Whether that is another tree than the one it ran on.
    pub moved: bool,
}

/// A call that is held against the tree and the tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weighed {
    /// The call.
    pub asked: Asked,
    /// How far it has come.
    pub stage: Stage,
}

/// What a weighed call waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The present tree, as this snapshot.
    Looking(SnapshotId),
    /// How the named files compare with what changed.
    Comparing(Seen),
    /// The end of the test command.
    Testing {
        /// This run of it.
        call: CallId,
        /// The tree it runs on.
        on: Seen,
        /// Whether the run before it changed the tree.
        again: bool,
    },
    /// Whether the test command left the tree alone.
    LookingAgain {
        /// The tree it ran on.
        on: Seen,
        /// Whether the run before it changed the tree.
        again: bool,
        /// The snapshot of the tree as it is now.
        snapshot: SnapshotId,
        /// Its exit status.
        exit: Option<i32>,
        /// What it printed.
        output: ArtifactId,
    },
}

/// How a loop ends; there is no other way (seed 003).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// A review found nothing to change, and the tests pass.
    ReviewClean,
    /// A pass changed nothing, with findings open.
    NothingLeft,
    /// All passes are spent, and the review of the last one still asks for changes.
    BudgetExhausted,
    /// Somebody ended it.
    Stopped,
}

/// What is known of the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verification {
    /// They passed on the tree that is shown.
    Passed,
    /// They failed on it.
    Failed,
    /// There are none, or none ran on it.
    Unverified,
}

impl State {
    /// The tool that fits; a loop that has ended makes room for another.
    pub fn expected(&self) -> Tool {
        match self {
            Self::Idle | Self::Starting(_) | Self::Done(..) => Tool::Start,
            Self::Open(_, phase) | Self::Weighing(_, phase, _) => phase.tool(),
        }
    }

    /// What is known, once the loop has begun.
    pub fn progress(&self) -> Option<&Progress> {
        match self {
            Self::Idle | Self::Starting(_) => None,
            Self::Open(progress, _) | Self::Weighing(progress, ..) | Self::Done(progress, _) => {
                Some(progress)
            }
        }
    }

    /// The gate it ended through.
    pub fn gate(&self) -> Option<Gate> {
        match self {
            Self::Done(_, gate) => Some(*gate),
            Self::Idle | Self::Starting(_) | Self::Open(..) | Self::Weighing(..) => None,
        }
    }

    /// What is known of the tests.
    pub fn verification(&self) -> Verification {
        self.progress().map_or(Verification::Unverified, Progress::verification)
    }
}

impl Progress {
    /// What is known of the tests on the tree that is shown.
    pub fn verification(&self) -> Verification {
        match &self.tested {
            Some(tested) if tested.tree == self.shown.tree => match (tested.exit, tested.moved) {
                (Some(0), false) => Verification::Passed,
                (Some(0), true) => Verification::Unverified,
                _ => Verification::Failed,
            },
            Some(_) | None => Verification::Unverified,
        }
    }

    /// Shows a later state of the tree to the review; all changes since the last review are part of it.
    pub(super) fn show(&mut self, seen: Seen) {
        if seen.tree != self.shown.tree {
            self.since.get_or_insert(self.shown.snapshot);
            self.shown = seen;
        }
    }

    pub(super) fn next_snapshot(&mut self) -> SnapshotId {
        self.snapshots += 1;
        SnapshotId(self.snapshots)
    }
}

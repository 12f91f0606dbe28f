//! Everything that a report shows.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Cycle, Finding, Proof};

/// Everything that a report shows of one run; whoever folds the journal fills it in (D49).
///
/// Texts are taken as they are: each rendering makes them inert.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct View {
    /// The run.
    pub run: String,
    /// The recipe that it followed.
    pub recipe: Recipe,
    /// What was audited, relative to the repository root.
    pub target: String,
    /// When it began, as it is shown.
    pub started: String,
    /// When it ended or paused, as it is shown.
    pub ended: String,
    /// How it came to its end.
    pub outcome: Outcome,
    /// Whether it was undone since.
    pub undone: Option<Undone>,
    /// Where its changes are, when it has a work tree of its own.
    pub isolated: Option<Isolated>,
    /// The cycles, in order.
    pub cycles: Vec<Cycle>,
    /// The findings of all cycles, each once, in the order they were found.
    pub findings: Vec<Finding>,
    /// What was said by the summary step.
    pub summary: Option<String>,
    /// What was said by the self-improvement step.
    pub self_improvement: Option<String>,
    /// What the check command says of the fixes, where one is set and something was fixed.
    pub proof: Option<Proof>,
    /// What is worth saying beside all this.
    pub warnings: Vec<String>,
    /// Raw replies that were kept for people to look at.
    pub kept_replies: Vec<KeptReply>,
    /// Snapshots of states that someone may want back.
    pub snapshots: Vec<Snapshot>,
    /// What it cost, as far as it is known.
    pub usage: Usage,
}

/// The recipe that a run followed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Recipe {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Where it came from: built in, or a path.
    pub origin: String,
}

impl View {
    /// Where changes are that wait to be brought over.
    pub(crate) fn waiting(&self) -> Option<&Isolated> {
        self.isolated.as_ref().filter(|isolated| !isolated.applied && self.undone.is_none())
    }

    /// The command that goes on with the run, where it can be gone on with.
    pub(crate) fn resume(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Paused { resume, .. } if self.undone.is_none() => Some(resume),
            Outcome::Completed | Outcome::Failed { .. } | Outcome::Paused { .. } => None,
        }
    }
}

/// How a run came to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Outcome {
    /// Every step that was due has run.
    Completed,
    /// A step failed; nothing after it ran.
    Failed {
        /// The step.
        step: String,
        /// The cycle that it belongs to; `None` outside of cycles.
        cycle: Option<u32>,
        /// Why, in a sentence fragment.
        why: String,
    },
    /// The run can be resumed.
    Paused {
        /// Why, in a sentence fragment.
        why: String,
        /// The command that resumes it.
        resume: String,
    },
}

impl Outcome {
    /// Whether every step that was due has run; only then absence of findings says anything.
    pub fn is_complete(&self) -> bool {
        matches!(self, Self::Completed)
    }
}

/// A run with a work tree of its own (`--isolate`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Isolated {
    /// The root of its work tree.
    pub worktree: String,
    /// Its branch.
    pub branch: String,
    /// Whether its changes were brought over; tree and branch are gone then.
    pub applied: bool,
    /// The command that brings them over.
    pub apply: String,
}

/// A run that was undone: what it did is no longer in the tree (D46).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Undone {
    /// Whether the undo came to its end.
    pub complete: bool,
    /// The snapshot that keeps what was replaced.
    pub kept: String,
}

/// A raw reply that was kept for people to look at (D11).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KeptReply {
    /// The cycle.
    pub cycle: u32,
    /// Whose it is: `v1` …
    pub label: String,
    /// Where it is, as it was printed.
    pub place: String,
}

/// A snapshot of a state that someone may want back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Snapshot {
    /// Its number within the run.
    pub number: u32,
    /// What it holds.
    pub what: String,
    /// Where it lives.
    pub place: String,
}

/// What a run cost, as far as it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Usage {
    /// How many children were started.
    pub invocations: u32,
    /// Running time in milliseconds, without down time.
    pub wall: u64,
    /// Tokens read by models; `None` when no agent said.
    pub input_tokens: Option<u64>,
    /// Tokens written by models; `None` when no agent said.
    pub output_tokens: Option<u64>,
    /// Cost in millionths of a US dollar; `None` when no agent said.
    pub cost_micros: Option<u64>,
}

//! What happened, as the machines see it.

use serde::{Deserialize, Serialize};
use tribunal_verdict::Class;

use crate::review_loop::Asked;
use crate::{ArtifactId, CallId, Fact, Failure, Fault, SnapshotId, Timer, TreeId};

/// Milliseconds.
pub type Millis = u64;

/// One thing that happened, and when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Running time since [`What::Began`], without down time.
    pub at: Millis,
    /// What happened.
    pub what: What,
}

/// The kinds of things that happen; texts travel as artifact ids, never inside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// The run starts.
    Began,
    /// The run goes on after an interruption or a crash.
    Resumed,
    /// A condition was evaluated.
    Guarded {
        /// The step, or the loop whose end is asked for.
        call: CallId,
        /// What it came to.
        answer: Guarded,
    },
    /// A child is about to be started; recorded before the spawn.
    Launched {
        /// The call it serves.
        call: CallId,
        /// Launches of this call, from 1.
        attempt: u32,
        /// What it is told.
        prompt: ArtifactId,
    },
    /// An agent has ended.
    Replied {
        /// The call it served.
        call: CallId,
        /// Its answer's class, or why there is none.
        heard: Heard,
        /// What it cost.
        usage: Usage,
        /// All it wrote to standard output; absent when it never started.
        reply: Option<ArtifactId>,
    },
    /// A command of the recipe has ended.
    Ran {
        /// The call it served.
        call: CallId,
        /// Its exit status; `None` when it could not start, was killed or ran past its time.
        exit: Option<i32>,
        /// All it wrote to standard output.
        output: ArtifactId,
    },
    /// A snapshot was taken.
    Snapped {
        /// Its number.
        snapshot: SnapshotId,
        /// The state of the tree.
        tree: TreeId,
    },
    /// The tree was put back to a snapshot.
    Restored {
        /// The snapshot that the tree equals now.
        snapshot: SnapshotId,
    },
    /// A raw reply was put where people find it.
    Kept {
        /// The call whose reply it is.
        call: CallId,
        /// Where it is.
        place: String,
    },
    /// A pure step was computed.
    Computed {
        /// The call it serves.
        call: CallId,
        /// What it gave.
        done: Done,
    },
    /// An agent called a tool of the review loop.
    Asked(Asked),
    /// The files that a call names were held against what changed between two snapshots.
    Compared {
        /// The earlier one.
        before: SnapshotId,
        /// The later one.
        after: SnapshotId,
        /// Paths that changed.
        changed: u32,
        /// Named files that did not.
        unfounded: u32,
    },
    /// A timer ran out.
    TimerFired {
        /// Which.
        timer: Timer,
    },
    /// A signal asks the run to end.
    Interrupted {
        /// Its number.
        signal: i32,
    },
}

/// What a condition came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Guarded {
    /// It holds.
    Go,
    /// It does not hold.
    Skip,
    /// It could not be evaluated.
    Bad,
}

/// What came back from an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Heard {
    /// It ended well; this is the class of what it said.
    Said(Class),
    /// It could not be heard.
    Fault(Fault),
}

/// What a pure step gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Done {
    /// A value and the facts it establishes.
    Gave {
        /// Facts for [`crate::cycle`].
        facts: Vec<Fact>,
        /// SHA-256 of the value; recomputed and compared on resume.
        digest: ArtifactId,
    },
    /// It could not be computed.
    Failed(Failure),
}

/// What one call cost, as far as it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Wall time in milliseconds.
    pub wall: Millis,
    /// Tokens read by the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens written by the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Cost in millionths of a US dollar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
}

//! What the plan machine remembers.

use std::collections::BTreeMap;

use crate::{
    Access, CallId, Failure, FrameId, Heard, Millis, Outcome, Pause, SnapshotId, StepId, TreeId,
    cycle,
};

/// The state of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// Nothing has happened yet.
    Unborn,
    /// Something is under way.
    Running(Running),
    /// It waits to be resumed.
    Paused(Running, Pause),
    /// It has ended for good.
    Settled(Running, Outcome),
}

impl State {
    /// What the run remembers, once it has begun.
    pub fn running(&self) -> Option<&Running> {
        match self {
            Self::Unborn => None,
            Self::Running(running) | Self::Paused(running, _) | Self::Settled(running, _) => {
                Some(running)
            }
        }
    }

    /// How the run stands at its end or pause; `None` while it runs.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Unborn | Self::Running(_) => None,
            Self::Paused(_, pause) => Some(Outcome::Paused(*pause)),
            Self::Settled(_, outcome) => Some(outcome.clone()),
        }
    }
}

/// A run under way.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Running {
    /// The stack; the last one works. Empty only when the run is settled.
    pub frames: Vec<Frame>,
    /// Cycles that have ended, in the order of their ends.
    pub past: Vec<cycle::State>,
    /// Snapshots taken so far.
    pub snapshots: u32,
    /// Frames pushed so far.
    pub pushed: u32,
}

impl Running {
    /// All cycles of the run, from the first.
    pub fn cycles(&self) -> Vec<&cycle::State> {
        let mut cycles: Vec<_> =
            self.past.iter().chain(self.frames.iter().map(|frame| &frame.cycle)).collect();
        cycles.sort_by_key(|cycle| cycle.cycle());
        cycles
    }
}

/// One cycle of a recipe under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Its number.
    pub id: FrameId,
    /// What it knows.
    pub cycle: cycle::State,
    /// Where in the plan it is.
    pub spot: Spot,
    /// What it is doing there.
    pub at: At,
    /// Its time.
    pub clock: Clock,
    /// Questions asked so far, by step.
    pub turns: BTreeMap<StepId, u32>,
}

/// A place in the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// Index of the node.
    pub node: usize,
    /// Turn of the loop that the node is, from 1.
    pub turn: u32,
    /// Index of the step within the loop.
    pub inner: usize,
}

/// A frame's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// It has no limit, or no longer one.
    Free,
    /// It runs.
    Armed {
        /// When it was started.
        since: Millis,
        /// How much was left then.
        left: Millis,
    },
    /// It stands still while another frame lies on this one, or while the run is paused.
    Stopped {
        /// How much is left.
        left: Millis,
    },
}

/// What a frame is doing.
#[derive(Debug, Clone, PartialEq)]
pub enum At {
    /// Evaluating the conditions of the steps here.
    Guarding {
        /// Indices of the steps that are due.
        going: Vec<usize>,
        /// Index of the step whose condition is asked for.
        next: usize,
    },
    /// Children are at work, or what they left is looked at.
    Children(Children),
    /// Computing a native step.
    Computing(CallId),
    /// Evaluating whether a loop has reached its end.
    Until(CallId),
    /// Another frame lies on it, pushed by this call.
    Under(CallId),
}

/// Calls that run at once, and what is looked at before and after them.
#[derive(Debug, Clone, PartialEq)]
pub struct Children {
    /// The calls.
    pub tasks: Vec<Task>,
    /// Which of them run now.
    pub wave: Wave,
    /// What is waited for.
    pub stage: Stage,
}

/// Which calls of a group run now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wave {
    /// All of them.
    All,
    /// One alone, because the group as a whole changed the tree although it may not (D43).
    Alone(usize),
}

/// What a group of calls waits for.
#[derive(Debug, Clone, PartialEq)]
pub enum Stage {
    /// The snapshot before the children start.
    Securing(SnapshotId),
    /// The children.
    Asking(Tree),
    /// The snapshot after them.
    Comparing {
        /// The tree before them.
        before: Tree,
        /// The snapshot asked for.
        after: SnapshotId,
    },
    /// A second look at a tree that read-only children left changed.
    Settling {
        /// The tree before them.
        before: Tree,
        /// The tree they left.
        left: Tree,
        /// The snapshot asked for.
        still: SnapshotId,
    },
    /// The snapshot of what a write call left that did not end well.
    Salvaging {
        /// The tree before it.
        before: Tree,
        /// The snapshot asked for.
        left: SnapshotId,
        /// What follows.
        then: Then,
    },
    /// The tree is put back.
    Restoring {
        /// To what.
        before: Tree,
        /// What follows.
        then: Then,
    },
    /// The replies are read, one after another.
    Reading(usize),
    /// A raw reply is kept.
    Keeping(usize),
}

/// A state of the tree and the snapshot that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The snapshot.
    pub snapshot: SnapshotId,
    /// Its content.
    pub id: TreeId,
}

/// What follows once the tree is put back.
#[derive(Debug, Clone, PartialEq)]
pub enum Then {
    /// The same calls are launched again.
    Again,
    /// Each call is asked again, alone.
    Alone,
    /// The wave is over.
    Over,
    /// The run fails.
    Fail(CallId, Failure),
}

/// One call of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Index of its step at this spot.
    pub step: usize,
    /// The call.
    pub call: CallId,
    /// What it may touch.
    pub access: Access,
    /// How far it is.
    pub progress: TaskProgress,
}

/// How far a call is.
#[derive(Debug, Clone, PartialEq)]
pub enum TaskProgress {
    /// Not started.
    Waiting,
    /// About to be launched.
    Asked {
        /// Launches of this call, from 1.
        attempt: u32,
    },
    /// Its child runs.
    Launched {
        /// Launches of this call, from 1.
        attempt: u32,
    },
    /// Its agent has ended.
    Heard(Heard),
    /// Its command has ended.
    Exited(Option<i32>),
}

impl Children {
    /// The calls that run, or are about to, and have not ended.
    pub fn open(&self) -> impl Iterator<Item = &Task> {
        self.tasks
            .iter()
            .enumerate()
            .filter(|(index, task)| {
                self.is_in_wave(*index)
                    && matches!(
                        task.progress,
                        TaskProgress::Waiting
                            | TaskProgress::Asked { .. }
                            | TaskProgress::Launched { .. }
                    )
            })
            .map(|(_, task)| task)
    }

    /// Whether the task of this index runs in the present wave.
    pub fn is_in_wave(&self, index: usize) -> bool {
        match self.wave {
            Wave::All => true,
            Wave::Alone(one) => one == index,
        }
    }
}

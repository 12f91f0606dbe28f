//! What the plan machine remembers.

use std::collections::BTreeMap;

use super::task::Children;
use crate::{CallId, FrameId, Millis, Outcome, Pause, StepId, cycle};

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

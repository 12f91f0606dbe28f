//! Events in, next state and effects out.

use super::at::{At, Due, Launch, Open};
use super::state::{Run, State};
use super::{Ending, Policy};
use crate::{
    CallId, Effect, Event, Failure, FrameId, Machine, Native, Outcome, Pause, Refusal, SnapReason,
    SnapshotId, StepId, What,
};

/// The step that runs the check, in call ids.
pub const CHECK: &str = "check";
/// The step that asks for a diagnosis.
pub const DIAGNOSE: &str = "diagnose";
/// The step that asks for a fix.
pub const FIX: &str = "fix";

/// The machine of one goal. In its call ids the frame is the cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Goal {
    /// Its limits.
    pub policy: Policy,
}

impl Machine for Goal {
    type State = State;

    fn start(&self) -> State {
        State::Unborn
    }

    fn step(&self, state: &State, event: &Event) -> Result<(State, Vec<Effect>), Refusal> {
        match state {
            State::Unborn => match &event.what {
                What::Began => Ok(self.begin()),
                other => Err(Refusal::of(other, "a goal that has not begun", &["began"])),
            },
            State::Running(run) => Move::new(self.policy, run).take(&event.what),
            State::Paused(run, _) => match &event.what {
                What::Resumed => Ok(Move::new(self.policy, run).resume()),
                other => Err(Refusal::of(other, "a paused goal", &["resumed"])),
            },
            State::Settled(..) => Err(Refusal::of(&event.what, "a goal that has ended", &[])),
        }
    }
}

impl Goal {
    fn begin(self) -> (State, Vec<Effect>) {
        let snapshot = SnapshotId(1);
        let at = At::Securing { snapshot, due: Due::Check { attempt: 1 } };
        let run = Run { cycle: 1, past: Vec::new(), snapshots: 1, at };
        (State::Running(run), vec![Effect::Snap { snapshot, why: SnapReason::Before }])
    }
}

/// What a move comes to.
enum Arrival {
    At(At),
    End(Ending),
    Pause(Pause),
}

/// One event being taken: the run as it changes, and the effects that fall due.
pub(super) struct Move<'a> {
    pub(super) policy: Policy,
    pub(super) run: Run,
    was: &'a Run,
    pub(super) effects: Vec<Effect>,
}

pub(super) type Next = (State, Vec<Effect>);

impl<'a> Move<'a> {
    fn new(policy: Policy, run: &'a Run) -> Self {
        Self { policy, run: run.clone(), was: run, effects: Vec::new() }
    }

    fn take(self, what: &What) -> Result<Next, Refusal> {
        match what {
            What::Resumed => Ok(self.resume()),
            What::Interrupted { signal } => Ok(self.pause(Pause::Signal(*signal))),
            What::Launched { call, attempt, .. } => self.launched(what, call, *attempt),
            What::Ran { call, .. } => self.ran(what, call),
            What::Replied { call, heard, .. } => self.replied(what, call, heard),
            What::Snapped { snapshot, tree } => self.snapped(what, *snapshot, tree),
            What::Restored { snapshot } => self.restored(what, *snapshot),
            What::Computed { call, done } => self.computed(what, call, done),
            What::Began
            | What::Guarded { .. }
            | What::Kept { .. }
            | What::TimerFired { .. }
            | What::Asked(_)
            | What::Compared { .. } => Err(self.refuse(what)),
        }
    }

    pub(super) fn refuse(&self, what: &What) -> Refusal {
        let (place, expected) = self.was.at.awaited();
        Refusal::of(what, place, expected)
    }

    fn arrive(mut self, arrival: Arrival) -> Next {
        let state = match arrival {
            Arrival::At(at) => {
                self.run.at = at;
                State::Running(self.run)
            }
            Arrival::End(ending) => {
                let check = call(CHECK, self.run.cycle, 1);
                self.effects.push(Effect::Finish(ending.outcome(&check)));
                State::Settled(self.run, ending)
            }
            Arrival::Pause(pause) => {
                self.effects.push(Effect::Finish(Outcome::Paused(pause)));
                State::Paused(self.run, pause)
            }
        };
        (state, self.effects)
    }

    pub(super) fn go(self, at: At) -> Next {
        self.arrive(Arrival::At(at))
    }

    pub(super) fn end(self, ending: Ending) -> Next {
        self.arrive(Arrival::End(ending))
    }

    pub(super) fn stop(self, pause: Pause) -> Next {
        self.arrive(Arrival::Pause(pause))
    }

    pub(super) fn fail(self, call: CallId, failure: Failure) -> Next {
        self.end(Ending::Failed { call, failure })
    }

    pub(super) fn snap(&mut self, why: SnapReason) -> SnapshotId {
        self.run.snapshots += 1;
        let snapshot = SnapshotId(self.run.snapshots);
        self.effects.push(Effect::Snap { snapshot, why });
        snapshot
    }

    pub(super) fn compute(&mut self, call: &CallId) {
        self.effects.push(Effect::Compute { call: call.clone(), native: Native::Step });
    }
}

/// A call of a cycle.
pub(super) fn call(step: &str, cycle: u32, turn: u32) -> CallId {
    CallId { frame: FrameId(cycle), step: StepId::new(step), turn }
}

pub(super) fn ordered(call: CallId, attempt: u32) -> Open {
    Open { call, attempt, launch: Launch::Ordered }
}

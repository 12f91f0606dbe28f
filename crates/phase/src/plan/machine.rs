//! Events in, next state and effects out.

use super::definition::{Node, Plan, Step};
use super::state::{At, Frame, Running, State};
use crate::cycle::{self, Decision};
use crate::{
    CallId, Effect, Event, Fact, Failure, Machine, Millis, Outcome, Refusal, SnapshotId, What,
};

impl Machine for Plan {
    type State = State;

    fn start(&self) -> State {
        State::Unborn
    }

    fn step(&self, state: &State, event: &Event) -> Result<(State, Vec<Effect>), Refusal> {
        match state {
            State::Unborn => match &event.what {
                What::Began => Ok(Move::new(self, Running::default(), event.at).begin()),
                other => Err(Refusal::of(other, "a run that has not begun", &["began"])),
            },
            State::Running(running) => Move::new(self, running.clone(), event.at).take(&event.what),
            State::Paused(running, _) => match &event.what {
                What::Resumed => Ok(Move::new(self, running.clone(), event.at).resume()),
                other => Err(Refusal::of(other, "a paused run", &["resumed"])),
            },
            State::Settled(..) => Err(Refusal::of(&event.what, "a run that has ended", &[])),
        }
    }
}

/// One event being taken: the run as it changes, and the effects that fall due.
pub(super) struct Move<'a> {
    pub(super) plan: &'a Plan,
    pub(super) run: Running,
    pub(super) now: Millis,
    pub(super) effects: Vec<Effect>,
    /// Set when the event ends the run.
    pub(super) outcome: Option<Outcome>,
}

impl<'a> Move<'a> {
    fn new(plan: &'a Plan, run: Running, now: Millis) -> Self {
        Self { plan, run, now, effects: Vec::new(), outcome: None }
    }

    fn begin(mut self) -> (State, Vec<Effect>) {
        self.push(cycle::State::new(1));
        self.done()
    }

    /// Ends the move: the next state and what is due.
    pub(super) fn done(mut self) -> (State, Vec<Effect>) {
        let state = match self.outcome.take() {
            None => State::Running(self.run),
            Some(outcome) => {
                self.effects.push(Effect::Finish(outcome.clone()));
                match outcome {
                    Outcome::Paused(pause) => State::Paused(self.run, pause),
                    Outcome::Completed | Outcome::Failed { .. } => {
                        State::Settled(self.run, outcome)
                    }
                }
            }
        };
        (state, self.effects)
    }

    fn take(mut self, what: &What) -> Result<(State, Vec<Effect>), Refusal> {
        match what {
            What::Began | What::Asked(_) | What::Compared { .. } => return Err(self.refuse(what)),
            What::Resumed => return Ok(self.resume()),
            What::Interrupted { signal } => return Ok(self.interrupt(*signal)),
            What::TimerFired { timer } => return self.timer_fired(*timer),
            What::Guarded { call, answer } => self.guarded(what, call, *answer)?,
            What::Computed { call, done } => self.computed(what, call, done)?,
            What::Launched { .. }
            | What::Replied { .. }
            | What::Ran { .. }
            | What::Snapped { .. }
            | What::Restored { .. }
            | What::Kept { .. } => self.child_event(what)?,
        }
        Ok(self.done())
    }

    pub(super) fn refuse(&self, what: &What) -> Refusal {
        let (state, expected): (&str, &[&str]) = match &self.top().at {
            At::Guarding { .. } | At::Until(_) => {
                ("a run that waits for a condition", &["guarded"])
            }
            At::Children(children) => children.stage.awaited(),
            At::Computing(_) => ("a run that computes a step", &["computed"]),
            At::Under(_) => ("a frame that another one lies on", &[]),
        };
        Refusal::of(what, state, expected)
    }

    /// The frame that works. The stack is never empty while the run is under way.
    pub(super) fn top(&self) -> &Frame {
        self.run.frames.last().expect("a run under way has a frame")
    }

    pub(super) fn top_mut(&mut self) -> &mut Frame {
        self.run.frames.last_mut().expect("a run under way has a frame")
    }

    /// The steps at the present spot: one, or the members of a group.
    pub(super) fn steps_here(&self) -> &'a [Step] {
        let spot = self.top().spot;
        let node = &self.plan.nodes[spot.node];
        match node {
            Node::Step(_) | Node::Group(_) => node.steps(),
            Node::Repeat(repeat) => std::slice::from_ref(&repeat.steps[spot.inner]),
        }
    }

    pub(super) fn next_snapshot(&mut self) -> SnapshotId {
        self.run.snapshots += 1;
        SnapshotId(self.run.snapshots)
    }

    /// The call that the step's next question is.
    pub(super) fn next_call(&self, step: &Step) -> CallId {
        let frame = self.top();
        let turn = frame.turns.get(&step.id).copied().unwrap_or(0) + 1;
        CallId { frame: frame.id, step: step.id.clone(), turn }
    }

    /// The same, and counts it as asked.
    pub(super) fn take_call(&mut self, step: &Step) -> CallId {
        let call = self.next_call(step);
        self.top_mut().turns.insert(step.id.clone(), call.turn);
        call
    }

    /// Takes facts into the cycle; a fact out of order fails the step that brought it.
    pub(super) fn admit(&mut self, call: &CallId, facts: &[Fact]) -> bool {
        for fact in facts {
            match self.top().cycle.admit(fact) {
                Ok(cycle) => self.top_mut().cycle = cycle,
                Err(refusal) => {
                    self.fail(call.clone(), Failure::Order(refusal));
                    return false;
                }
            }
            if let Fact::Decided(Decision::Stop { .. }) = fact {
                self.free_clock();
            }
        }
        true
    }

    /// The step failed: the run ends, unless the step may fail and the fault is its own.
    pub(super) fn fail(&mut self, call: CallId, failure: Failure) {
        let lenient = self.plan.nodes[self.top().spot.node]
            .steps()
            .iter()
            .any(|step| step.id == call.step && step.lenient);
        let own = match failure {
            Failure::Agent { .. } | Failure::Contract | Failure::Command(_) => true,
            Failure::Recipe | Failure::Order(_) | Failure::Gate | Failure::Environment => false,
        };
        if lenient && own {
            self.after_failure(&call);
        } else {
            self.free_clock();
            self.outcome = Some(Outcome::Failed { call, failure });
        }
    }
}

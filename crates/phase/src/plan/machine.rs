//! Events in, next state and effects out.

use std::collections::BTreeMap;

use super::definition::{Node, Plan, Step, Work};
use super::state::{At, Clock, Frame, Running, Spot, State};
use crate::cycle::{self, Decision};
use crate::{
    CallId, Done, Effect, Event, Fact, Failure, FrameId, Guarded, Machine, Millis, Native, Outcome,
    Refusal, SnapshotId, Timer, What,
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
                other => Err(refuse(other, "a run that has not begun", &["began"])),
            },
            State::Running(running) => Move::new(self, running.clone(), event.at).take(&event.what),
            State::Paused(running, _) => match &event.what {
                What::Resumed => Ok(Move::new(self, running.clone(), event.at).resume()),
                other => Err(refuse(other, "a paused run", &["resumed"])),
            },
            State::Settled(..) => Err(refuse(&event.what, "a run that has ended", &[])),
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
            What::Began => return Err(self.refuse(what)),
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
        refuse(what, state, expected)
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
    fn next_call(&self, step: &Step) -> CallId {
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

    fn push(&mut self, cycle: cycle::State) {
        self.run.pushed += 1;
        let id = FrameId(self.run.pushed);
        let clock = match self.plan.cycle_timeout {
            Some(left) => Clock::Armed { since: self.now, left },
            None => Clock::Free,
        };
        self.effects.push(Effect::Enter(id));
        if let Some(left) = self.plan.cycle_timeout {
            self.effects.push(Effect::Arm { timer: Timer::Cycle(id), left });
        }
        let spot = Spot { node: 0, turn: 1, inner: 0 };
        let at = At::Guarding { going: Vec::new(), next: 0 };
        self.run.frames.push(Frame { id, cycle, spot, at, clock, turns: BTreeMap::new() });
        self.open();
    }

    /// Starts what stands at the present spot, or ends the frame when nothing does.
    fn open(&mut self) {
        if self.top().spot.node == self.plan.nodes.len() {
            self.leave();
        } else {
            self.guard_from(Vec::new(), 0);
        }
    }

    fn guard_from(&mut self, mut going: Vec<usize>, mut next: usize) {
        let steps = self.steps_here();
        while let Some(step) = steps.get(next) {
            if step.guarded {
                let call = self.next_call(step);
                self.effects.push(Effect::Guard(call));
                self.top_mut().at = At::Guarding { going, next };
                return;
            }
            going.push(next);
            next += 1;
        }
        self.start(&going);
    }

    fn start(&mut self, going: &[usize]) {
        let steps = self.steps_here();
        let Some(first) = going.first().map(|index| &steps[*index]) else {
            self.advance();
            return;
        };
        match first.work {
            Work::Ask { .. } | Work::Run { .. } => self.start_children(going),
            Work::Native { .. } => {
                let call = self.take_call(first);
                self.effects.push(Effect::Compute { call: call.clone(), native: Native::Step });
                self.top_mut().at = At::Computing(call);
            }
            Work::Recurse => self.recurse(first),
        }
    }

    /// Goes on to what comes after the present spot.
    pub(super) fn advance(&mut self) {
        let spot = self.top().spot;
        if let Node::Repeat(repeat) = &self.plan.nodes[spot.node] {
            if spot.inner + 1 < repeat.steps.len() {
                self.go_to(Spot { inner: spot.inner + 1, ..spot });
            } else {
                let frame = self.top().id;
                let call = CallId { frame, step: repeat.id.clone(), turn: spot.turn };
                self.effects.push(Effect::Guard(call.clone()));
                self.top_mut().at = At::Until(call);
            }
        } else {
            self.go_to(Spot { node: spot.node + 1, turn: 1, inner: 0 });
        }
    }

    fn go_to(&mut self, spot: Spot) {
        self.top_mut().spot = spot;
        self.open();
    }

    fn guarded(&mut self, what: &What, call: &CallId, answer: Guarded) -> Result<(), Refusal> {
        match self.top().at.clone() {
            At::Guarding { mut going, next } => {
                let step = &self.steps_here()[next];
                if self.next_call(step) != *call {
                    return Err(self.refuse(what));
                }
                match answer {
                    Guarded::Go => going.push(next),
                    Guarded::Skip => {}
                    Guarded::Bad => {
                        self.fail(call.clone(), Failure::Recipe);
                        return Ok(());
                    }
                }
                self.guard_from(going, next + 1);
            }
            At::Until(awaited) if awaited == *call => self.turned(call, answer),
            At::Until(_) | At::Children(_) | At::Computing(_) | At::Under(_) => {
                return Err(self.refuse(what));
            }
        }
        Ok(())
    }

    /// A turn of a loop is over.
    fn turned(&mut self, call: &CallId, answer: Guarded) {
        let spot = self.top().spot;
        let max = match &self.plan.nodes[spot.node] {
            Node::Repeat(repeat) => repeat.max,
            Node::Step(_) | Node::Group(_) => 1,
        };
        match answer {
            Guarded::Bad => self.fail(call.clone(), Failure::Recipe),
            Guarded::Skip if spot.turn < max => {
                self.go_to(Spot { turn: spot.turn + 1, inner: 0, ..spot });
            }
            Guarded::Go | Guarded::Skip => {
                self.go_to(Spot { node: spot.node + 1, turn: 1, inner: 0 });
            }
        }
    }

    fn computed(&mut self, what: &What, call: &CallId, done: &Done) -> Result<(), Refusal> {
        match &self.top().at {
            At::Computing(awaited) if awaited == call => match done {
                Done::Gave { facts, .. } => {
                    if self.admit(call, facts) {
                        self.advance();
                    }
                    Ok(())
                }
                Done::Failed(failure) => {
                    self.fail(call.clone(), failure.clone());
                    Ok(())
                }
            },
            At::Children(_) => self.child_event(what),
            At::Computing(_) | At::Guarding { .. } | At::Until(_) | At::Under(_) => {
                Err(self.refuse(what))
            }
        }
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

    fn recurse(&mut self, step: &Step) {
        let call = self.take_call(step);
        let pushed = FrameId(self.run.pushed + 1);
        match self.top().cycle.decision() {
            Some(Decision::Stop { .. }) => self.advance(),
            Some(Decision::Continue { next, .. }) => {
                if self.admit(&call, &[Fact::FramePushed(pushed)]) {
                    self.stop_clock();
                    self.top_mut().at = At::Under(call);
                    self.push(cycle::State::new(next));
                }
            }
            None => {
                self.admit(&call, &[Fact::FramePushed(pushed)]);
            }
        }
    }

    /// The frame has run to its end: its value goes to the one below.
    fn leave(&mut self) {
        self.free_clock();
        let frame = self.run.frames.pop().expect("a run under way has a frame");
        self.effects.push(Effect::Leave(frame.id));
        self.run.past.push(frame.cycle);
        if self.run.frames.is_empty() {
            self.outcome = Some(Outcome::Completed);
        } else {
            self.start_clock();
            self.advance();
        }
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

/// The refusal of an event, by the names of the events that would fit.
fn refuse(what: &What, state: &str, expected: &[&str]) -> Refusal {
    let (name, call) = match what {
        What::Began => ("began", None),
        What::Resumed => ("resumed", None),
        What::Guarded { call, .. } => ("guarded", Some(call)),
        What::Launched { call, .. } => ("launched", Some(call)),
        What::Replied { call, .. } => ("replied", Some(call)),
        What::Ran { call, .. } => ("ran", Some(call)),
        What::Snapped { .. } => ("snapped", None),
        What::Restored { .. } => ("restored", None),
        What::Kept { call, .. } => ("kept", Some(call)),
        What::Computed { call, .. } => ("computed", Some(call)),
        What::TimerFired { .. } => ("timer fired", None),
        What::Interrupted { .. } => ("interrupted", None),
    };
    Refusal {
        got: match call {
            Some(call) => format!("{name} {call}"),
            None => name.to_owned(),
        },
        state: state.to_owned(),
        expected: expected.iter().map(|&name| name.to_owned()).collect(),
    }
}

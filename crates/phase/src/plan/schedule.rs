//! What comes next: conditions, steps, turns of loops, frames.

use std::collections::BTreeMap;

use super::definition::{Node, Step, Work};
use super::machine::Move;
use super::state::{At, Clock, Frame, Spot};
use crate::cycle::{self, Decision};
use crate::{
    CallId, Done, Effect, Fact, Failure, FrameId, Guarded, Native, Outcome, Refusal, Timer, What,
};

impl Move<'_> {
    pub(super) fn push(&mut self, cycle: cycle::State) {
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

    pub(super) fn guarded(
        &mut self,
        what: &What,
        call: &CallId,
        answer: Guarded,
    ) -> Result<(), Refusal> {
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

    pub(super) fn computed(
        &mut self,
        what: &What,
        call: &CallId,
        done: &Done,
    ) -> Result<(), Refusal> {
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
}

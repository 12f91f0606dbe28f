//! Time, signals, and going on after them.

use super::definition::Work;
use super::machine::Move;
use super::state::{At, Clock, Running, State};
use super::task::{Children, Stage, TaskProgress, Then};
use crate::{
    Access, CallId, Contract, Effect, Native, Outcome, Pause, Refusal, Role, SnapReason, Timer,
    What,
};

impl Move<'_> {
    pub(super) fn interrupt(self, signal: i32) -> (State, Vec<Effect>) {
        self.pause(Pause::Signal(signal))
    }

    pub(super) fn timer_fired(self, timer: Timer) -> Result<(State, Vec<Effect>), Refusal> {
        let Timer::Cycle(frame) = timer;
        let runs = matches!(self.top().clock, Clock::Armed { .. });
        if self.top().id == frame && runs {
            Ok(self.pause(Pause::CycleTimeout))
        } else {
            Err(self.refuse(&What::TimerFired { timer }))
        }
    }

    fn pause(mut self, pause: Pause) -> (State, Vec<Effect>) {
        let open = open_calls(&self.run);
        if !open.is_empty() {
            self.effects.push(Effect::End(open));
        }
        self.stop_clock();
        // Resumed with nothing left it would pause at once again: it gets its time anew.
        if let (Pause::CycleTimeout, Some(left)) = (pause, self.plan.cycle_timeout) {
            self.top_mut().clock = Clock::Stopped { left };
        }
        self.outcome = Some(Outcome::Paused(pause));
        self.done()
    }

    /// Goes on: all that the state still owes falls due again.
    pub(super) fn resume(mut self) -> (State, Vec<Effect>) {
        self.stop_clock();
        self.effects.clear();
        self.start_clock();
        match self.top().at.clone() {
            At::Guarding { next, .. } => {
                let step = &self.steps_here()[next];
                let turn = self.top().turns.get(&step.id).copied().unwrap_or(0) + 1;
                let call = CallId { frame: self.top().id, step: step.id.clone(), turn };
                self.effects.push(Effect::Guard(call));
            }
            At::Until(call) => self.effects.push(Effect::Guard(call)),
            At::Computing(call) => {
                self.effects.push(Effect::Compute { call, native: Native::Step });
            }
            At::Children(children) => self.resume_children(children),
            // A frame that another lies on is never the one on top.
            At::Under(_) => {}
        }
        self.done()
    }

    fn resume_children(&mut self, children: Children) {
        match children.stage.clone() {
            Stage::Securing(snapshot) => {
                self.effects.push(Effect::Snap { snapshot, why: SnapReason::Before });
            }
            Stage::Comparing { after, .. } => {
                self.effects.push(Effect::Snap { snapshot: after, why: SnapReason::After });
            }
            Stage::Settling { still, .. } => {
                self.effects.push(Effect::Snap { snapshot: still, why: SnapReason::Still });
            }
            Stage::Salvaging { left, .. } => {
                self.effects.push(Effect::Snap { snapshot: left, why: SnapReason::Left });
            }
            Stage::Restoring { before, .. } => self.effects.push(Effect::Restore(before.snapshot)),
            Stage::Asking(before) => {
                let writes = children.open().any(|task| task.access == Access::Write);
                let launched = children
                    .open()
                    .any(|task| matches!(task.progress, TaskProgress::Launched { .. }));
                if children.failed_write().is_some() {
                    // What it left is still to be put back to what was before it.
                    self.launch(children, before);
                } else if !writes {
                    // Whoever changed the tree while the run was down, nobody can be blamed for it:
                    // the calls are measured against what is there now.
                    let snapshot = self.next_snapshot();
                    self.effects.push(Effect::Snap { snapshot, why: SnapReason::Before });
                    let stage = Stage::Securing(snapshot);
                    self.top_mut().at = At::Children(Children { stage, ..children });
                } else if launched {
                    let left = self.next_snapshot();
                    self.effects.push(Effect::Snap { snapshot: left, why: SnapReason::Left });
                    let stage = Stage::Salvaging { before, left, then: Then::Again };
                    self.top_mut().at = At::Children(Children { stage, ..children });
                } else {
                    self.launch(children, before);
                }
            }
            Stage::Reading(index) => {
                let task = &children.tasks[index];
                let contract = match self.steps_here()[task.step].work {
                    Work::Ask { role, .. } => role.contract(),
                    Work::Run { .. } | Work::Native { .. } | Work::Recurse => None,
                };
                // Only a call with a contract is ever waited for while reading.
                let native = Native::Read(contract.unwrap_or(Contract::Findings));
                self.effects.push(Effect::Compute { call: task.call.clone(), native });
            }
            Stage::Keeping(index) => {
                let task = &children.tasks[index];
                if let Work::Ask { role: Role::Validator(validator), .. } =
                    self.steps_here()[task.step].work
                {
                    self.effects.push(Effect::Keep { call: task.call.clone(), validator });
                }
            }
        }
    }

    /// Starts the clock of the frame on top with what is left.
    pub(super) fn start_clock(&mut self) {
        let now = self.now;
        let frame = self.top_mut();
        if let Clock::Stopped { left } = frame.clock {
            frame.clock = Clock::Armed { since: now, left };
            let timer = Timer::Cycle(frame.id);
            self.effects.push(Effect::Arm { timer, left });
        }
    }

    /// Stops the clock of the frame on top and keeps what is left, at least a moment.
    pub(super) fn stop_clock(&mut self) {
        let now = self.now;
        let frame = self.top_mut();
        if let Clock::Armed { since, left } = frame.clock {
            let left = left.saturating_sub(now.saturating_sub(since)).max(1);
            frame.clock = Clock::Stopped { left };
            let timer = Timer::Cycle(frame.id);
            self.effects.push(Effect::Disarm(timer));
        }
    }

    /// Takes the limit off the frame on top: what follows is not the cycle's own work.
    pub(super) fn free_clock(&mut self) {
        let frame = self.top_mut();
        if let Clock::Armed { .. } = frame.clock {
            let timer = Timer::Cycle(frame.id);
            self.effects.push(Effect::Disarm(timer));
        }
        self.top_mut().clock = Clock::Free;
    }
}

/// The calls whose children run.
fn open_calls(run: &Running) -> Vec<CallId> {
    run.frames
        .iter()
        .filter_map(|frame| match &frame.at {
            At::Children(children) => Some(children),
            At::Guarding { .. } | At::Computing(_) | At::Until(_) | At::Under(_) => None,
        })
        .flat_map(|children| children.open().map(|task| task.call.clone()))
        .collect()
}

//! Replies, read one after another by the contracts of their roles.

use super::definition::Work;
use super::machine::Move;
use super::state::At;
use super::task::{Children, Stage, TaskProgress};
use crate::{CallId, Done, Effect, Fact, Failure, Fault, Heard, Native, Refusal, Role, What};

impl Move<'_> {
    /// Reads the replies from this one on; ends when the first needs something done.
    pub(super) fn read_from(&mut self, children: Children, from: usize) {
        let Some(task) = children.tasks.get(from) else {
            self.advance();
            return;
        };
        let call = task.call.clone();
        let failure = match (&task.progress, self.work_of(task)) {
            (TaskProgress::Heard(Heard::Fault(fault)), Work::Ask { role, .. }) => {
                match (role, fault) {
                    (Role::Validator(_), fault) if *fault != Fault::NotStarted => None,
                    _ => Some(Failure::Agent { fault: fault.clone(), kept: None }),
                }
            }
            (TaskProgress::Exited(exit), _) if *exit != Some(0) => Some(Failure::Command(*exit)),
            _ => None,
        };
        let contract = match self.work_of(task) {
            Work::Ask { role, .. } => role.contract(),
            Work::Run { .. } | Work::Native { .. } | Work::Recurse => None,
        };
        match (failure, contract) {
            (Some(failure), _) => {
                self.put(children, Stage::Reading(from));
                self.fail(call, failure);
            }
            (None, Some(contract)) => {
                self.effects.push(Effect::Compute { call, native: Native::Read(contract) });
                self.put(children, Stage::Reading(from));
            }
            (None, None) => self.read_from(children, from + 1),
        }
    }

    pub(super) fn read(
        &mut self,
        what: &What,
        children: Children,
        call: &CallId,
        done: &Done,
    ) -> Result<(), Refusal> {
        let Stage::Reading(index) = children.stage else { return Err(self.refuse(what)) };
        if children.tasks[index].call != *call {
            return Err(self.refuse(what));
        }
        match done {
            Done::Failed(failure) => self.fail(call.clone(), failure.clone()),
            Done::Gave { facts, .. } => {
                if !self.admit(call, facts) {
                    return Ok(());
                }
                let is_kept = |fact: &Fact| match fact {
                    Fact::Balloted { ballot, .. } => ballot.is_kept(),
                    _ => false,
                };
                match self.work_of(&children.tasks[index]) {
                    Work::Ask { role: Role::Validator(validator), .. }
                        if facts.iter().any(is_kept) =>
                    {
                        self.effects.push(Effect::Keep { call: call.clone(), validator });
                        self.put(children, Stage::Keeping(index));
                    }
                    _ => self.read_from(children, index + 1),
                }
            }
        }
        Ok(())
    }

    /// Goes on after a failure that the step is allowed.
    pub(super) fn after_failure(&mut self, call: &CallId) {
        let at = self.top().at.clone();
        match at {
            At::Children(children) => {
                match children.tasks.iter().position(|task| task.call == *call) {
                    Some(index) if matches!(children.stage, Stage::Reading(_)) => {
                        self.read_from(children, index + 1);
                    }
                    Some(_) | None => self.advance(),
                }
            }
            At::Guarding { .. } | At::Computing(_) | At::Until(_) | At::Under(_) => self.advance(),
        }
    }
}

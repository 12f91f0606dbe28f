//! What follows from what was found out: another cycle, a diagnosis, a fix, or the end.

use super::at::At;
use super::machine::{Move, Next};
use super::{Checked, Ending, Learned, Verified};
use crate::plan::Tree;
use crate::{CallId, Done, Refusal, SnapReason, What};

impl Move<'_> {
    /// The next cycle begins, on a tree that was just looked at.
    pub(super) fn next_cycle(mut self, tree: Tree) -> Next {
        self.run.cycle += 1;
        self.check(tree, 1)
    }

    /// Something of ours was computed: the check's output, a diagnosis, the bounds of a fix.
    pub(super) fn computed(
        mut self,
        what: &What,
        computed: &CallId,
        done: &Done,
    ) -> Result<Next, Refusal> {
        let (At::Reading(call, _) | At::Interpreting(call, _) | At::Weighing { call, .. }) =
            &self.run.at
        else {
            return Err(self.refuse(what));
        };
        if call != computed {
            return Err(self.refuse(what));
        }
        let learned = match done {
            Done::Failed(failure) => return Ok(self.fail(computed.clone(), failure.clone())),
            Done::Gave { facts, .. } => facts.iter().find_map(Learned::of),
        };
        match (self.run.at.clone(), learned) {
            (At::Reading(call, tree), Some(Learned::Checked(checked))) => {
                let checked = checked.clone();
                let cycle = self.run.cycle;
                let past = Verified { cycle, tree: tree.id.clone(), checked: checked.clone() };
                self.run.past.push(past);
                let snapshot = self.snap(SnapReason::After);
                Ok(self.go(At::Proving { call, tree, checked, snapshot }))
            }
            (At::Interpreting(_, tree), Some(Learned::Diagnosed)) => Ok(self.fix(tree, 1, 1)),
            (At::Weighing { call, tree, left }, Some(Learned::Weighed { refused })) => {
                Ok(self.weighed(&call, tree, left, *refused))
            }
            // Two closed enums: what no row above takes is out of order.
            (
                At::Securing { .. }
                | At::Checking(..)
                | At::Reading(..)
                | At::Proving { .. }
                | At::Diagnosing(..)
                | At::Comparing { .. }
                | At::Settling { .. }
                | At::Interpreting(..)
                | At::Fixing(..)
                | At::Measuring { .. }
                | At::Weighing { .. }
                | At::Salvaging { .. }
                | At::Restoring { .. },
                Some(Learned::Checked(_) | Learned::Diagnosed | Learned::Weighed { .. }) | None,
            ) => Err(self.refuse(what)),
        }
    }

    /// The check was read, and the tree after it is known.
    pub(super) fn decide(self, checked: Checked, before: &Tree, after: Tree) -> Next {
        let is_last = self.run.cycle >= self.policy.max_cycles.get();
        let is_proven = before.id == after.id;
        match checked {
            Checked::Environment => self.end(Ending::Environment),
            Checked::NothingRan if !self.policy.allow_empty => self.end(Ending::NothingVerified),
            Checked::Passed | Checked::NothingRan => {
                if is_proven {
                    let cycles = self.run.cycle;
                    self.end(Ending::GoalMet { cycles })
                } else if is_last {
                    self.end(Ending::MaxCycles)
                } else {
                    self.next_cycle(after)
                }
            }
            Checked::Failed { signature } => {
                let times = self.run.times(&signature);
                if times >= self.policy.same_failure.get() {
                    self.end(Ending::SameFailure { signature, times })
                } else if is_last {
                    self.end(Ending::MaxCycles)
                } else {
                    self.diagnose(after, 1, 1)
                }
            }
        }
    }
}

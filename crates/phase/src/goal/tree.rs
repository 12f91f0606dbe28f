//! The tree before and after what a cycle starts (D24, D43).

use super::at::{At, Due, Then};
use super::machine::{Move, Next};
use crate::plan::Tree;
use crate::{
    CallId, Effect, Failure, Fault, Heard, Refusal, Saying, SnapReason, SnapshotId, TreeId, What,
};

impl Move<'_> {
    pub(super) fn snapped(
        mut self,
        what: &What,
        snapped: SnapshotId,
        id: &TreeId,
    ) -> Result<Next, Refusal> {
        let now = Tree { snapshot: snapped, id: id.clone() };
        match self.run.at.clone() {
            At::Securing { snapshot, due } if snapshot == snapped => Ok(match due {
                Due::Check { attempt } => self.check(now, attempt),
                Due::Diagnose { turn, attempt } => self.diagnose(now, turn, attempt),
            }),
            At::Proving { tree, checked, snapshot, .. } if snapshot == snapped => {
                Ok(self.decide(checked, &tree, now))
            }
            At::Comparing { call, heard, tree, snapshot } if snapshot == snapped => {
                if now.id == tree.id {
                    return Ok(self.diagnosed(call, &heard, tree));
                }
                let snapshot = self.snap(SnapReason::Still);
                Ok(self.go(At::Settling { call, heard, tree, left: now, snapshot }))
            }
            At::Settling { call, heard, tree, left, snapshot } if snapshot == snapped => {
                Ok(self.settled(call, &heard, tree, &left, now))
            }
            At::Measuring { call, tree, snapshot } if snapshot == snapped => {
                self.compute(&call);
                Ok(self.go(At::Weighing { call, tree, left: now }))
            }
            At::Salvaging { call, tree, snapshot, then } if snapshot == snapped => {
                if now.id != tree.id && !self.policy.keep_tree {
                    let kept = snapped;
                    self.effects.push(Effect::Say(Saying::WriteUndone { call, kept }));
                }
                Ok(self.put_back(tree, now, then))
            }
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
            | At::Restoring { .. } => Err(self.refuse(what)),
        }
    }

    /// The diagnostician left the tree alone.
    fn diagnosed(mut self, call: CallId, heard: &Heard, tree: Tree) -> Next {
        match heard {
            Heard::Said(_) => {
                self.compute(&call);
                self.go(At::Interpreting(call, tree))
            }
            Heard::Fault(fault) => {
                self.fail(call, Failure::Agent { fault: fault.clone(), kept: None })
            }
        }
    }

    /// The diagnostician left the tree changed. If it moves on by itself the user is editing; else
    /// the diagnostician did it: its answer is void, and it is asked once more.
    fn settled(mut self, call: CallId, heard: &Heard, tree: Tree, left: &Tree, now: Tree) -> Next {
        if now.id != left.id {
            let snapshot = now.snapshot;
            self.effects.push(Effect::Say(Saying::TreeMovedByUser { snapshot }));
            return self.diagnosed(call, heard, now);
        }
        let again = call.turn == 1;
        let kept = left.snapshot;
        let calls = vec![call.clone()];
        self.effects.push(Effect::Say(Saying::WroteInReadOnlyRole { calls, kept, again }));
        let then = if again {
            Then::DiagnoseAgain
        } else {
            let fault = Fault::WroteInReadOnlyRole;
            Then::Fail(call, Failure::Agent { fault, kept: Some(kept) })
        };
        self.put_back(tree, now, then)
    }

    /// Puts the tree back, unless it never may be or need not.
    pub(super) fn put_back(mut self, tree: Tree, now: Tree, then: Then) -> Next {
        if self.policy.keep_tree {
            return self.follow(now, then);
        }
        if now.id == tree.id {
            return self.follow(tree, then);
        }
        self.effects.push(Effect::Restore(tree.snapshot));
        self.go(At::Restoring { tree, then })
    }

    pub(super) fn restored(self, what: &What, restored: SnapshotId) -> Result<Next, Refusal> {
        match self.run.at.clone() {
            At::Restoring { tree, then } if tree.snapshot == restored => {
                Ok(self.follow(tree, then))
            }
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
            | At::Restoring { .. } => Err(self.refuse(what)),
        }
    }

    fn follow(self, tree: Tree, then: Then) -> Next {
        match then {
            Then::DiagnoseAgain => self.diagnose(tree, 2, 1),
            Then::Fix { turn, attempt } => self.fix(tree, turn, attempt),
            Then::Check => self.next_cycle(tree),
            Then::Fail(call, failure) => self.fail(call, failure),
        }
    }
}

//! The tree before and after children: what they may not change, and the way back (D12, D43).

use super::definition::Work;
use super::machine::Move;
use super::task::{Children, Stage, Task, TaskProgress, Then, Tree, Wave};
use crate::{
    Access, Effect, Fact, Fault, Heard, Refusal, Role, Saying, SnapReason, SnapshotId, TreeId, What,
};

impl Move<'_> {
    pub(super) fn snapped(
        &mut self,
        what: &What,
        children: Children,
        snapshot: SnapshotId,
        tree: &TreeId,
    ) -> Result<(), Refusal> {
        let now = Tree { snapshot, id: tree.clone() };
        match children.stage.clone() {
            Stage::Securing(awaited) if awaited == snapshot => self.secured(children, now),
            Stage::Comparing { before, after } if after == snapshot => {
                let may_write = children.tasks.iter().any(|task| task.access == Access::Write);
                if may_write || before.id == now.id {
                    self.wave_over(children, now);
                } else {
                    let still = self.snap(SnapReason::Still);
                    self.put(children, Stage::Settling { before, left: now, still });
                }
            }
            Stage::Settling { before, left, still } if still == snapshot => {
                if left.id == now.id {
                    self.wrote_in_read_only_role(children, before, &left);
                } else {
                    self.effects.push(Effect::Say(Saying::TreeMovedByUser { snapshot }));
                    self.wave_over(children, now);
                }
            }
            Stage::Salvaging { before, left, then } if left == snapshot => {
                let call = match children.tasks.iter().find(|task| task.access == Access::Write) {
                    Some(task) => task.call.clone(),
                    None => return Err(self.refuse(what)),
                };
                self.put_back(children, before, then, Saying::WriteUndone { call, kept: left });
            }
            Stage::Securing(_)
            | Stage::Comparing { .. }
            | Stage::Settling { .. }
            | Stage::Salvaging { .. }
            | Stage::Asking(_)
            | Stage::Restoring { .. }
            | Stage::Reading(_)
            | Stage::Keeping(_) => return Err(self.refuse(what)),
        }
        Ok(())
    }

    /// The tree is secured: a fixer's start is a fact of the cycle, checked before it is paid for.
    fn secured(&mut self, children: Children, now: Tree) {
        let waiting = |task: &&Task| task.progress == TaskProgress::Waiting;
        for task in children.tasks.iter().filter(waiting) {
            if let Work::Ask { role: Role::Fixer, .. } = self.work_of(task) {
                let turn = task.call.turn;
                let facts = [Fact::Snapped(now.snapshot), Fact::FixerLaunched { turn }];
                if !self.admit(&task.call.clone(), &facts) {
                    return;
                }
            }
        }
        self.launch(children, now);
    }

    fn wrote_in_read_only_role(&mut self, mut children: Children, before: Tree, left: &Tree) {
        let mut calls = Vec::new();
        for index in 0..children.tasks.len() {
            if children.is_in_wave(index) {
                calls.push(children.tasks[index].call.clone());
            }
        }
        let (kept, again) = (left.snapshot, children.wave == Wave::All);
        let saying = Saying::WroteInReadOnlyRole { calls, kept, again };
        let then = match children.wave {
            Wave::All => Then::Alone,
            Wave::Alone(one) => {
                let fault = Fault::WroteInReadOnlyRole;
                children.tasks[one].progress = TaskProgress::Heard(Heard::Fault(fault));
                Then::Over
            }
        };
        // With `--keep-tree` the changed tree is what the next call is measured against.
        let base = if self.plan.keep_tree { left.clone() } else { before };
        self.put_back(children, base, then, saying);
    }

    /// Puts the tree back and says so afterwards: what could not be put back is never told as done.
    fn put_back(&mut self, children: Children, to: Tree, then: Then, saying: Saying) {
        if self.plan.keep_tree {
            self.effects.push(Effect::Say(saying));
            self.follow(children, to, then);
        } else {
            self.effects.extend([Effect::Restore(to.snapshot), Effect::Say(saying)]);
            self.put(children, Stage::Restoring { before: to, then });
        }
    }

    pub(super) fn restored(
        &mut self,
        what: &What,
        children: Children,
        snapshot: SnapshotId,
    ) -> Result<(), Refusal> {
        match children.stage.clone() {
            Stage::Restoring { before, then } if before.snapshot == snapshot => {
                self.follow(children, before, then);
                Ok(())
            }
            _ => Err(self.refuse(what)),
        }
    }

    fn follow(&mut self, mut children: Children, now: Tree, then: Then) {
        match then {
            Then::Again => self.launch(children, now),
            Then::Alone => {
                for index in 0..children.tasks.len() {
                    let step = &self.steps_here()[children.tasks[index].step];
                    children.tasks[index].call = self.take_call(step);
                    children.tasks[index].progress = TaskProgress::Waiting;
                }
                children.wave = Wave::Alone(0);
                self.launch(children, now);
            }
            Then::Over => self.wave_over(children, now),
            Then::Fail(call, failure) => self.fail(call, failure),
        }
    }

    pub(super) fn wave_over(&mut self, mut children: Children, now: Tree) {
        match children.wave {
            Wave::Alone(one) if one + 1 < children.tasks.len() => {
                children.wave = Wave::Alone(one + 1);
                self.launch(children, now);
            }
            Wave::All | Wave::Alone(_) => self.read_from(children, 0),
        }
    }
}

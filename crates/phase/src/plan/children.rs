//! Calls that start children, and the tree before and after them (D12, D43).

use super::definition::Work;
use super::machine::Move;
use super::state::{At, Children, Stage, Task, TaskProgress, Then, Tree, Wave};
use crate::{
    Access, CallId, Done, Effect, Fact, Failure, Fault, Heard, Native, Refusal, Role, Saying,
    SnapReason, SnapshotId, TreeId, What,
};

impl Stage {
    /// What it waits for, in words.
    pub(super) fn awaited(&self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Securing(_)
            | Self::Comparing { .. }
            | Self::Settling { .. }
            | Self::Salvaging { .. } => ("a run that takes a snapshot", &["snapped"]),
            Self::Asking(_) => {
                ("a run whose children are at work", &["launched", "replied", "ran"])
            }
            Self::Restoring { .. } => ("a run that puts the tree back", &["restored"]),
            Self::Reading(_) => ("a run that reads a reply", &["computed"]),
            Self::Keeping(_) => ("a run that keeps a reply", &["kept"]),
        }
    }
}

impl Move<'_> {
    pub(super) fn start_children(&mut self, going: &[usize]) {
        let steps = self.steps_here();
        let mut tasks = Vec::new();
        for index in going {
            let step = &steps[*index];
            // The loader lets only agents and commands into a group.
            let access = step.work.access().unwrap_or(Access::ReadOnly);
            let call = self.take_call(step);
            tasks.push(Task { step: *index, call, access, progress: TaskProgress::Waiting });
        }
        let snapshot = self.snap(SnapReason::Before);
        let stage = Stage::Securing(snapshot);
        self.top_mut().at = At::Children(Children { tasks, wave: Wave::All, stage });
    }

    fn snap(&mut self, why: SnapReason) -> SnapshotId {
        let snapshot = self.next_snapshot();
        self.effects.push(Effect::Snap { snapshot, why });
        snapshot
    }

    fn work_of(&self, task: &Task) -> Work {
        self.steps_here()[task.step].work
    }

    pub(super) fn child_event(&mut self, what: &What) -> Result<(), Refusal> {
        let At::Children(children) = self.top().at.clone() else {
            return Err(self.refuse(what));
        };
        match what {
            What::Launched { call, attempt, .. } => self.launched(what, children, call, *attempt),
            What::Replied { call, heard, .. } => {
                let progress = TaskProgress::Heard(heard.clone());
                self.ended(what, children, call, progress)
            }
            What::Ran { call, exit, .. } => {
                self.ended(what, children, call, TaskProgress::Exited(*exit))
            }
            What::Snapped { snapshot, tree } => self.snapped(what, children, *snapshot, tree),
            What::Restored { snapshot } => self.restored(what, children, *snapshot),
            What::Computed { call, done } => self.read(what, children, call, done),
            What::Kept { call, .. } => match children.stage {
                Stage::Keeping(index) if children.tasks[index].call == *call => {
                    self.read_from(children, index + 1);
                    Ok(())
                }
                _ => Err(self.refuse(what)),
            },
            What::Began
            | What::Resumed
            | What::Guarded { .. }
            | What::TimerFired { .. }
            | What::Interrupted { .. } => Err(self.refuse(what)),
        }
    }

    fn put(&mut self, children: Children, stage: Stage) {
        self.top_mut().at = At::Children(Children { stage, ..children });
    }

    fn launched(
        &mut self,
        what: &What,
        mut children: Children,
        call: &CallId,
        attempt: u32,
    ) -> Result<(), Refusal> {
        let Stage::Asking(before) = children.stage.clone() else { return Err(self.refuse(what)) };
        let asked = TaskProgress::Asked { attempt };
        let Some(task) = children.tasks.iter_mut().find(|task| task.call == *call) else {
            return Err(self.refuse(what));
        };
        if task.progress != asked {
            return Err(self.refuse(what));
        }
        task.progress = TaskProgress::Launched { attempt };
        self.put(children, Stage::Asking(before));
        Ok(())
    }

    fn ended(
        &mut self,
        what: &What,
        mut children: Children,
        call: &CallId,
        progress: TaskProgress,
    ) -> Result<(), Refusal> {
        let Stage::Asking(before) = children.stage.clone() else { return Err(self.refuse(what)) };
        let Some(task) = children.tasks.iter_mut().find(|task| task.call == *call) else {
            return Err(self.refuse(what));
        };
        if !matches!(task.progress, TaskProgress::Launched { .. }) {
            return Err(self.refuse(what));
        }
        task.progress = progress;
        if let (Access::Write, TaskProgress::Heard(Heard::Fault(fault))) =
            (task.access, &task.progress)
            && *fault != Fault::NotStarted
        {
            let left = self.snap(SnapReason::Left);
            let failure = Failure::Agent { fault: fault.clone(), kept: Some(left) };
            let then = Then::Fail(call.clone(), failure);
            self.put(children, Stage::Salvaging { before, left, then });
        } else if children.open().next().is_some() {
            self.put(children, Stage::Asking(before));
        } else {
            let after = self.snap(SnapReason::After);
            self.put(children, Stage::Comparing { before, after });
        }
        Ok(())
    }

    fn snapped(
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
                self.effects.push(Effect::Say(Saying::WriteUndone { call, kept: left }));
                self.put_back(children, before, then);
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
        for task in &children.tasks {
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

    /// Launches every call of the wave that has not ended, its next attempt.
    pub(super) fn launch(&mut self, mut children: Children, before: Tree) {
        for index in 0..children.tasks.len() {
            if !children.is_in_wave(index) {
                continue;
            }
            let attempt = match children.tasks[index].progress {
                TaskProgress::Waiting => 1,
                // Recorded before the spawn: without that record no child was started.
                TaskProgress::Asked { attempt } => attempt,
                TaskProgress::Launched { attempt } => attempt + 1,
                TaskProgress::Heard(_) | TaskProgress::Exited(_) => continue,
            };
            children.tasks[index].progress = TaskProgress::Asked { attempt };
            let task = &children.tasks[index];
            let call = task.call.clone();
            self.effects.push(match self.work_of(task) {
                Work::Ask { role, access } => Effect::Ask { call, attempt, role, access },
                Work::Run { .. } | Work::Native { .. } | Work::Recurse => {
                    Effect::Run { call, attempt }
                }
            });
        }
        self.put(children, Stage::Asking(before));
    }

    fn wrote_in_read_only_role(&mut self, mut children: Children, before: Tree, left: &Tree) {
        let mut calls = Vec::new();
        for index in 0..children.tasks.len() {
            if children.is_in_wave(index) {
                calls.push(children.tasks[index].call.clone());
            }
        }
        self.effects.push(Effect::Say(Saying::WroteInReadOnlyRole { calls, kept: left.snapshot }));
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
        self.put_back(children, base, then);
    }

    fn put_back(&mut self, children: Children, to: Tree, then: Then) {
        if self.plan.keep_tree {
            self.follow(children, to, then);
        } else {
            self.effects.push(Effect::Restore(to.snapshot));
            self.put(children, Stage::Restoring { before: to, then });
        }
    }

    fn restored(
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

    fn wave_over(&mut self, mut children: Children, now: Tree) {
        match children.wave {
            Wave::Alone(one) if one + 1 < children.tasks.len() => {
                children.wave = Wave::Alone(one + 1);
                self.launch(children, now);
            }
            Wave::All | Wave::Alone(_) => self.read_from(children, 0),
        }
    }

    /// Reads the replies from this one on; ends when the first needs something done.
    fn read_from(&mut self, children: Children, from: usize) {
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

    fn read(
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
                let kept = facts.iter().find_map(|fact| match fact {
                    Fact::Balloted { validator, ballot } if ballot.is_kept() => Some(*validator),
                    _ => None,
                });
                match kept {
                    Some(validator) => {
                        self.effects.push(Effect::Keep { call: call.clone(), validator });
                        self.put(children, Stage::Keeping(index));
                    }
                    None => self.read_from(children, index + 1),
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

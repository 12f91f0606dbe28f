//! Calls that start children, and the tree before and after them (D12, D43).

use super::definition::Work;
use super::machine::Move;
use super::state::At;
use super::task::{Children, Stage, Task, TaskProgress, Then, Tree, Wave};
use crate::{Access, CallId, Effect, Failure, Refusal, SnapReason, SnapshotId, What};

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

    pub(super) fn snap(&mut self, why: SnapReason) -> SnapshotId {
        let snapshot = self.next_snapshot();
        self.effects.push(Effect::Snap { snapshot, why });
        snapshot
    }

    pub(super) fn work_of(&self, task: &Task) -> Work {
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
            | What::Interrupted { .. }
            | What::Asked(_)
            | What::Compared { .. } => Err(self.refuse(what)),
        }
    }

    pub(super) fn put(&mut self, children: Children, stage: Stage) {
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
        let fits = matches!(
            (self.work_of(task), &progress),
            (Work::Ask { .. }, TaskProgress::Heard(_))
                | (Work::Run { .. }, TaskProgress::Exited(_))
        );
        if !fits || !matches!(task.progress, TaskProgress::Launched { .. }) {
            return Err(self.refuse(what));
        }
        task.progress = progress;
        if children.open().next().is_some() {
            self.put(children, Stage::Asking(before));
        } else if let Some((call, fault)) = children.failed_write() {
            let left = self.snap(SnapReason::Left);
            let failure = Failure::Agent { fault, kept: Some(left) };
            self.put(children, Stage::Salvaging { before, left, then: Then::Fail(call, failure) });
        } else {
            let after = self.snap(SnapReason::After);
            self.put(children, Stage::Comparing { before, after });
        }
        Ok(())
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
}

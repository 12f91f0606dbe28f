//! The part of the tale that is about children: asked at once, and the tree looked at before and after.

use tribunal_phase::plan::{Step, Work};
use tribunal_phase::{
    Access, CallId, Done, Effect, Fact, Failure, Fault, Heard, Native, Role, Saying, SnapReason,
    What,
};

use crate::told::{Offer, Stop, Tale, Teller, Tree};

/// What a call has come to.
#[derive(Clone, PartialEq)]
enum Progress {
    Waiting,
    Asked(u32),
    Launched(u32),
    Heard(Heard),
    Exited(Option<i32>),
}

struct Task<'a> {
    step: &'a Step,
    call: CallId,
    progress: Progress,
}

impl Task<'_> {
    fn writes(&self) -> bool {
        self.step.work.access() == Some(Access::Write)
    }

    fn is_open(&self) -> bool {
        matches!(self.progress, Progress::Waiting | Progress::Asked(_) | Progress::Launched(_))
    }

    /// A write call that ran and did not end well.
    fn mess(&self) -> Option<(CallId, Fault)> {
        match &self.progress {
            Progress::Heard(Heard::Fault(fault))
                if self.writes() && *fault != Fault::NotStarted =>
            {
                Some((self.call.clone(), fault.clone()))
            }
            _ => None,
        }
    }
}

/// How some calls ended that ran at once.
enum Wave {
    Over,
    /// They changed a tree that they may not change.
    Void,
    /// A write call failed, and may.
    Failed,
}

impl<'a> Teller<'a> {
    pub(crate) fn children(&mut self, going: &[&'a Step]) -> Tale<()> {
        let mut tasks: Vec<Task<'a>> = going
            .iter()
            .map(|step| Task { step, call: self.take_call(step), progress: Progress::Waiting })
            .collect();
        let all: Vec<usize> = (0..tasks.len()).collect();
        let mut before = self.secure(&tasks, &all)?;
        match self.wave(&mut tasks, &all, true, &mut before)? {
            Wave::Failed => return Ok(()),
            Wave::Over => {}
            Wave::Void => {
                for task in &mut tasks {
                    task.call = self.take_call(task.step);
                    task.progress = Progress::Waiting;
                }
                for index in all {
                    if let Wave::Void = self.wave(&mut tasks, &[index], false, &mut before)? {
                        let fault = Fault::WroteInReadOnlyRole;
                        tasks[index].progress = Progress::Heard(Heard::Fault(fault));
                    }
                }
            }
        }
        tasks.iter().try_for_each(|task| self.read(task))
    }

    /// The snapshot before children; a fixer's start is a fact.
    fn secure(&mut self, tasks: &[Task<'_>], wave: &[usize]) -> Tale<Tree> {
        let before = self.snap(SnapReason::Before, &open(tasks, wave))?;
        for task in tasks.iter().filter(|task| task.progress == Progress::Waiting) {
            if let Work::Ask { role: Role::Fixer, .. } = task.step.work {
                let turn = task.call.turn;
                let facts = [Fact::Snapped(before.snapshot), Fact::FixerLaunched { turn }];
                self.admit(&task.call, &facts)?;
            }
        }
        Ok(before)
    }

    fn launch(&mut self, tasks: &mut [Task<'_>], wave: &[usize]) {
        for index in wave {
            let task = &mut tasks[*index];
            let attempt = match task.progress {
                Progress::Waiting => 1,
                Progress::Asked(attempt) => attempt,
                Progress::Launched(attempt) => attempt + 1,
                Progress::Heard(_) | Progress::Exited(_) => continue,
            };
            task.progress = Progress::Asked(attempt);
            let call = task.call.clone();
            self.effects.push(match task.step.work {
                Work::Ask { role, access } => Effect::Ask { call, attempt, role, access },
                _ => Effect::Run { call, attempt },
            });
        }
    }

    /// Some of the calls run to their end; what they may not have changed is put back.
    fn wave(
        &mut self,
        tasks: &mut [Task<'_>],
        wave: &[usize],
        again: bool,
        before: &mut Tree,
    ) -> Tale<Wave> {
        self.launch(tasks, wave);
        while !open(tasks, wave).is_empty() {
            self.one_event(tasks, wave, before)?;
        }
        if let Some((call, fault)) = tasks.iter().find_map(Task::mess) {
            let left = self.snap(SnapReason::Left, &[])?.snapshot;
            self.put_back(before, undone(tasks, left), &[])?;
            self.fail(&call, Failure::Agent { fault, kept: Some(left) })?;
            return Ok(Wave::Failed);
        }
        let after = self.snap(SnapReason::After, &[])?;
        if tasks.iter().any(Task::writes) || after.id == before.id {
            *before = after;
            return Ok(Wave::Over);
        }
        let still = self.snap(SnapReason::Still, &[])?;
        if still.id != after.id {
            let snapshot = still.snapshot;
            self.effects.push(Effect::Say(Saying::TreeMovedByUser { snapshot }));
            *before = still;
            return Ok(Wave::Over);
        }
        let calls = wave.iter().map(|index| tasks[*index].call.clone()).collect();
        let saying = Saying::WroteInReadOnlyRole { calls, kept: after.snapshot, again };
        if self.plan.keep_tree {
            *before = after;
        }
        self.put_back(before, saying, &[])?;
        Ok(Wave::Void)
    }

    /// One thing that happens while children run.
    fn one_event(&mut self, tasks: &mut [Task<'_>], wave: &[usize], before: &mut Tree) -> Tale<()> {
        let Some(what) = self.history.next() else {
            let offers = tasks.iter().filter_map(|task| match (&task.progress, task.step.work) {
                (Progress::Asked(attempt), _) => Some(Offer::Launch(task.call.clone(), *attempt)),
                (Progress::Launched(_), Work::Ask { .. }) => Some(Offer::Reply(task.call.clone())),
                (Progress::Launched(_), _) => Some(Offer::Exit(task.call.clone())),
                _ => None,
            });
            let offers = offers.collect();
            return Err(self.waits(offers));
        };
        if self.goes_on_after(what, &open(tasks, wave))? {
            return self.go_on(tasks, wave, before);
        }
        let (call, next) = match what {
            What::Launched { call, attempt, .. } => (call, Progress::Launched(*attempt)),
            What::Replied { call, heard, .. } => (call, Progress::Heard(heard.clone())),
            What::Ran { call, exit, .. } => (call, Progress::Exited(*exit)),
            _ => return Err(Stop::Refused),
        };
        let task = tasks.iter_mut().find(|task| task.call == *call).ok_or(Stop::Refused)?;
        let fits = match (&task.progress, &next, task.step.work) {
            (Progress::Asked(asked), Progress::Launched(attempt), _) => asked == attempt,
            (Progress::Launched(_), Progress::Heard(_), Work::Ask { .. })
            | (Progress::Launched(_), Progress::Exited(_), Work::Run { .. }) => true,
            _ => false,
        };
        if !fits {
            return Err(Stop::Refused);
        }
        task.progress = next;
        Ok(())
    }

    /// After a pause or crash the open calls are asked again: measured against the tree as it is now
    /// where none of them may write; on the tree from before where one may have.
    fn go_on(&mut self, tasks: &mut [Task<'_>], wave: &[usize], before: &mut Tree) -> Tale<()> {
        let calls = open(tasks, wave);
        let is_open = |task: &&Task<'_>| calls.contains(&task.call);
        let writes = tasks.iter().filter(is_open).any(Task::writes);
        let is_launched =
            tasks.iter().filter(is_open).any(|task| matches!(task.progress, Progress::Launched(_)));
        if tasks.iter().any(|task| task.mess().is_some()) {
            // What it left is put back when all have ended.
        } else if !writes {
            *before = self.secure(tasks, wave)?;
        } else if is_launched {
            let left = self.snap(SnapReason::Left, &calls)?.snapshot;
            self.put_back(before, undone(tasks, left), &calls)?;
        }
        self.launch(tasks, wave);
        Ok(())
    }

    /// One reply, read by the contract of its role.
    fn read(&mut self, task: &Task<'_>) -> Tale<()> {
        let (call, work) = (&task.call, task.step.work);
        match (&task.progress, work) {
            (Progress::Heard(Heard::Fault(fault)), Work::Ask { role, .. }) => {
                let votes = matches!(role, Role::Validator(_)) && *fault != Fault::NotStarted;
                if !votes {
                    return self.fail(call, Failure::Agent { fault: fault.clone(), kept: None });
                }
            }
            (Progress::Exited(exit), _) if *exit != Some(0) => {
                return self.fail(call, Failure::Command(*exit));
            }
            _ => {}
        }
        let Work::Ask { role, .. } = work else { return Ok(()) };
        let Some(contract) = role.contract() else { return Ok(()) };
        match self.computed(call, Native::Read(contract))? {
            Done::Failed(failure) => self.fail(call, failure),
            Done::Gave { facts, .. } => {
                self.admit(call, &facts)?;
                let is_kept =
                    |fact: &Fact| matches!(fact, Fact::Balloted { ballot, .. } if ballot.is_kept());
                match role {
                    Role::Validator(position) if facts.iter().any(is_kept) => {
                        self.keep(call, position)
                    }
                    _ => Ok(()),
                }
            }
        }
    }
}

/// The calls of a wave that have not ended.
fn open(tasks: &[Task<'_>], wave: &[usize]) -> Vec<CallId> {
    let tasks = wave.iter().map(|index| &tasks[*index]);
    tasks.filter(|task| task.is_open()).map(|task| task.call.clone()).collect()
}

fn undone(tasks: &[Task<'_>], kept: tribunal_phase::SnapshotId) -> Saying {
    let writer = tasks.iter().find(|task| task.writes()).expect("only a write call is undone");
    Saying::WriteUndone { call: writer.call.clone(), kept }
}

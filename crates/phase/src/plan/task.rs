//! Calls that run at once, and the tree around them.

use crate::{Access, CallId, Failure, Fault, Heard, SnapshotId, TreeId};

/// Calls that run at once, and what is looked at before and after them.
#[derive(Debug, Clone, PartialEq)]
pub struct Children {
    /// The calls.
    pub tasks: Vec<Task>,
    /// Which of them run now.
    pub wave: Wave,
    /// What is waited for.
    pub stage: Stage,
}

/// Which calls of a group run now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wave {
    /// All of them.
    All,
    /// One alone, because the group as a whole changed the tree although it may not (D43).
    Alone(usize),
}

/// What a group of calls waits for.
#[derive(Debug, Clone, PartialEq)]
pub enum Stage {
    /// The snapshot before the children start.
    Securing(SnapshotId),
    /// The children.
    Asking(Tree),
    /// The snapshot after them.
    Comparing {
        /// The tree before them.
        before: Tree,
        /// The snapshot asked for.
        after: SnapshotId,
    },
    /// A second look at a tree that read-only children left changed.
    Settling {
        /// The tree before them.
        before: Tree,
        /// The tree they left.
        left: Tree,
        /// The snapshot asked for.
        still: SnapshotId,
    },
    /// The snapshot of what a write call left that did not end well.
    Salvaging {
        /// The tree before it.
        before: Tree,
        /// The snapshot asked for.
        left: SnapshotId,
        /// What follows.
        then: Then,
    },
    /// The tree is put back.
    Restoring {
        /// To what.
        before: Tree,
        /// What follows.
        then: Then,
    },
    /// The replies are read, one after another.
    Reading(usize),
    /// A raw reply is kept.
    Keeping(usize),
}

/// A state of the tree and the snapshot that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The snapshot.
    pub snapshot: SnapshotId,
    /// Its content.
    pub id: TreeId,
}

/// What follows once the tree is put back.
#[derive(Debug, Clone, PartialEq)]
pub enum Then {
    /// The same calls are launched again.
    Again,
    /// Each call is asked again, alone.
    Alone,
    /// The wave is over.
    Over,
    /// The run fails.
    Fail(CallId, Failure),
}

/// One call of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Index of its step at this spot.
    pub step: usize,
    /// The call.
    pub call: CallId,
    /// What it may touch.
    pub access: Access,
    /// How far it is.
    pub progress: TaskProgress,
}

/// How far a call is.
#[derive(Debug, Clone, PartialEq)]
pub enum TaskProgress {
    /// Not started.
    Waiting,
    /// About to be launched.
    Asked {
        /// Launches of this call, from 1.
        attempt: u32,
    },
    /// Its child runs.
    Launched {
        /// Launches of this call, from 1.
        attempt: u32,
    },
    /// Its agent has ended.
    Heard(Heard),
    /// Its command has ended.
    Exited(Option<i32>),
}

impl Children {
    /// The calls that run, or are about to, and have not ended.
    pub fn open(&self) -> impl Iterator<Item = &Task> {
        self.tasks
            .iter()
            .enumerate()
            .filter(|(index, task)| {
                self.is_in_wave(*index)
                    && matches!(
                        task.progress,
                        TaskProgress::Waiting
                            | TaskProgress::Asked { .. }
                            | TaskProgress::Launched { .. }
                    )
            })
            .map(|(_, task)| task)
    }

    /// The write call that began and did not end well, and why.
    pub(super) fn failed_write(&self) -> Option<(CallId, Fault)> {
        self.tasks.iter().find_map(|task| match (task.access, &task.progress) {
            (Access::Write, TaskProgress::Heard(Heard::Fault(fault)))
                if *fault != Fault::NotStarted =>
            {
                Some((task.call.clone(), fault.clone()))
            }
            _ => None,
        })
    }

    /// Whether the task of this index runs in the present wave.
    pub fn is_in_wave(&self, index: usize) -> bool {
        match self.wave {
            Wave::All => true,
            Wave::Alone(one) => one == index,
        }
    }
}

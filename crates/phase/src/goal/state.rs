//! What the goal loop remembers.

use super::{At, Checked, Ending};
use crate::{ArtifactId, Pause, TreeId};

/// The state of a goal loop.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// Nothing has happened yet.
    Unborn,
    /// Something is under way.
    Running(Run),
    /// It waits to be resumed.
    Paused(Run, Pause),
    /// It has ended for good.
    Settled(Run, Ending),
}

impl State {
    /// What the loop remembers, once it has begun.
    pub fn run(&self) -> Option<&Run> {
        match self {
            Self::Unborn => None,
            Self::Running(run) | Self::Paused(run, _) | Self::Settled(run, _) => Some(run),
        }
    }

    /// How it ended, if it has.
    pub fn ending(&self) -> Option<&Ending> {
        match self {
            Self::Settled(_, ending) => Some(ending),
            Self::Unborn | Self::Running(_) | Self::Paused(..) => None,
        }
    }
}

/// A goal loop under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The present cycle, from 1.
    pub cycle: u32,
    /// The checks that have been read, in order.
    pub past: Vec<Verified>,
    /// Snapshots taken so far.
    pub snapshots: u32,
    /// What it is doing.
    pub at: At,
}

/// A check that has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Its cycle.
    pub cycle: u32,
    /// The tree that it looked at.
    pub tree: TreeId,
    /// What it said.
    pub checked: Checked,
}

impl Run {
    /// How often this failure was seen.
    pub fn times(&self, signature: &ArtifactId) -> u32 {
        let same = self.past.iter().filter(|past| match &past.checked {
            Checked::Failed { signature: seen } => seen == signature,
            Checked::Passed | Checked::NothingRan | Checked::Environment => false,
        });
        u32::try_from(same.count()).unwrap_or(u32::MAX)
    }

    /// The cycles that failed on a tree that the check passed on as well: what failed there is flaky.
    pub fn flaky(&self) -> Vec<u32> {
        let passed: Vec<&TreeId> = self
            .past
            .iter()
            .filter(|past| past.checked == Checked::Passed)
            .map(|past| &past.tree)
            .collect();
        let failed = |past: &&Verified| matches!(past.checked, Checked::Failed { .. });
        let flaky = self.past.iter().filter(failed).filter(|past| passed.contains(&&past.tree));
        flaky.map(|past| past.cycle).collect()
    }
}

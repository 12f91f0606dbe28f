//! Proof that a fix is a fix: the check command before it, after it, and without it again.
//!
//! Everything is run in a scratch copy, on trees of the run's snapshots, when the run's steps are
//! over. Each result is a record, so that a run which is killed meanwhile goes on with what is due.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tribunal_check::{
    Answer, End, Printed, Reading, broken_units, failing_units, mended_units, read,
};
use tribunal_phase::Millis;
use tribunal_record::{Body, CheckedTree, Note, Record};
use tribunal_report as report;
use tribunal_verify::Share;

use crate::compute::Artifacts;
use crate::definition::Loaded;
use crate::error::RunError;
use crate::memory::Memory;
use crate::mended::{Mended, mended};
use crate::trail::Trail;

mod finding;
mod scratch;

pub(crate) use scratch::prove;

/// What a run's fixes are checked with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckOptions {
    /// The command, for bash, in the folder of the repository.
    pub command: String,
    /// How long one run of it may take; `None` for ever.
    pub timeout: Option<Millis>,
    /// Whether each fix is taken back alone, to see the check fail again.
    pub prove: bool,
    /// The most runs of the command that this may cost in all.
    pub prove_limit: u32,
}

/// The check of one tree.
struct Checked {
    cycle: u32,
    tree: CheckedTree,
    exit: Option<i32>,
    reading: Reading,
}

/// All that is known of a run's checks.
pub(crate) struct Proof<'a> {
    options: &'a CheckOptions,
    cycles: Vec<Mended>,
    checked: Vec<Checked>,
}

/// A tree that is to be checked.
pub(crate) struct Due {
    cycle: u32,
    tree: CheckedTree,
}

impl<'a> Proof<'a> {
    /// Reads what was recorded; nothing where no check command is set, or nothing was fixed.
    ///
    /// # Errors
    /// An output that was recorded cannot be read.
    pub(crate) fn of(
        loaded: &'a Loaded,
        memory: &Memory,
        records: &[Record],
        artifacts: &dyn Artifacts,
    ) -> Result<Option<Self>, RunError> {
        let Some(options) = &loaded.definition.check else { return Ok(None) };
        let trail = Trail::of(records, &loaded.plan);
        let mut cycles = mended(loaded, memory, &trail);
        cycles.retain(|cycle| trail.trees.get(&cycle.before) != trail.trees.get(&cycle.after));
        let mut checked = Vec::new();
        for record in records {
            let Body::Note(Note::Checked { cycle, tree, exit, output, folder }) = &record.body
            else {
                continue;
            };
            let bytes = artifacts.artifact(output)?;
            let end = exit.map_or(End::TimedOut, End::Exit);
            let reading = read(&Printed { bytes: &bytes, end, folder });
            let (cycle, tree, exit) = (*cycle, tree.clone(), *exit);
            checked.push(Checked { cycle, tree, exit, reading });
        }
        Ok((!cycles.is_empty()).then_some(Self { options, cycles, checked }))
    }

    fn reading(&self, cycle: u32, tree: &CheckedTree) -> Option<&Checked> {
        self.checked.iter().find(|checked| checked.cycle == cycle && checked.tree == *tree)
    }

    fn around(&self, cycle: u32) -> Option<(&Reading, &Reading)> {
        let before = self.reading(cycle, &CheckedTree::Before)?;
        Some((&before.reading, &self.reading(cycle, &CheckedTree::After)?.reading))
    }

    /// What the fixes of a cycle mended.
    fn mended(&self, cycle: u32) -> BTreeSet<String> {
        self.around(cycle).map(|(before, after)| mended_units(before, after)).unwrap_or_default()
    }

    /// Why nothing can be said.
    fn unusable(&self) -> Option<String> {
        let why = |checked: &Checked| match checked.exit {
            Some(126 | 127) => Some(format!(
                "the check command cannot be run: {}",
                checked.exit.map(|code| format!("exit {code}")).unwrap_or_default()
            )),
            Some(0) if checked.reading.answer == Answer::NothingRan => {
                Some("the check command looks at nothing".to_owned())
            }
            _ => None,
        };
        self.checked.iter().find_map(why)
    }

    /// The next tree to be checked; `None` when all is known, or nothing can be.
    pub(crate) fn due(&self) -> Option<Due> {
        if self.unusable().is_some() {
            return None;
        }
        let known = |cycle, tree: &CheckedTree| self.reading(cycle, tree).is_some();
        for cycle in &self.cycles {
            for tree in [CheckedTree::Before, CheckedTree::After] {
                if !known(cycle.cycle, &tree) {
                    return Some(Due { cycle: cycle.cycle, tree });
                }
            }
        }
        if !self.options.prove {
            return None;
        }
        let reverts = self.checked.iter().filter(|checked| is_revert(&checked.tree)).count();
        if reverts >= usize::try_from(self.options.prove_limit).unwrap_or(usize::MAX) {
            return None;
        }
        self.cycles.iter().find_map(|cycle| {
            if self.mended(cycle.cycle).is_empty() {
                return None;
            }
            cycle.shares.iter().find_map(|share| self.due_of(cycle, share))
        })
    }

    /// Cycle and tree of the last check, for messages: the failing units.
    pub(crate) fn failing(&self) -> Option<usize> {
        self.checked.last().map(|checked| failing_units(&checked.reading).len())
    }

    /// Units that fail after the last fix and did not before the first.
    fn broken(&self) -> BTreeSet<String> {
        let (Some(first), Some(last)) = (self.cycles.first(), self.cycles.last()) else {
            return BTreeSet::new();
        };
        let before = self.reading(first.cycle, &CheckedTree::Before);
        let after = self.reading(last.cycle, &CheckedTree::After);
        match (before, after) {
            (Some(before), Some(after)) => broken_units(&before.reading, &after.reading),
            _ => BTreeSet::new(),
        }
    }

    /// What a report shows of it.
    pub(crate) fn shown(&self) -> report::Proof {
        let cycles = self.cycles.iter().filter_map(|cycle| {
            let end = |tree| self.reading(cycle.cycle, &tree).map(shown_end);
            Some(report::CheckedCycle {
                cycle: cycle.cycle,
                before: end(CheckedTree::Before)?,
                after: end(CheckedTree::After),
                mended: self.mended(cycle.cycle).into_iter().collect(),
                findings: self.findings(cycle),
            })
        });
        let unusable = self.unusable();
        let broken =
            if unusable.is_some() { Vec::new() } else { self.broken().into_iter().collect() };
        let command = self.options.command.clone();
        report::Proof { command, cycles: cycles.collect(), broken, unusable }
    }

    fn findings(&self, cycle: &Mended) -> Vec<report::FindingProof> {
        if !self.options.prove || self.unusable().is_some() {
            return Vec::new();
        }
        cycle.shares.iter().map(|share| self.finding(cycle, share)).collect()
    }

    fn share(&self, due: &Due) -> Option<(&Mended, Option<&Share>)> {
        let cycle = self.cycles.iter().find(|cycle| cycle.cycle == due.cycle)?;
        let share = match &due.tree {
            CheckedTree::Before | CheckedTree::After => None,
            CheckedTree::Without { finding } | CheckedTree::WithoutShared { finding } => {
                cycle.shares.iter().find(|share| share.finding_id.as_str() == finding)
            }
        };
        Some((cycle, share))
    }
}

fn is_revert(tree: &CheckedTree) -> bool {
    matches!(tree, CheckedTree::Without { .. } | CheckedTree::WithoutShared { .. })
}

fn shown_end(checked: &Checked) -> report::CheckEnd {
    report::CheckEnd {
        passed: checked.reading.answer == Answer::Passed,
        exit: checked.exit,
        failing: failing_units(&checked.reading).into_iter().collect(),
    }
}

//! What a check looks at one by one: a test, or a place that a linter or compiler complains about.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One test, or one kind of complaint in one file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Unit {
    /// A test: its full name, as the tool prints it, after the program or file it belongs to where
    /// the tool names one apart. A complaint: `FILE: CODE`, or `FILE: MESSAGE` without a code.
    /// No line numbers, so that a unit keeps its name while its file is edited (D21).
    pub name: String,
    /// What became of it.
    pub fate: Fate,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.fate, self.name)
    }
}

/// What became of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// A test that did what it was expected to do; one that was expected to fail and failed counts.
    Passed,
    /// A test that failed, or an error.
    Failed,
    /// A warning; it fails a check only where the check's command says so.
    Warned,
    /// A test that did not run.
    Skipped,
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Warned => "warned",
            Self::Skipped => "skipped",
        })
    }
}

/// How many units met which fate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed, and errors.
    pub failed: u64,
    /// Warnings.
    pub warned: u64,
    /// Tests that did not run.
    pub skipped: u64,
}

impl Counts {
    /// How many met this fate.
    pub fn of(&self, fate: Fate) -> u64 {
        match fate {
            Fate::Passed => self.passed,
            Fate::Failed => self.failed,
            Fate::Warned => self.warned,
            Fate::Skipped => self.skipped,
        }
    }

    /// How many tests ran to an end.
    pub fn ran(&self) -> u64 {
        self.passed.saturating_add(self.failed)
    }

    pub(crate) fn add(&mut self, fate: Fate, number: u64) {
        let count = match fate {
            Fate::Passed => &mut self.passed,
            Fate::Failed => &mut self.failed,
            Fate::Warned => &mut self.warned,
            Fate::Skipped => &mut self.skipped,
        };
        *count = count.saturating_add(number);
    }

    /// Field by field, with `with`.
    pub(crate) fn merged(self, other: Self, with: fn(u64, u64) -> u64) -> Self {
        Self {
            passed: with(self.passed, other.passed),
            failed: with(self.failed, other.failed),
            warned: with(self.warned, other.warned),
            skipped: with(self.skipped, other.skipped),
        }
    }
}

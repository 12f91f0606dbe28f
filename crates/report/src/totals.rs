//! How many findings there are, by severity and by fate.

use schemars::JsonSchema;
use serde::Serialize;
use tribunal_finding::Severity;

use crate::{Fate, Finding};

/// How many findings a list holds. Every entry counts once in each of the two breakdowns, so both
/// add up to the length of the list, also where several entries may mean one fault.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Totals {
    /// All of them.
    pub findings: usize,
    /// Those that are confirmed, neither fixed and verified nor validly skipped (D47).
    pub left_open: usize,
    /// By severity, as voted, else as SEEK rated it.
    pub by_severity: BySeverity,
    /// By what became of them.
    pub by_fate: ByFate,
}

/// Counts by severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "each field is named after what it counts")]
pub struct BySeverity {
    pub critical: usize,
    pub high: usize,
    pub medium: usize,
    pub low: usize,
}

/// Counts by fate; the fields are those of [`Fate`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[expect(missing_docs, reason = "each field is named after what it counts")]
pub struct ByFate {
    pub fixed: usize,
    pub skipped: usize,
    pub phantom: usize,
    pub unaccounted: usize,
    pub open: usize,
    pub rejected: usize,
    pub unconfirmed: usize,
    pub undecided: usize,
}

impl Totals {
    /// Counts a list.
    pub fn of(findings: &[Finding]) -> Self {
        let mut totals = Self { findings: findings.len(), ..Self::default() };
        for finding in findings {
            totals.left_open += usize::from(finding.fate.is_open());
            *totals.by_severity.of(finding.shown_severity()) += 1;
            *totals.by_fate.of(&finding.fate) += 1;
        }
        totals
    }
}

impl BySeverity {
    fn of(&mut self, severity: Severity) -> &mut usize {
        match severity {
            Severity::Critical => &mut self.critical,
            Severity::High => &mut self.high,
            Severity::Medium => &mut self.medium,
            Severity::Low => &mut self.low,
        }
    }

    /// All counts with their words, the worst first.
    pub(crate) fn rows(&self) -> [(usize, &'static str); 4] {
        [
            (self.critical, "critical"),
            (self.high, "high"),
            (self.medium, "medium"),
            (self.low, "low"),
        ]
    }
}

impl ByFate {
    fn of(&mut self, fate: &Fate) -> &mut usize {
        match fate {
            Fate::Fixed => &mut self.fixed,
            Fate::Skipped { .. } => &mut self.skipped,
            Fate::Phantom => &mut self.phantom,
            Fate::Unaccounted => &mut self.unaccounted,
            Fate::Open => &mut self.open,
            Fate::Rejected => &mut self.rejected,
            Fate::Unconfirmed => &mut self.unconfirmed,
            Fate::Undecided => &mut self.undecided,
        }
    }

    /// All counts with their words.
    pub(crate) fn rows(&self) -> [(usize, &'static str); 8] {
        [
            (self.fixed, "fixed"),
            (self.skipped, "skipped"),
            (self.phantom, "phantom fix"),
            (self.unaccounted, "unaccounted"),
            (self.open, "open"),
            (self.rejected, "rejected"),
            (self.unconfirmed, "unconfirmed"),
            (self.undecided, "undecided"),
        ]
    }
}

//! Which of the reported findings go to the vote, and which of those are new.

use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::fresh::TakenIds;
use crate::nearest::nearest_pairs;
use crate::{Category, Fate, Finding, FindingId, Fingerprint, History, HistoryEntry, Severity};

/// What a cycle lets through (D18).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sieve {
    /// Number of the cycle, from 1; part of the ids that are made.
    pub cycle: u32,
    /// Findings that SEEK rated lower are dropped.
    pub severity_threshold: Severity,
    /// Findings of other categories are dropped; empty lets all through.
    pub categories: Vec<Category>,
}

/// The findings of a cycle that go to the vote, and what was done to the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sifted {
    /// In the order of the report.
    pub findings: Vec<SiftedFinding>,
    /// How many were dropped, by reason.
    pub dropped: Dropped,
    /// Ids that an earlier cycle had taken, with the ids given instead.
    pub renamed: Vec<(FindingId, FindingId)>,
}

/// A finding that goes to the vote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiftedFinding {
    /// The finding, under an id that no earlier cycle has used.
    pub finding: Finding,
    /// Whether it is known from an earlier cycle.
    pub newness: Newness,
}

/// How a finding stands to those of earlier cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Newness {
    /// No earlier cycle had it, or only fewer of its kind.
    New,
    /// An earlier one that had been fixed; counts as new.
    Reopened(FindingId),
    /// An earlier one that the vote neither confirmed nor rejected; counts as new.
    Undecided(FindingId),
    /// An earlier one that nobody was asked to fix; not new.
    StillOpen(FindingId),
}

impl Newness {
    /// True where the finding counts towards going on for another cycle (D17).
    pub fn is_new(&self) -> bool {
        match self {
            Self::New | Self::Reopened(_) | Self::Undecided(_) => true,
            Self::StillOpen(_) => false,
        }
    }

    /// The earlier finding whose place this one takes: `reopens` of its [`HistoryEntry`].
    pub fn replaces(&self) -> Option<&FindingId> {
        match self {
            Self::New => None,
            Self::Reopened(id) | Self::Undecided(id) | Self::StillOpen(id) => Some(id),
        }
    }
}

/// How many findings did not go to the vote, by reason; each is counted once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Dropped {
    /// Rated by SEEK below the severity threshold.
    pub below_threshold: usize,
    /// Of a category that was not asked for.
    pub outside_categories: usize,
    /// Voted false in an earlier cycle by as many validators as the threshold asks for.
    pub rejected_before: usize,
    /// Validly skipped in an earlier cycle.
    pub skipped_before: usize,
    /// The same as a finding that goes to the fixer again anyway.
    pub joined_carried: usize,
}

impl Dropped {
    /// All of them.
    pub fn total(&self) -> usize {
        self.below_threshold
            + self.outside_categories
            + self.rejected_before
            + self.skipped_before
            + self.joined_carried
    }
}

/// Holds a report against the sieve and the history (D18).
///
/// Findings with equal fingerprints are matched one to one, nearest line first, with the standing
/// entries of the history; only a surplus is new. Nothing is merged within one report. The order
/// of the history's entries does not matter.
pub fn sift(reported: Vec<Finding>, history: &History, sieve: &Sieve) -> Sifted {
    let mut dropped = Dropped::default();
    let wanted: Vec<Finding> =
        reported.into_iter().filter(|finding| passes(finding, sieve, &mut dropped)).collect();
    let matches = matched(&wanted, history);
    let findings = wanted
        .into_iter()
        .zip(matches)
        .filter_map(|(finding, earlier)| {
            let newness = newness(earlier, &mut dropped)?;
            Some(SiftedFinding { finding, newness })
        })
        .collect();
    let mut sifted = Sifted { findings, dropped, renamed: Vec::new() };
    rename_taken(&mut sifted, history, sieve.cycle);
    sifted
}

fn passes(finding: &Finding, sieve: &Sieve, dropped: &mut Dropped) -> bool {
    if finding.severity < sieve.severity_threshold {
        dropped.below_threshold += 1;
        return false;
    }
    if !sieve.categories.is_empty() && !sieve.categories.contains(&finding.category) {
        dropped.outside_categories += 1;
        return false;
    }
    true
}

/// For each reported finding the history's entry that it repeats.
fn matched<'h>(reported: &[Finding], history: &'h History) -> Vec<Option<&'h HistoryEntry>> {
    let mut groups: HashMap<Fingerprint, (Vec<usize>, Vec<&HistoryEntry>)> = HashMap::new();
    for (index, finding) in reported.iter().enumerate() {
        groups.entry(Fingerprint::of(finding)).or_default().0.push(index);
    }
    for entry in history.standing() {
        if let Some((_, known)) = groups.get_mut(&entry.fingerprint) {
            known.push(entry);
        }
    }
    let mut matches = vec![None; reported.len()];
    for (equals, mut known) in groups.into_values() {
        // Ties between equal lines must not hang on the order of the history.
        known.sort_by_key(|entry| (entry.place.line, entry.cycle, &entry.finding_id));
        let lines: Vec<_> = equals.iter().map(|index| reported[*index].place.line).collect();
        let known_lines: Vec<_> = known.iter().map(|entry| entry.place.line).collect();
        for (of_equals, of_known) in nearest_pairs(&lines, &known_lines) {
            matches[equals[of_equals]] = Some(known[of_known]);
        }
    }
    matches
}

/// `None`, and counted, where the finding does not go to the vote.
fn newness(earlier: Option<&HistoryEntry>, dropped: &mut Dropped) -> Option<Newness> {
    let Some(earlier) = earlier else { return Some(Newness::New) };
    let id = earlier.finding_id.clone();
    match &earlier.fate {
        Fate::Fixed => Some(Newness::Reopened(id)),
        Fate::Unconfirmed => Some(Newness::Undecided(id)),
        Fate::Open => Some(Newness::StillOpen(id)),
        Fate::Rejected => {
            dropped.rejected_before += 1;
            None
        }
        Fate::Skipped { .. } => {
            dropped.skipped_before += 1;
            None
        }
        // D18 has a phantom fix reopen its finding; while the finding is carried it is still
        // confirmed and goes to the fixer first, so that a second vote would put it there twice.
        Fate::Phantom | Fate::Unaccounted => {
            dropped.joined_carried += 1;
            None
        }
    }
}

fn rename_taken(sifted: &mut Sifted, history: &History, cycle: u32) {
    let mut used: HashSet<FindingId> =
        history.entries.iter().map(|entry| entry.finding_id.clone()).collect();
    let mut taken = TakenIds::default();
    let reported = sifted.findings.iter().map(|sifted| &sifted.finding.id);
    for id in used.iter().chain(reported) {
        taken.insert(id.clone());
    }
    for SiftedFinding { finding, .. } in &mut sifted.findings {
        if used.insert(finding.id.clone()) {
            continue;
        }
        let wanted = FindingId::new(&format!("c{cycle}-{}", finding.id))
            .expect("an id with a cycle before it is neither blank nor broken");
        let fresh = taken.take(&wanted);
        used.insert(fresh.clone());
        sifted.renamed.push((std::mem::replace(&mut finding.id, fresh.clone()), fresh));
    }
}

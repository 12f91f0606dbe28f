//! What one cycle knows so far.

use std::collections::BTreeSet;

use tribunal_finding::FindingId;

use super::{Counts, Decision, Station};
use crate::{Balloted, Rated, SnapshotId, Sought};

/// One cycle: its number and how far it has come.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    pub(super) cycle: u32,
    pub(super) progress: Progress,
}

/// How far a cycle has come, with what it knows there.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// Nothing is known yet.
    Open,
    /// Findings are known.
    Found(Found),
    /// Validators are answering.
    Balloting(Found, Vec<(u8, Balloted)>),
    /// The votes are counted.
    Tallied(Tallied),
    /// The tree is snapshotted for a fix.
    Secured(Tallied, SnapshotId),
    /// The fixer is at work.
    Fixing(Tallied),
    /// The fixer has reported.
    Reported(Tallied),
    /// Claims are judged.
    Judged(Tallied, Judged),
    /// The history is written.
    Chronicled(Tallied, Judged),
    /// It is decided whether another cycle is due.
    Decided(Tallied, Judged, Decision),
    /// The next cycle lies on this one.
    Passed(Tallied, Judged, Decision),
}

/// SEEK's findings of the cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub(super) sought: Vec<Sought>,
    pub(super) carried: Vec<FindingId>,
}

/// The counted vote, and where the fixes of the cycle started from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tallied {
    found: Found,
    confirmed: Vec<Rated>,
    first_snapshot: Option<SnapshotId>,
    fix_turns: u32,
}

/// What became of the confirmed findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// Nobody was asked to fix anything.
    NotAsked,
    /// Claims were held against evidence.
    Verdict {
        /// Ids fixed and verified.
        fixed: Vec<FindingId>,
        /// Ids skipped with a reason that counts.
        skipped: Vec<FindingId>,
        /// Ids that nobody accounted for, and phantoms.
        unaccounted: Vec<FindingId>,
        /// Whether the judgement is a pass.
        passed: bool,
    },
}

impl Tallied {
    /// What the validators confirmed.
    pub fn confirmed(&self) -> &[Rated] {
        &self.confirmed
    }

    /// Findings of earlier cycles that were still owed when this one began.
    pub fn carried(&self) -> &[FindingId] {
        &self.found.carried
    }

    /// The snapshot before the first fix of the cycle, which evidence is measured from (D16).
    pub fn first_snapshot(&self) -> Option<SnapshotId> {
        self.first_snapshot
    }

    /// How often the fixer was called in this cycle.
    pub fn fix_turns(&self) -> u32 {
        self.fix_turns
    }
}

impl State {
    /// A cycle of which nothing is known yet.
    pub fn new(cycle: u32) -> Self {
        Self { cycle, progress: Progress::Open }
    }

    /// Its number, from 1.
    pub fn cycle(&self) -> u32 {
        self.cycle
    }

    /// How far it has come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The vote, once it is counted.
    pub fn tallied(&self) -> Option<&Tallied> {
        match &self.progress {
            Progress::Open | Progress::Found(_) | Progress::Balloting(..) => None,
            Progress::Tallied(tallied)
            | Progress::Secured(tallied, _)
            | Progress::Fixing(tallied)
            | Progress::Reported(tallied)
            | Progress::Judged(tallied, _)
            | Progress::Chronicled(tallied, _)
            | Progress::Decided(tallied, ..)
            | Progress::Passed(tallied, ..) => Some(tallied),
        }
    }

    /// The judgement, once there is one.
    pub fn judged(&self) -> Option<&Judged> {
        match &self.progress {
            Progress::Open
            | Progress::Found(_)
            | Progress::Balloting(..)
            | Progress::Tallied(_)
            | Progress::Secured(..)
            | Progress::Fixing(_)
            | Progress::Reported(_) => None,
            Progress::Judged(_, judged)
            | Progress::Chronicled(_, judged)
            | Progress::Decided(_, judged, _)
            | Progress::Passed(_, judged, _) => Some(judged),
        }
    }

    /// The decision, once it is taken.
    pub fn decision(&self) -> Option<Decision> {
        match &self.progress {
            Progress::Decided(_, _, decision) | Progress::Passed(_, _, decision) => Some(*decision),
            Progress::Open
            | Progress::Found(_)
            | Progress::Balloting(..)
            | Progress::Tallied(_)
            | Progress::Secured(..)
            | Progress::Fixing(_)
            | Progress::Reported(_)
            | Progress::Judged(..)
            | Progress::Chronicled(..) => None,
        }
    }

    /// What a decision rests on: new confirmed findings by their deciding severity, and what is owed.
    pub fn counts(&self) -> Counts {
        let Some(tallied) = self.tallied() else { return Counts::default() };
        let sought = tallied.found.sought.iter().filter(|sought| sought.new);
        let new: BTreeSet<&FindingId> = sought.map(|sought| &sought.id).collect();
        let is_new = |rated: &&Rated| new.contains(&rated.id);
        let new = tallied.confirmed.iter().filter(is_new).map(|rated| rated.severity);
        let unaccounted = match self.judged() {
            Some(Judged::Verdict { unaccounted, .. }) => unaccounted.len(),
            Some(Judged::NotAsked) | None => 0,
        };
        Counts::of(new, u32::try_from(unaccounted).unwrap_or(u32::MAX))
    }

    /// Where it stands, without what it knows.
    pub fn station(&self) -> Station {
        match &self.progress {
            Progress::Open => Station::Open,
            Progress::Found(_) => Station::Found,
            Progress::Balloting(..) => Station::Balloting,
            Progress::Tallied(_) => Station::Tallied,
            Progress::Secured(..) => Station::Secured,
            Progress::Fixing(_) => Station::Fixing,
            Progress::Reported(_) => Station::Reported,
            Progress::Judged(..) => Station::Judged,
            Progress::Chronicled(..) => Station::Chronicled,
            Progress::Decided(..) => Station::Decided,
            Progress::Passed(..) => Station::Passed,
        }
    }
}

impl Tallied {
    pub(super) fn new(found: Found, confirmed: Vec<Rated>) -> Self {
        Self { found, confirmed, first_snapshot: None, fix_turns: 0 }
    }

    pub(super) fn fixing(self, turn: u32) -> Self {
        Self { fix_turns: turn, ..self }
    }

    pub(super) fn secured(self, snapshot: SnapshotId) -> Self {
        Self { first_snapshot: self.first_snapshot.or(Some(snapshot)), ..self }
    }
}

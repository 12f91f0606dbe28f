//! What one cycle knows so far.

use tribunal_finding::FindingId;

use super::{Counts, Decision, Station};
use crate::{Balloted, Fact, Rated, Refusal, SnapshotId, Sought};

/// One cycle: its number and how far it has come.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    cycle: u32,
    progress: Progress,
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
    sought: Vec<Sought>,
    carried: Vec<FindingId>,
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
        let is_new = |rated: &&Rated| {
            tallied.found.sought.iter().any(|sought| sought.new && sought.id == rated.id)
        };
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

    /// Takes one fact.
    ///
    /// A cycle without findings needs no ballots, so there a tally may follow at once (D20).
    ///
    /// # Errors
    /// A [`Refusal`] when the fact does not fit; the state is then unchanged.
    pub fn admit(&self, fact: &Fact) -> Result<Self, Refusal> {
        match self.progress.clone().take(fact.clone()) {
            Some(progress) => Ok(Self { cycle: self.cycle, progress }),
            None => Err(self.station().refuse(fact.kind())),
        }
    }
}

impl Progress {
    #[expect(clippy::too_many_lines, reason = "one decision table, row by row")]
    fn take(self, fact: Fact) -> Option<Self> {
        Some(match (self, fact) {
            (Progress::Open, Fact::Found { sought, carried }) => {
                Progress::Found(Found { sought, carried })
            }
            (Progress::Found(found), Fact::Balloted { validator, ballot }) => {
                Progress::Balloting(found, vec![(validator, ballot)])
            }
            (Progress::Balloting(found, mut ballots), Fact::Balloted { validator, ballot }) => {
                if ballots.iter().any(|(earlier, _)| *earlier == validator) {
                    return None;
                }
                ballots.push((validator, ballot));
                Progress::Balloting(found, ballots)
            }
            (Progress::Found(found), Fact::Tallied { confirmed })
                if found.sought.is_empty() && confirmed.is_empty() =>
            {
                Progress::Tallied(Tallied::new(found, confirmed))
            }
            (Progress::Balloting(found, _), Fact::Tallied { confirmed }) => {
                let known = |rated: &Rated| found.sought.iter().any(|sought| sought.id == rated.id);
                if !confirmed.iter().all(known) {
                    return None;
                }
                Progress::Tallied(Tallied::new(found, confirmed))
            }
            (
                Progress::Tallied(tallied) | Progress::Judged(tallied, _),
                Fact::Snapped(snapshot),
            ) => Progress::Secured(tallied.secured(snapshot), snapshot),
            (Progress::Secured(tallied, _), Fact::FixerLaunched { turn }) => {
                Progress::Fixing(Tallied { fix_turns: turn, ..tallied })
            }
            (Progress::Fixing(tallied), Fact::Reported { .. }) => Progress::Reported(tallied),
            (
                Progress::Tallied(tallied)
                | Progress::Reported(tallied)
                | Progress::Judged(tallied, _),
                Fact::Judged { fixed, skipped, unaccounted, passed },
            ) => Progress::Judged(tallied, Judged::Verdict { fixed, skipped, unaccounted, passed }),
            (Progress::Tallied(tallied) | Progress::Judged(tallied, _), Fact::NotAsked) => {
                Progress::Judged(tallied, Judged::NotAsked)
            }
            (Progress::Judged(tallied, judged), Fact::Chronicled) => {
                Progress::Chronicled(tallied, judged)
            }
            (
                Progress::Judged(tallied, judged) | Progress::Chronicled(tallied, judged),
                Fact::Decided(decision),
            ) => Progress::Decided(tallied, judged, decision),
            (
                Progress::Decided(tallied, judged, decision @ Decision::Continue { .. }),
                Fact::FramePushed(_),
            ) => Progress::Passed(tallied, judged, decision),
            // Two closed enums: what no row above takes is out of order, by name of the station.
            (
                Progress::Open
                | Progress::Found(_)
                | Progress::Balloting(..)
                | Progress::Tallied(_)
                | Progress::Secured(..)
                | Progress::Fixing(_)
                | Progress::Reported(_)
                | Progress::Judged(..)
                | Progress::Chronicled(..)
                | Progress::Decided(..)
                | Progress::Passed(..),
                Fact::Found { .. }
                | Fact::Balloted { .. }
                | Fact::Tallied { .. }
                | Fact::Snapped(_)
                | Fact::FixerLaunched { .. }
                | Fact::Reported { .. }
                | Fact::Judged { .. }
                | Fact::NotAsked
                | Fact::Chronicled
                | Fact::Decided(_)
                | Fact::FramePushed(_),
            ) => return None,
        })
    }
}

impl Tallied {
    fn new(found: Found, confirmed: Vec<Rated>) -> Self {
        Self { found, confirmed, first_snapshot: None, fix_turns: 0 }
    }

    fn secured(self, snapshot: SnapshotId) -> Self {
        Self { first_snapshot: self.first_snapshot.or(Some(snapshot)), ..self }
    }
}

//! The count of one cycle's votes.

mod count;
mod recount;
mod wire;

use tribunal_finding::{FindingId, Severity, Verdict};

pub(crate) use self::count::Count;
pub use self::recount::TallyError;
pub use self::wire::tally_schema;
use crate::Threshold;

/// Every finding of a cycle with its votes and what they come to (DESIGN §5, contract `tally`).
///
/// Made by [`merge`](crate::merge), or read back with [`Tally::read`], which counts again; so a
/// [`Confirmed`] always has the votes that it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    cycle: u32,
    threshold: Threshold,
    entries: Vec<Entry>,
}

/// One finding's votes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    id: FindingId,
    reported: Option<Severity>,
    votes: Votes,
    ruling: Ruling,
    reasoning: String,
}

/// How many validators said yes and no; the others said nothing that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Votes {
    /// `confirmed` and `downgraded`.
    pub confirmed: u32,
    /// `false_positive`.
    pub false_positive: u32,
}

/// What the votes on a finding come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// At least as many yes votes as the threshold asks for.
    Confirmed(Confirmed),
    /// Not confirmed, and at least one vote against it.
    FalsePositive,
    /// Not confirmed, and no vote against it: silence is not rejection (D9).
    Unconfirmed,
}

/// A finding that enough validators confirmed; nothing but a tally makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmed {
    id: FindingId,
    final_severity: Severity,
    decision_severity: Severity,
}

impl Tally {
    /// Number of the cycle.
    pub fn cycle(&self) -> u32 {
        self.cycle
    }

    /// The threshold counted against; its validators are those of the vote, silent ones included.
    pub fn threshold(&self) -> Threshold {
        self.threshold
    }

    /// All findings, in the order of their ids.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The confirmed findings, in the order of their ids.
    pub fn confirmed(&self) -> impl Iterator<Item = &Confirmed> {
        self.entries.iter().filter_map(|entry| match &entry.ruling {
            Ruling::Confirmed(confirmed) => Some(confirmed),
            Ruling::FalsePositive | Ruling::Unconfirmed => None,
        })
    }

    /// How many findings are confirmed.
    pub fn confirmed_count(&self) -> usize {
        self.confirmed().count()
    }

    /// How many findings are voted false.
    pub fn false_positive_count(&self) -> usize {
        let is_false = |entry: &&Entry| entry.ruling == Ruling::FalsePositive;
        self.entries.iter().filter(is_false).count()
    }

    /// The share of false positives among the findings that were decided, in whole percent rounded
    /// down: `33%`; `0%` where none was decided (D9).
    pub fn false_positive_rate(&self) -> String {
        let wrong = self.false_positive_count();
        let decided = wrong + self.confirmed_count();
        format!("{}%", (100 * wrong).checked_div(decided).unwrap_or(0))
    }

    /// True where so many validators voted a finding false that a re-report is dropped (D18).
    pub fn rejects(&self, entry: &Entry) -> bool {
        entry.ruling == Ruling::FalsePositive
            && entry.votes.false_positive >= self.threshold.agree()
    }
}

impl Entry {
    /// The finding's id.
    pub fn id(&self) -> &FindingId {
        &self.id
    }

    /// As SEEK rated it, where that is known.
    pub fn reported_severity(&self) -> Option<Severity> {
        self.reported
    }

    /// The votes.
    pub fn votes(&self) -> Votes {
        self.votes
    }

    /// What they come to.
    pub fn ruling(&self) -> &Ruling {
        &self.ruling
    }

    /// What they come to, as the contract's word.
    pub fn verdict(&self) -> Verdict {
        match self.ruling {
            Ruling::Confirmed(_) => Verdict::Confirmed,
            Ruling::FalsePositive => Verdict::FalsePositive,
            Ruling::Unconfirmed => Verdict::Unconfirmed,
        }
    }

    /// The reasons of those whose side holds, by position, with `; ` between them.
    pub fn reasoning(&self) -> &str {
        &self.reasoning
    }
}

impl Confirmed {
    /// The finding's id.
    pub fn id(&self) -> &FindingId {
        &self.id
    }

    /// The lowest severity among the yes votes (D8).
    pub fn final_severity(&self) -> Severity {
        self.final_severity
    }

    /// The threshold-th lowest severity among the yes votes: what the decision goes by (D8, D17).
    pub fn decision_severity(&self) -> Severity {
        self.decision_severity
    }
}

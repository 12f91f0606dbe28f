//! A finding, with what was voted and what became of it.

use schemars::JsonSchema;
use serde::Serialize;
use tribunal_finding::{Category, FindingId, Place, Severity};

/// One finding, with what was voted and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Finding {
    /// Unique within the run.
    pub id: FindingId,
    /// The cycle that found it.
    pub cycle: u32,
    /// The kind of fault.
    pub category: Category,
    /// As SEEK rated it.
    pub severity: Severity,
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    pub description: String,
    /// Text of the code that shows it.
    pub evidence: String,
    /// What to do about it.
    pub recommendation: String,
    /// What the validators came to; `None` when the votes were not counted.
    pub vote: Option<Vote>,
    /// What became of it.
    pub fate: Fate,
    /// The finding of an earlier cycle that had been fixed and is reported again with this one (D18).
    pub reopens: Option<FindingId>,
}

impl Finding {
    /// The severity that totals and lists go by: as voted, else as SEEK rated it.
    pub fn shown_severity(&self) -> Severity {
        self.vote.as_ref().and_then(|vote| vote.final_severity).unwrap_or(self.severity)
    }
}

/// What the validators came to about one finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Vote {
    /// The verdict.
    pub verdict: Verdict,
    /// Yes votes.
    pub confirmed: u32,
    /// No votes.
    pub false_positive: u32,
    /// The lowest severity among the yes votes (D8); `None` without any.
    pub final_severity: Option<Severity>,
    /// The severity that decides about another cycle (D8); `None` unless confirmed.
    pub decision_severity: Option<Severity>,
    /// The validators' reasons, as they gave them.
    pub reasoning: Vec<String>,
}

/// The verdict of a tally.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// As many yes votes as the threshold asks for.
    Confirmed,
    /// Voted false.
    FalsePositive,
    /// Neither.
    Unconfirmed,
}

impl Verdict {
    /// The word that reports use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::FalsePositive => "false positive",
            Self::Unconfirmed => "unconfirmed",
        }
    }
}

/// What became of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Fate {
    /// Fixed, and the repository shows it.
    Fixed,
    /// Left alone for a reason that holds.
    Skipped {
        /// The reason, as the fixer gave it.
        reason: String,
    },
    /// A fix was claimed that did not happen.
    Phantom,
    /// Neither fixed nor skipped for a reason that holds.
    Unaccounted,
    /// Confirmed, and nobody was asked to fix it.
    Open,
    /// Voted false.
    Rejected,
    /// Not confirmed and not rejected: silence is no verdict (D9).
    Unconfirmed,
    /// The run ended before anything became of it.
    Undecided,
}

impl Fate {
    /// The word that reports use.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Skipped { .. } => "skipped",
            Self::Phantom => "phantom fix",
            Self::Unaccounted => "unaccounted",
            Self::Open => "open",
            Self::Rejected => "rejected",
            Self::Unconfirmed => "unconfirmed",
            Self::Undecided => "undecided",
        }
    }

    /// Whether it is confirmed, neither fixed and verified nor validly skipped (D47).
    pub fn is_open(&self) -> bool {
        match self {
            Self::Phantom | Self::Unaccounted | Self::Open => true,
            Self::Fixed
            | Self::Skipped { .. }
            | Self::Rejected
            | Self::Unconfirmed
            | Self::Undecided => false,
        }
    }
}

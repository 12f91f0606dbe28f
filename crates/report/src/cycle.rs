//! What happened in one cycle.

use schemars::JsonSchema;
use serde::Serialize;
use tribunal_finding::FindingId;

/// One cycle, as far as it came.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Cycle {
    /// Its number, from 1.
    pub number: u32,
    /// How many findings went to the vote; `None` when SEEK gave none that could be read.
    pub found: Option<u32>,
    /// Findings of earlier cycles that were still owed when it began.
    pub carried: Vec<FindingId>,
    /// What was left out before the vote.
    pub dropped: Dropped,
    /// The validators, by position; empty when they were not reached.
    pub validators: Vec<Validator>,
    /// The lines of the verification, word for word (D14); empty when it was not reached.
    pub verification: Vec<String>,
    /// Whether another cycle was due, and why; `None` when it was not decided.
    pub decision: Option<Decision>,
}

/// How many entries of SEEK were left out before the vote, by reason (D18).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Dropped {
    /// Rated below `severity_threshold`.
    pub below_threshold: u32,
    /// Outside of `categories`.
    pub outside_categories: u32,
    /// Reported again although voted false.
    pub voted_false: u32,
    /// Reported again although validly skipped.
    pub skipped_before: u32,
    /// Entries that do not fit the contract.
    pub unfit: u32,
}

/// One validator in one cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Validator {
    /// Its label by position: `v1` …
    pub label: String,
    /// What it gave.
    pub answer: Answer,
    /// What is worth saying about it.
    pub note: Option<String>,
}

/// What a validator gave; only a ballot counts as an answer (D10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A ballot.
    Ballot,
    /// An object that is no ballot.
    NoBallot,
    /// Nothing at all.
    Empty,
    /// Something that holds no JSON object.
    Unparseable,
    /// It ran and failed; the note says how.
    Failed,
    /// It was not needed: nothing was found.
    NotAsked,
    /// The run ended before its answer was read.
    NotHeard,
}

impl Answer {
    /// The word that reports use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ballot | Self::NoBallot => "PARSED",
            Self::Empty => "EMPTY",
            Self::Unparseable => "UNPARSEABLE",
            Self::Failed => "FAILED",
            Self::NotAsked => "not asked",
            Self::NotHeard => "not heard",
        }
    }
}

/// Whether another cycle was due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Decision {
    /// The number of the next cycle; `None` for STOP.
    pub next: Option<u32>,
    /// Why.
    pub reason: String,
}

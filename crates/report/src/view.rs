//! Everything that a report shows.

use schemars::JsonSchema;
use serde::Serialize;
use tribunal_finding::{Category, FindingId, Place, Severity};

/// Everything that a report shows of one run; whoever folds the journal fills it in (D49).
///
/// Texts are taken as they are: each rendering makes them inert.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct View {
    /// The run.
    pub run: String,
    /// The recipe that it followed.
    pub recipe: Recipe,
    /// What was audited, relative to the repository root.
    pub target: String,
    /// When it began, as it is shown.
    pub started: String,
    /// When it ended or paused, as it is shown.
    pub ended: String,
    /// How it came to its end.
    pub outcome: Outcome,
    /// The cycles, in order.
    pub cycles: Vec<Cycle>,
    /// The findings of all cycles, each once, in the order they were found.
    pub findings: Vec<Finding>,
    /// What was said by the summary step.
    pub summary: Option<String>,
    /// What was said by the self-improvement step.
    pub self_improvement: Option<String>,
    /// What is worth saying beside all this.
    pub warnings: Vec<String>,
    /// Raw replies that were kept for people to look at.
    pub kept_replies: Vec<KeptReply>,
    /// Snapshots of states that someone may want back.
    pub snapshots: Vec<Snapshot>,
    /// What it cost, as far as it is known.
    pub usage: Usage,
}

/// The recipe that a run followed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Recipe {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Where it came from: built in, or a path.
    pub origin: String,
}

/// How a run came to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Outcome {
    /// Every step that was due has run.
    Completed,
    /// A step failed; nothing after it ran.
    Failed {
        /// The step.
        step: String,
        /// The cycle that it belongs to; `None` outside of cycles.
        cycle: Option<u32>,
        /// Why, in a sentence fragment.
        why: String,
    },
    /// The run can be resumed.
    Paused {
        /// Why, in a sentence fragment.
        why: String,
        /// The command that resumes it.
        resume: String,
    },
}

impl Outcome {
    /// Whether every step that was due has run; only then absence of findings says anything.
    pub fn is_complete(&self) -> bool {
        matches!(self, Self::Completed)
    }
}

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

/// A raw reply that was kept for people to look at (D11).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KeptReply {
    /// The cycle.
    pub cycle: u32,
    /// Whose it is: `v1` …
    pub label: String,
    /// Where it is, as it was printed.
    pub place: String,
}

/// A snapshot of a state that someone may want back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Snapshot {
    /// Its number within the run.
    pub number: u32,
    /// What it holds.
    pub what: String,
    /// Where it lives.
    pub place: String,
}

/// What a run cost, as far as it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Usage {
    /// How many children were started.
    pub invocations: u32,
    /// Running time in milliseconds, without down time.
    pub wall: u64,
    /// Tokens read by models; `None` when no agent said.
    pub input_tokens: Option<u64>,
    /// Tokens written by models; `None` when no agent said.
    pub output_tokens: Option<u64>,
    /// Cost in millionths of a US dollar; `None` when no agent said.
    pub cost_micros: Option<u64>,
}

//! The tally contract as JSON.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize, Serializer};
use tribunal_finding::{FindingId, Severity, Verdict};

use crate::tally::{Entry, Ruling, Tally};

/// JSON Schema of a tally.
pub fn tally_schema() -> Schema {
    schema_for!(TallyContract)
}

/// The count of one cycle's votes.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename = "tally")]
pub(super) struct TallyContract<'a> {
    /// Number of the cycle, from 1.
    #[schemars(range(min = 1))]
    pub(super) cycle: u32,
    /// Yes votes that confirm a finding.
    #[schemars(range(min = 1))]
    pub(super) threshold: u32,
    /// Number of validators, silent ones included.
    #[schemars(range(min = 1))]
    pub(super) validators: u32,
    /// Every finding, in the order of the ids.
    #[serde(borrow)]
    pub(super) validated: Vec<EntryContract<'a>>,
    /// How many are confirmed.
    pub(super) confirmed_count: usize,
    /// How many are voted false.
    pub(super) false_positive_count: usize,
    /// Whole percent of those decided, such as `33%`.
    #[schemars(regex(pattern = r"^\d+%$"))]
    #[serde(borrow)]
    pub(super) false_positive_rate: Cow<'a, str>,
}

/// One finding's votes and what they come to.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename = "tally_entry")]
pub(super) struct EntryContract<'a> {
    pub(super) finding_id: Cow<'a, FindingId>,
    pub(super) verdict: Verdict,
    /// The lowest severity among the yes votes; null unless confirmed.
    pub(super) final_severity: Option<Severity>,
    /// The severity that as many validators as the threshold asks for stand behind; null unless
    /// confirmed.
    pub(super) decision_severity: Option<Severity>,
    /// As SEEK rated it, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reported_severity: Option<Severity>,
    pub(super) votes: VotesContract,
    #[serde(borrow, default)]
    pub(super) reasoning: Cow<'a, str>,
}

/// How many validators said yes and no.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename = "votes")]
pub(super) struct VotesContract {
    pub(super) confirmed: u32,
    pub(super) false_positive: u32,
}

impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TallyContract {
            cycle: self.cycle,
            threshold: self.threshold.agree(),
            validators: self.threshold.validators(),
            validated: self.entries.iter().map(written).collect(),
            confirmed_count: self.confirmed_count(),
            false_positive_count: self.false_positive_count(),
            false_positive_rate: self.false_positive_rate().into(),
        }
        .serialize(serializer)
    }
}

fn written(entry: &Entry) -> EntryContract<'_> {
    let confirmed = match &entry.ruling {
        Ruling::Confirmed(confirmed) => Some(confirmed),
        Ruling::FalsePositive | Ruling::Unconfirmed => None,
    };
    EntryContract {
        finding_id: Cow::Borrowed(&entry.id),
        verdict: entry.verdict(),
        final_severity: confirmed.map(|confirmed| confirmed.final_severity),
        decision_severity: confirmed.map(|confirmed| confirmed.decision_severity),
        reported_severity: entry.reported,
        votes: VotesContract {
            confirmed: entry.votes.confirmed,
            false_positive: entry.votes.false_positive,
        },
        reasoning: Cow::Borrowed(&entry.reasoning),
    }
}

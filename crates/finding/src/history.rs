//! What earlier cycles found and what became of it.

use std::collections::HashMap;

use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize};

use crate::{Category, Finding, FindingId, Fingerprint, Place, Severity};

/// What the vote of a cycle said of a finding (DESIGN §5, contract `tally`).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// At least as many yes votes as the threshold asks for.
    Confirmed,
    /// Not confirmed, and somebody voted against it.
    FalsePositive,
    /// Not confirmed, and nobody voted against it: silence is not rejection (D9).
    Unconfirmed,
}

/// What became of a finding in a cycle (D18).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Fixed, and the evidence shows it.
    Fixed,
    /// Confirmed, and validly skipped.
    Skipped {
        /// Why, in the fixer's words.
        reason: String,
    },
    /// Claimed to be fixed, where nothing changed.
    Phantom,
    /// Confirmed, and the fixer did not answer for it.
    Unaccounted,
    /// Voted false by as many validators as the threshold asks for.
    Rejected,
    /// Neither confirmed nor rejected.
    Unconfirmed,
    /// Confirmed, and nobody was asked to fix it.
    Open,
}

impl Fate {
    /// True where the finding goes to the fixer first in the next cycle.
    pub fn is_carried(&self) -> bool {
        match self {
            Self::Phantom | Self::Unaccounted => true,
            Self::Fixed
            | Self::Skipped { .. }
            | Self::Rejected
            | Self::Unconfirmed
            | Self::Open => false,
        }
    }
}

/// One finding in one cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "history_entry")]
pub struct HistoryEntry {
    /// Number of the cycle, from 1.
    pub cycle: u32,
    /// Unique within the run; a carried finding keeps its id from cycle to cycle.
    pub finding_id: FindingId,
    /// By which a re-report is known.
    pub fingerprint: Fingerprint,
    /// The kind of fault.
    pub category: Category,
    /// As SEEK rated it.
    pub severity: Severity,
    /// Where it was.
    pub place: Place,
    /// What is wrong.
    pub description: String,
    /// Text of the code that shows it.
    pub evidence: String,
    /// What to do about it.
    pub recommendation: String,
    /// What the vote said.
    pub verdict: Verdict,
    /// What became of it.
    pub fate: Fate,
    /// The earlier finding whose place this one takes; that one matches no re-report any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reopens: Option<FindingId>,
}

impl HistoryEntry {
    /// The entry for a finding of `cycle`.
    pub fn new(
        cycle: u32,
        finding: &Finding,
        verdict: Verdict,
        fate: Fate,
        reopens: Option<FindingId>,
    ) -> Self {
        Self {
            cycle,
            finding_id: finding.id.clone(),
            fingerprint: Fingerprint::of(finding),
            category: finding.category,
            severity: finding.severity,
            place: finding.place.clone(),
            description: finding.description.clone(),
            evidence: finding.evidence.clone(),
            recommendation: finding.recommendation.clone(),
            verdict,
            fate,
            reopens,
        }
    }

    /// The finding as it was reported.
    pub fn finding(&self) -> Finding {
        Finding {
            id: self.finding_id.clone(),
            category: self.category,
            severity: self.severity,
            place: self.place.clone(),
            description: self.description.clone(),
            evidence: self.evidence.clone(),
            recommendation: self.recommendation.clone(),
        }
    }
}

/// All cycles so far (DESIGN §5, contract `history`); only grows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "history")]
pub struct History {
    /// One entry per finding and cycle, in the order in which they were added.
    pub entries: Vec<HistoryEntry>,
}

impl History {
    /// The last word on each finding: its latest entry, unless a later finding reopened it.
    ///
    /// In the order in which they were added. Of two entries for one finding in one cycle the one
    /// added later holds.
    pub fn standing(&self) -> Vec<&HistoryEntry> {
        let mut latest: HashMap<&FindingId, usize> = HashMap::new();
        let mut reopened: HashMap<&FindingId, u32> = HashMap::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let known = latest.entry(&entry.finding_id).or_insert(index);
            if entry.cycle >= self.entries[*known].cycle {
                *known = index;
            }
            if let Some(id) = &entry.reopens {
                let last = reopened.entry(id).or_insert(entry.cycle);
                *last = entry.cycle.max(*last);
            }
        }
        let holds = |index: usize, entry: &HistoryEntry| {
            latest[&entry.finding_id] == index
                && reopened.get(&entry.finding_id).is_none_or(|cycle| *cycle <= entry.cycle)
        };
        let entries = self.entries.iter().enumerate();
        entries.filter(|(index, entry)| holds(*index, entry)).map(|(_, entry)| entry).collect()
    }

    /// The findings that go to the fixer first in the next cycle: confirmed and then left
    /// unaccounted, or claimed to be fixed where nothing changed (D17, D18).
    pub fn carried(&self) -> Vec<Finding> {
        let standing = self.standing().into_iter();
        standing.filter(|entry| entry.fate.is_carried()).map(HistoryEntry::finding).collect()
    }
}

/// JSON Schema of the history.
pub fn history_schema() -> Schema {
    schema_for!(History)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(cycle: u32, id: &str, fate: Fate, reopens: Option<&str>) -> HistoryEntry {
        let finding = Finding {
            id: FindingId::new(id).expect("an id"),
            category: Category::Security,
            severity: Severity::High,
            place: Place { file: "a.rs".to_owned(), line: Some(1) },
            description: "what".to_owned(),
            evidence: "x()".to_owned(),
            recommendation: "mend".to_owned(),
        };
        HistoryEntry::new(
            cycle,
            &finding,
            Verdict::Confirmed,
            fate,
            reopens.and_then(FindingId::new),
        )
    }

    fn ids(findings: &[Finding]) -> Vec<&str> {
        findings.iter().map(|finding| finding.id.as_str()).collect()
    }

    #[test]
    fn the_last_word_on_a_carried_finding_holds() {
        let mut history = History {
            entries: vec![
                entry(1, "F1", Fate::Unaccounted, None),
                entry(1, "F2", Fate::Phantom, None),
                entry(1, "F3", Fate::Open, None),
            ],
        };
        assert_eq!(ids(&history.carried()), ["F1", "F2"]);
        history.entries.push(entry(2, "F1", Fate::Fixed, None));
        assert_eq!(ids(&history.carried()), ["F2"]);
        history.entries.push(entry(2, "F2", Fate::Phantom, None));
        assert_eq!(ids(&history.carried()), ["F2"]);
    }

    #[test]
    fn a_reopened_finding_gives_its_place_to_the_later_one() {
        let mut history = History {
            entries: vec![
                entry(2, "c2-F1", Fate::Unaccounted, Some("F1")),
                entry(1, "F1", Fate::Fixed, None),
            ],
        };
        let standing = |history: &History| {
            let ids = history.standing().into_iter().map(|entry| entry.finding_id.to_string());
            ids.collect::<Vec<_>>()
        };
        assert_eq!(standing(&history), ["c2-F1"]);
        // An entry cannot take the place of one of its own cycle, itself least of all.
        history.entries.push(entry(3, "F9", Fate::Open, Some("F9")));
        assert_eq!(standing(&history), ["c2-F1", "F9"]);
    }

    #[test]
    fn history_is_read_back_as_written() {
        let skipped = Fate::Skipped { reason: "needs a vendor patch".to_owned() };
        let history = History {
            entries: vec![entry(1, "F1", skipped, None), entry(2, "F2", Fate::Fixed, Some("F1"))],
        };
        let json = serde_json::to_string(&history).expect("JSON");
        assert!(json.contains(r#""fate":{"skipped":{"reason":"needs a vendor patch"}}"#), "{json}");
        assert_eq!(serde_json::from_str::<History>(&json).expect("a history"), history);
    }
}

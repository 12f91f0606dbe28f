//! The contracts as JSON (DESIGN §5): what blocks hold, what answers hold.
//!
//! Lists are read entry by entry: one that does not fit is named and left out, the rest counts.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tribunal_finding::{Category, FindingId, Severity};

use crate::fault::Fault;

/// A finding as validators and the fixer are told of it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Reported {
    pub(crate) id: FindingId,
    #[serde(default)]
    pub(crate) file: String,
    #[serde(default)]
    pub(crate) line: Option<u32>,
    #[serde(default)]
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) evidence: String,
}

/// The block `audit_findings`.
pub(crate) struct AuditFindings {
    /// Reported in this cycle.
    pub(crate) findings: Vec<Reported>,
    /// Confirmed before and not yet accounted for.
    pub(crate) carried: Vec<Reported>,
    /// Entries that could not be read.
    pub(crate) notes: Vec<String>,
}

#[derive(Deserialize)]
struct AuditFindingsBlock {
    findings: Vec<Box<RawValue>>,
    #[serde(default)]
    carried: Option<Vec<Box<RawValue>>>,
}

impl AuditFindings {
    pub(crate) fn read(json: &str) -> Result<Self, Fault> {
        let block: AuditFindingsBlock = block("audit_findings", json)?;
        let mut notes = Vec::new();
        let findings = entries("audit_findings.findings", &block.findings, &mut notes);
        let carried = block
            .carried
            .as_deref()
            .map_or_else(Vec::new, |list| entries("audit_findings.carried", list, &mut notes));
        Ok(Self { findings, carried, notes })
    }
}

#[derive(Deserialize)]
struct Tally {
    validated: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
struct TallyEntry {
    finding_id: FindingId,
    verdict: String,
}

/// The ids that the tally confirms.
pub(crate) fn confirmed(json: &str, notes: &mut Vec<String>) -> Result<Vec<FindingId>, Fault> {
    let tally: Tally = block("validated_findings", json)?;
    let entries: Vec<TallyEntry> = entries("validated_findings.validated", &tally.validated, notes);
    Ok(entries
        .into_iter()
        .filter(|entry| entry.verdict.trim().eq_ignore_ascii_case("confirmed"))
        .map(|entry| entry.finding_id)
        .collect())
}

#[derive(Deserialize)]
struct Judgement {
    findings: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
struct JudgementEntry {
    finding_id: FindingId,
    verdict: String,
}

/// The ids that an earlier turn settled: fixed as the tree proves, or skipped with a reason.
pub(crate) fn settled(json: &str, notes: &mut Vec<String>) -> Result<Vec<FindingId>, Fault> {
    let judgement: Judgement = block("fix_verification", json)?;
    let entries: Vec<JudgementEntry> =
        entries("fix_verification.findings", &judgement.findings, notes);
    Ok(entries
        .into_iter()
        .filter(|entry| matches!(entry.verdict.trim(), "fixed" | "skipped"))
        .map(|entry| entry.finding_id)
        .collect())
}

/// Reads a block of the prompt.
pub(crate) fn block<T: DeserializeOwned>(name: &'static str, json: &str) -> Result<T, Fault> {
    serde_json::from_str(json).map_err(|source| Fault::BadBlock { block: name, source })
}

/// Reads the entries of a list that can be read; a note tells of each other one.
pub(crate) fn entries<T: DeserializeOwned>(
    list: &str,
    raw: &[Box<RawValue>],
    notes: &mut Vec<String>,
) -> Vec<T> {
    let mut read = Vec::new();
    for (index, entry) in raw.iter().enumerate() {
        match serde_json::from_str(entry.get()) {
            Ok(entry) => read.push(entry),
            Err(error) => notes.push(format!("{list}[{index}] is left out: {error}")),
        }
    }
    read
}

/// The seeker's answer.
#[derive(Debug, Serialize)]
pub(crate) struct Findings {
    pub(crate) cycle: u32,
    pub(crate) findings: Vec<Found>,
    pub(crate) summary: String,
}

/// One finding of the seeker.
#[derive(Debug, Serialize)]
pub(crate) struct Found {
    pub(crate) id: String,
    pub(crate) category: Category,
    pub(crate) severity: Severity,
    pub(crate) file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    pub(crate) description: String,
    pub(crate) evidence: String,
    pub(crate) recommendation: String,
}

/// A validator's answer; findings on which it has nothing to say are absent.
#[derive(Debug, Serialize)]
pub(crate) struct Ballot {
    pub(crate) cycle: u32,
    pub(crate) validated: Vec<Vote>,
}

/// A validator's word on one finding.
#[derive(Debug, Serialize)]
pub(crate) struct Vote {
    pub(crate) finding_id: FindingId,
    pub(crate) verdict: Word,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) new_severity: Option<Severity>,
    pub(crate) reasoning: String,
}

/// The three words of a ballot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Word {
    Confirmed,
    FalsePositive,
    Downgraded,
}

/// The fixer's answer.
#[derive(Debug, Serialize)]
pub(crate) struct FixReport {
    pub(crate) cycle: u32,
    pub(crate) fixes_applied: Vec<Applied>,
    pub(crate) fixes_skipped: Vec<Skipped>,
    pub(crate) total_fixed: usize,
    pub(crate) total_skipped: usize,
    pub(crate) status: FixStatus,
}

/// Whether every finding was mended.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FixStatus {
    Complete,
    Partial,
}

/// A finding that an edit mended.
#[derive(Debug, Serialize)]
pub(crate) struct Applied {
    pub(crate) finding_id: FindingId,
    pub(crate) file: String,
    pub(crate) change: String,
    /// The inspector runs no tests.
    pub(crate) test_verified: bool,
}

/// A finding that no edit mended, and why.
#[derive(Debug, Serialize)]
pub(crate) struct Skipped {
    pub(crate) finding_id: FindingId,
    pub(crate) reason: String,
}

/// Writes an answer as one line of JSON.
pub(crate) fn answer<T: Serialize>(value: &T) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(Fault::Answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_does_not_fit_is_named_and_the_rest_counts() {
        let read = AuditFindings::read(
            r#"{"cycle":1,"findings":[{"id":1,"file":"a.py","line":3,"description":"d"},
                {"file":"b.py"},{"id":"F2","file":"c.py","line":"x"}],"carried":null}"#,
        )
        .expect("a block");
        let ids: Vec<&str> = read.findings.iter().map(|finding| finding.id.as_str()).collect();
        assert_eq!(ids, ["1"]);
        assert_eq!(read.notes.len(), 2, "{:?}", read.notes);
    }

    #[test]
    fn a_block_without_its_list_is_a_fault() {
        let fault = AuditFindings::read("{}").err().expect("a fault");
        assert_eq!(fault.exit_status(), 1);
    }

    #[test]
    fn only_confirmed_findings_are_to_be_fixed() {
        let mut notes = Vec::new();
        let tally = r#"{"validated":[{"finding_id":"F1","verdict":"confirmed"},
            {"finding_id":2.0,"verdict":"false_positive"},{"finding_id":"F3","verdict":"unconfirmed"}]}"#;
        let ids = confirmed(tally, &mut notes).expect("a tally");
        assert_eq!(ids.iter().map(FindingId::as_str).collect::<Vec<_>>(), ["F1"]);
    }
}

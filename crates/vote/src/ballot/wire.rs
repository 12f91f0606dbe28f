//! The ballot contract as JSON: described, and read entry by entry.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;
use serde_json::value::RawValue;
use tribunal_finding::{EntryProblem, FindingId, Severity};

use crate::{Vote, Word};

/// The list that makes an answer a ballot, and that extraction prefers.
pub(crate) const KEY: &str = "validated";

/// True for a value with an id and one of the three words; for extraction, which prefers an object
/// with at least one of them, so that an echoed template is no answer (D3).
pub fn is_vote_entry(raw: &RawValue) -> bool {
    open(raw, 0).is_ok_and(|entry| id_and_word(&entry, 0).is_ok())
}

/// JSON Schema of what a validator is asked for.
pub fn ballot_schema() -> Schema {
    schema_for!(BallotContract)
}

pub(crate) fn path(index: usize) -> String {
    format!("/{KEY}/{index}")
}

/// Reads one entry; what can be left out without changing the vote is named and left out.
pub(crate) fn vote(
    raw: &RawValue,
    index: usize,
    problems: &mut Vec<EntryProblem>,
) -> Result<Vote, EntryProblem> {
    let entry = open(raw, index)?;
    let (id, word) = id_and_word(&entry, index)?;
    let severity = if word.is_yes() { severity(entry.new_severity, index)? } else { None };
    let reasoning = reasoning(entry.reasoning).unwrap_or_else(|| {
        let at = format!("{}/reasoning", path(index));
        problems.push(EntryProblem { at, reason: "the reasoning is no text; left out".to_owned() });
        String::new()
    });
    Ok(Vote { id, word, severity, reasoning })
}

/// An entry's members before they are understood; a name that stands twice makes the entry unfit.
#[derive(Deserialize)]
struct EntryWire<'a> {
    #[serde(borrow)]
    finding_id: Option<&'a RawValue>,
    #[serde(borrow)]
    verdict: Option<&'a RawValue>,
    #[serde(borrow)]
    new_severity: Option<&'a RawValue>,
    #[serde(borrow)]
    reasoning: Option<&'a RawValue>,
}

fn open(raw: &RawValue, index: usize) -> Result<EntryWire<'_>, EntryProblem> {
    // A list would be taken as the members in their order.
    if !raw.get().trim_start().starts_with('{') {
        return Err(no_vote(path(index), "an entry is an object"));
    }
    serde_json::from_str(raw.get()).map_err(|error| no_vote(path(index), &error.to_string()))
}

fn no_vote(at: String, reason: &str) -> EntryProblem {
    EntryProblem { at, reason: format!("{reason}; this is no vote") }
}

fn id_and_word(entry: &EntryWire<'_>, index: usize) -> Result<(FindingId, Word), EntryProblem> {
    let id = entry
        .finding_id
        .and_then(FindingId::from_json)
        .ok_or_else(|| no_vote(path(index), "no finding_id (a number or a line of text)"))?;
    let raw = entry.verdict.ok_or_else(|| no_vote(path(index), "no verdict"))?;
    let at = || format!("{}/verdict", path(index));
    let word = text(raw)
        .ok_or_else(|| no_vote(at(), "the verdict is no text"))?
        .parse::<Word>()
        .map_err(|error| no_vote(at(), &error.to_string()))?;
    Ok((id, word))
}

/// A severity that is not given, or blank, is none; one that is no severity spoils the vote (D6).
fn severity(raw: Option<&RawValue>, index: usize) -> Result<Option<Severity>, EntryProblem> {
    let Some(raw) = raw else { return Ok(None) };
    let at = || format!("{}/new_severity", path(index));
    let word = text(raw).ok_or_else(|| no_vote(at(), "the severity is no text"))?;
    if word.trim().is_empty() {
        return Ok(None);
    }
    word.parse().map(Some).map_err(|_| {
        let reason = format!("{} is no severity", tribunal_finding::quote(&word));
        no_vote(at(), &reason)
    })
}

/// A text, or a list of texts; `None` when it is anything else.
fn reasoning(raw: Option<&RawValue>) -> Option<String> {
    let Some(raw) = raw else { return Some(String::new()) };
    if raw.get().starts_with('[') {
        let parts: Vec<String> = serde_json::from_str(raw.get()).ok()?;
        return Some(parts.join("; "));
    }
    text(raw).map(Cow::into_owned)
}

/// `None` for a value of another kind; which kind it is does not matter to any caller.
fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    let inner = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        return serde_json::from_str(raw.get()).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(inner))
}

/// One validator's votes on the findings it was given.
#[derive(JsonSchema)]
#[schemars(rename = "ballot")]
#[expect(dead_code, reason = "the schema is made from it; reading goes entry by entry")]
struct BallotContract {
    /// Name of the validator; votes are counted by position, never by this name.
    validator: Option<String>,
    /// Number of the cycle, from 1.
    cycle: Option<u32>,
    /// One entry per finding.
    validated: Vec<VoteContract>,
}

/// The verdict on one finding.
#[derive(JsonSchema)]
#[schemars(rename = "vote")]
#[expect(dead_code, reason = "the schema is made from it; reading goes entry by entry")]
struct VoteContract {
    /// The finding's id, as it was given.
    finding_id: FindingId,
    verdict: Word,
    /// How much it really matters, where that differs from what was reported.
    new_severity: Option<Severity>,
    /// Why, in a sentence or two.
    reasoning: Option<String>,
}

//! The findings contract as JSON: written, described, and read entry by entry.

use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::fresh::TakenIds;
use crate::list::{NoList, list_entries};
use crate::quote::quote;
use crate::{Category, EntryProblem, Finding, FindingId, Mention, Place, Severity};

const KEY: &str = "findings";

/// An answer in which no findings can be looked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the answer holds no findings: {0}")]
pub struct NotFindings(#[from] pub NoList);

/// Reads what SEEK answered (DESIGN §5, contract `findings`).
///
/// An entry that does not fit is dropped and named in the problems, with its instance path; the
/// rest counts. `title` is read as `description`, and a `line` that is no whole number from 1 is left
/// out and named. Ids are unique afterwards: of two entries with one id the later is given a fresh
/// one (`F1-2`) and named, so that no finding is lost.
///
/// # Errors
/// [`NotFindings`] when there is no list `findings`; that is never "nothing found".
pub fn read_findings(json: &str) -> Result<(Vec<Finding>, Vec<EntryProblem>), NotFindings> {
    read(json, finding, |finding| &mut finding.id)
}

/// Reads findings that are handed to a single rule: `id` alone is required, everything else is kept
/// where it fits (DESIGN §5). Problems, ids and errors as in [`read_findings`].
///
/// # Errors
/// [`NotFindings`] when there is no list `findings`.
pub fn read_mentions(json: &str) -> Result<(Vec<Mention>, Vec<EntryProblem>), NotFindings> {
    read(json, mention, |mention| &mut mention.id)
}

/// True for a value that [`read_findings`] takes as an entry; for extraction, which prefers an
/// object with at least one of them (D3).
pub fn is_finding_entry(raw: &RawValue) -> bool {
    finding(raw, "", &mut Vec::new()).is_ok()
}

/// JSON Schema of what SEEK is asked for.
pub fn findings_schema() -> Schema {
    schema_for!(FindingsContract)
}

fn read<T>(
    json: &str,
    entry: impl Fn(&RawValue, &str, &mut Vec<EntryProblem>) -> Result<T, EntryProblem>,
    id_of: impl Fn(&mut T) -> &mut FindingId,
) -> Result<(Vec<T>, Vec<EntryProblem>), NotFindings> {
    let mut problems = Vec::new();
    let mut read = Vec::new();
    for (index, raw) in list_entries(json, KEY)?.into_iter().enumerate() {
        let at = format!("/{KEY}/{index}");
        match entry(raw, &at, &mut problems) {
            Ok(value) => read.push((at, value)),
            Err(problem) => problems.push(problem),
        }
    }
    rename_repeated(&mut read, id_of, &mut problems);
    Ok((read.into_iter().map(|(_, value)| value).collect(), problems))
}

fn rename_repeated<T>(
    read: &mut [(String, T)],
    id_of: impl Fn(&mut T) -> &mut FindingId,
    problems: &mut Vec<EntryProblem>,
) {
    let mut seen = TakenIds::default();
    // All first uses are taken before a fresh id is made: a later `F1-2` of the report keeps its name.
    let is_repeat: Vec<bool> =
        read.iter_mut().map(|(_, value)| !seen.insert(id_of(value).clone())).collect();
    for ((at, value), _) in read.iter_mut().zip(is_repeat).filter(|(_, is_repeat)| *is_repeat) {
        let id = id_of(value);
        let fresh = seen.take(id);
        let reason =
            format!("id {} is used twice; this one is read as {fresh}", quote(id.as_str()));
        problems.push(EntryProblem { at: format!("{at}/id"), reason });
        *id = fresh;
    }
}

/// An entry's members before they are understood; a name that stands twice makes the entry unfit.
#[derive(Deserialize)]
struct EntryWire<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    category: Option<&'a RawValue>,
    #[serde(borrow)]
    severity: Option<&'a RawValue>,
    #[serde(borrow)]
    file: Option<&'a RawValue>,
    #[serde(borrow)]
    line: Option<&'a RawValue>,
    #[serde(borrow)]
    description: Option<&'a RawValue>,
    #[serde(borrow)]
    title: Option<&'a RawValue>,
    #[serde(borrow)]
    evidence: Option<&'a RawValue>,
    #[serde(borrow)]
    recommendation: Option<&'a RawValue>,
}

fn finding(
    raw: &RawValue,
    at: &str,
    problems: &mut Vec<EntryProblem>,
) -> Result<Finding, EntryProblem> {
    let wire = open(raw, at)?;
    let description = if wire.description.is_some() { wire.description } else { wire.title };
    let finding = Finding {
        id: id(wire.id, at)?,
        category: word(wire.category, at, "category")?,
        severity: word(wire.severity, at, "severity")?,
        place: Place { file: file(wire.file, at)?, line: None },
        description: said(description, at, "description")?,
        evidence: text(wire.evidence, at, "evidence")?,
        recommendation: text(wire.recommendation, at, "recommendation")?,
    };
    let line = kept(line(wire.line, at), problems);
    Ok(Finding { place: Place { line, ..finding.place }, ..finding })
}

fn mention(
    raw: &RawValue,
    at: &str,
    problems: &mut Vec<EntryProblem>,
) -> Result<Mention, EntryProblem> {
    let wire = open(raw, at)?;
    let id = id(wire.id, at)?;
    let description = if wire.description.is_some() { wire.description } else { wire.title };
    // What is not there at all is no problem in a mention; what is there and unfit is named.
    let mut text_of = |raw: Option<&RawValue>, name| {
        raw.and_then(|raw| kept(text(Some(raw), at, name).map(Some), problems))
    };
    let (description, evidence, recommendation) = (
        text_of(description, "description"),
        text_of(wire.evidence, "evidence"),
        text_of(wire.recommendation, "recommendation"),
    );
    let line = kept(line(wire.line, at), problems);
    Ok(Mention {
        id,
        category: wire
            .category
            .and_then(|raw| kept(word(Some(raw), at, "category").map(Some), problems)),
        severity: wire
            .severity
            .and_then(|raw| kept(word(Some(raw), at, "severity").map(Some), problems)),
        place: wire
            .file
            .and_then(|raw| kept(file(Some(raw), at).map(Some), problems))
            .map(|file| Place { file, line }),
        description,
        evidence,
        recommendation,
    })
}

/// Takes a value that an entry can do without; its problem is named, the entry stays.
fn kept<T>(read: Result<Option<T>, EntryProblem>, problems: &mut Vec<EntryProblem>) -> Option<T> {
    read.unwrap_or_else(|problem| {
        let reason = format!("{}; left out", problem.reason);
        problems.push(EntryProblem { reason, ..problem });
        None
    })
}

fn open<'a>(raw: &'a RawValue, at: &str) -> Result<EntryWire<'a>, EntryProblem> {
    // A list would be taken as the members in their order.
    if !raw.get().trim_start().starts_with('{') {
        return Err(unfit(at, "an entry is an object".to_owned()));
    }
    serde_json::from_str(raw.get()).map_err(|error| unfit(at, error.to_string()))
}

fn unfit(at: &str, reason: String) -> EntryProblem {
    EntryProblem { at: at.to_owned(), reason }
}

fn id(raw: Option<&RawValue>, at: &str) -> Result<FindingId, EntryProblem> {
    raw.and_then(FindingId::from_json)
        .ok_or_else(|| unfit(at, "no id (a number or a line of text)".to_owned()))
}

fn text(raw: Option<&RawValue>, at: &str, name: &str) -> Result<String, EntryProblem> {
    let raw = raw.ok_or_else(|| unfit(at, format!("no {name}")))?;
    serde_json::from_str(raw.get())
        .map_err(|_| unfit(&format!("{at}/{name}"), format!("the {name} is no text")))
}

fn said(raw: Option<&RawValue>, at: &str, name: &str) -> Result<String, EntryProblem> {
    let text = text(raw, at, name)?;
    if text.trim().is_empty() {
        return Err(unfit(&format!("{at}/{name}"), format!("the {name} is blank")));
    }
    Ok(text)
}

fn word<T>(raw: Option<&RawValue>, at: &str, name: &str) -> Result<T, EntryProblem>
where
    T: std::str::FromStr,
{
    let word = said(raw, at, name)?;
    word.parse()
        .map_err(|_| unfit(&format!("{at}/{name}"), format!("{} is no {name}", quote(&word))))
}

/// The path from the repository root, without `./` before it.
fn file(raw: Option<&RawValue>, at: &str) -> Result<String, EntryProblem> {
    let file = said(raw, at, "file")?;
    let mut path = file.trim();
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.trim_start_matches('/');
    }
    if path.is_empty() {
        return Err(unfit(&format!("{at}/file"), format!("{} names no file", quote(&file))));
    }
    Ok(path.to_owned())
}

fn line(raw: Option<&RawValue>, at: &str) -> Result<Option<u32>, EntryProblem> {
    let Some(raw) = raw else { return Ok(None) };
    match serde_json::from_str::<u32>(raw.get()) {
        Ok(line) if line > 0 => Ok(Some(line)),
        _ => Err(unfit(&format!("{at}/line"), "the line is no whole number from 1".to_owned())),
    }
}

/// What SEEK reports in one cycle.
#[derive(JsonSchema)]
#[schemars(rename = "findings")]
#[expect(dead_code, reason = "the schema is made from it; reading goes entry by entry")]
struct FindingsContract {
    /// Number of the cycle, from 1.
    cycle: Option<u32>,
    /// Every fault found, worst first; empty when there is none.
    findings: Vec<FindingContract<'static>>,
    /// Free-form totals.
    summary: Option<serde_json::Value>,
}

/// One fault, with the evidence that makes it checkable.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "finding")]
struct FindingContract<'a> {
    /// Unique within the report.
    id: &'a FindingId,
    category: Category,
    severity: Severity,
    /// Path from the repository root, with `/`.
    #[schemars(regex(pattern = r"[^\s./]"))]
    file: &'a str,
    /// Line, counted from 1; left out for a finding about the whole file.
    #[schemars(range(min = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// What is wrong, in a sentence.
    #[schemars(regex(pattern = r"\S"))]
    description: &'a str,
    /// Text of the code that shows it, word for word.
    evidence: &'a str,
    /// What to do about it.
    recommendation: &'a str,
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        FindingContract {
            id: &self.id,
            category: self.category,
            severity: self.severity,
            file: &self.place.file,
            line: self.place.line,
            description: &self.description,
            evidence: &self.evidence,
            recommendation: &self.recommendation,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Finding {
    /// Reads one entry of the contract, as strictly as [`read_findings`] does.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        finding(&raw, "", &mut Vec::new())
            .map_err(|problem| serde::de::Error::custom(problem.reason))
    }
}

//! One entry of the list, member by member.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::quote::quote;
use crate::{EntryProblem, Finding, FindingId, Mention, Place};

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

/// Reads an entry of which everything is asked for.
pub(super) fn finding(
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

/// Reads an entry of which the id alone is asked for.
pub(super) fn mention(
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

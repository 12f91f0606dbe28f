//! What is wrong with a YAML text, in words of ours and with its place.

use std::ops::Range;

use serde_saphyr::Error;
use serde_saphyr::budget::BudgetBreach;

use super::read::{MAX_DEPTH, MAX_NODES, floor_boundary, known};
use crate::problem::{Problem, ProblemKind};
use crate::scope::nearest;

/// A fault of the text as a problem.
pub(super) fn fault(text: &str, error: &Error) -> Problem {
    let span = error.location().map_or(0..0, |location| place(text, &location));
    let line_start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].split('\n').next().unwrap_or("");
    let problem = described(error, |kind, message| Problem::new(kind, span.clone(), message));
    if problem.remedy.is_none() && line.trim_start_matches(' ').starts_with('\t') {
        return problem.remedy("indent with spaces, not with tabs");
    }
    problem
}

fn described(error: &Error, problem: impl Fn(ProblemKind, String) -> Problem) -> Problem {
    let syntax = |message: String| problem(ProblemKind::Syntax, message);
    match error {
        Error::WithSnippet { error, .. } | Error::AliasError { error, .. } => {
            described(error, problem)
        }
        Error::Budget { breach: BudgetBreach::Depth { .. }, .. } => syntax(too_deep()),
        Error::Budget { breach: BudgetBreach::Documents { .. }, .. }
        | Error::MultipleDocuments { .. } => syntax("more than one document".to_owned()),
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => syntax(format!(
            "more than {MAX_NODES} values, with aliases counted as often as they are used"
        )),
        Error::DuplicateMappingKey { key, .. } => {
            let key = key.as_deref().unwrap_or_default();
            problem(ProblemKind::DuplicateKey, format!("duplicate key `{key}`"))
                .remedy("keep one of them")
        }
        Error::SerdeUnknownField { field, expected, .. } => {
            problem(ProblemKind::UnknownKey, format!("unknown key `{field}`"))
                .remedy(meant(field, expected))
        }
        Error::SerdeUnknownVariant { variant, expected, .. } => {
            problem(ProblemKind::Value, format!("there is no `{variant}`"))
                .remedy(meant(variant, expected))
        }
        Error::SerdeInvalidType { unexpected, expected, .. }
        | Error::SerdeInvalidValue { unexpected, expected, .. } => {
            problem(ProblemKind::Value, format!("expected {expected}, found {unexpected}"))
        }
        Error::SerdeMissingField { field, .. } => {
            problem(ProblemKind::Missing, format!("the key `{field}` is missing"))
        }
        Error::Unexpected { expected: "mapping start", .. } => {
            problem(ProblemKind::Value, "a map of keys belongs here".to_owned())
        }
        Error::Unexpected { expected: "sequence start", .. } => {
            problem(ProblemKind::Value, "a list belongs here".to_owned())
        }
        other => {
            let written = other.to_string();
            // The place travels in the span.
            let message = written.split(" at line ").next().unwrap_or(&written).trim();
            // The scanner has a limit of its own, and no kind for it.
            syntax(if message.starts_with("recursion limit") {
                too_deep()
            } else {
                message.to_owned()
            })
        }
    }
}

fn too_deep() -> String {
    format!("more than {MAX_DEPTH} lists and maps inside each other")
}

fn meant(word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", known.join(", ")),
    }
}

/// Bytes of a place; the scanner's own faults know line and column alone.
fn place(text: &str, location: &serde_saphyr::Location) -> Range<usize> {
    let span = location.span();
    if span.byte_offset().is_some() {
        let (start, length) = (known(span.byte_offset()), known(span.byte_len()));
        let start = floor_boundary(text, start);
        return start..floor_boundary(text, start.saturating_add(length)).max(start);
    }
    let line_number = known(Some(location.line().saturating_sub(1)));
    let column = known(Some(location.column().saturating_sub(1)));
    let line_start: usize = text.split_inclusive('\n').take(line_number).map(str::len).sum();
    let line = text[line_start..].split('\n').next().unwrap_or("");
    let start = line_start + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
    let length = text[start..].chars().next().map_or(0, char::len_utf8);
    start..start + length
}

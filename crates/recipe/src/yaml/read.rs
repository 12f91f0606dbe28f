//! The one function that reads recipes: strict booleans, `007` and `1_000` stay text, at most 20,000
//! nodes and 1,000,000 bytes, no merge keys, one document (DESIGN §7).

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy};

use super::{Entry, Value, Yaml};
use crate::datum::Datum;
use crate::problem::{Problem, ProblemKind};

const MAX_BYTES: usize = 1_000_000;
const MAX_NODES: usize = 20_000;

/// Reads a YAML text; keys given twice are kept, and reported as problems.
pub(crate) fn read(text: &str) -> Result<(Yaml, Vec<Problem>), Problem> {
    if text.len() > MAX_BYTES {
        let message = format!("the recipe is longer than {MAX_BYTES} bytes");
        return Err(Problem::new(ProblemKind::Syntax, 0..0, message));
    }
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_nodes: MAX_NODES,
            max_events: 4 * MAX_NODES,
            max_documents: 1,
            max_depth: 32,
            flow_nesting_limit: 32,
        },
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        emit_comments: false,
        with_snippet: false,
    };
    let read: Result<Spanned<Value>, _> = serde_saphyr::from_str_with_options(text, options);
    let tree = read.map(yaml).map_err(|error| syntax(text, &error))?;
    let mut problems = Vec::new();
    duplicates(&tree, &mut problems);
    Ok((tree, problems))
}

fn duplicates(tree: &Yaml, problems: &mut Vec<Problem>) {
    match &tree.value {
        Value::Scalar(_) => {}
        Value::List(items) => items.iter().for_each(|item| duplicates(item, problems)),
        Value::Map(entries) => {
            let mut seen = std::collections::HashSet::new();
            for entry in entries {
                if !seen.insert(entry.key.as_str()) {
                    let message = format!("duplicate key `{}`", entry.key);
                    let problem =
                        Problem::new(ProblemKind::DuplicateKey, entry.key_span.clone(), message);
                    problems.push(problem.remedy("keep one of them"));
                }
                duplicates(&entry.value, problems);
            }
        }
    }
}

fn syntax(text: &str, error: &serde_saphyr::Error) -> Problem {
    let span = error.location().map_or(0..0, |location| place(text, &location));
    let line_start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].split('\n').next().unwrap_or("");
    let problem = |message: String| Problem::new(ProblemKind::Syntax, span.clone(), message);
    let written = error.without_snippet().to_string();
    if written.starts_with("budget breached") {
        return problem(format!(
            "more than one document, or more than {MAX_NODES} values with aliases counted as often \
             as they are used"
        ));
    }
    // The place travels in the span.
    let message = written.split(" at line ").next().unwrap_or(&written).trim().to_owned();
    if line.trim_start_matches(' ').starts_with('\t') {
        problem(message).remedy("indent with spaces, not with tabs")
    } else {
        problem(message)
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

fn known(number: Option<u64>) -> usize {
    number.and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
}

fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn yaml(spanned: Spanned<Value>) -> Yaml {
    let span = spanned.referenced.span();
    let start = known(span.byte_offset());
    let mut end = start + known(span.byte_len());
    // A list or map is told by its beginning alone: it ends with what it holds.
    match &spanned.value {
        Value::Scalar(_) => {}
        Value::List(items) => end = items.last().map_or(end, |item| item.span.end.max(end)),
        Value::Map(entries) => {
            end = entries.last().map_or(end, |entry| entry.value.span.end.max(end));
        }
    }
    Yaml { span: start..end, value: spanned.value }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyNode)
    }
}

struct AnyNode;

impl<'de> Visitor<'de> for AnyNode {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any YAML value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Scalar(Datum::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Scalar(Datum::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Scalar(Datum::Int(value)))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Value, E> {
        let value = i64::try_from(value).map_err(|_| E::custom("a number beyond 64 bits"))?;
        Ok(Value::Scalar(Datum::Int(value)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Scalar(Datum::Float(value)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Scalar(Datum::from(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element::<Spanned<Value>>()? {
            items.push(yaml(item));
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) = map.next_entry::<Spanned<String>, Spanned<Value>>()? {
            let span = key.referenced.span();
            let start = known(span.byte_offset());
            let key_span = start..start + known(span.byte_len());
            entries.push(Entry { key: key.value, key_span, value: yaml(value) });
        }
        Ok(Value::Map(entries))
    }
}

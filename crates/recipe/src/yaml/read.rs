//! The one reader of YAML: strict booleans, `007` and `1_000` stay text, at most 20,000 nodes, 32
//! levels and 1,000,000 bytes, no merge keys, one document (DESIGN §7).

use std::fmt;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy};

use super::fault::fault;
use super::{Entry, Value, Yaml};
use crate::datum::Datum;
use crate::problem::{Problem, ProblemKind};

const MAX_BYTES: usize = 1_000_000;
pub(super) const MAX_NODES: usize = 20_000;
pub(super) const MAX_DEPTH: usize = 32;

/// Reads a YAML text; keys given twice are kept, and reported as problems.
pub(crate) fn read(text: &str) -> Result<(Yaml, Vec<Problem>), Problem> {
    let tree: Spanned<Value> = parse(text, DuplicateKeyPolicy::PassThrough)?;
    let tree = yaml(tree);
    let mut problems = Vec::new();
    duplicates(&tree, &mut problems);
    Ok((tree, problems))
}

/// Reads a YAML text as a type of the caller's, as strictly as a recipe is read: for settings.
///
/// # Errors
/// The first fault, with its place in the text: what is no YAML, more than is read (20,000 values,
/// 32 levels, 1,000,000 bytes, one document), a key that is unknown or given twice, a value of the
/// wrong kind.
pub fn read_yaml<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    parse(text, DuplicateKeyPolicy::Error)
}

fn parse<T: DeserializeOwned>(
    text: &str,
    duplicate_keys: DuplicateKeyPolicy,
) -> Result<T, Problem> {
    if text.len() > MAX_BYTES {
        let message = format!("the text is longer than {MAX_BYTES} bytes");
        return Err(Problem::new(ProblemKind::Syntax, 0..0, message));
    }
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_nodes: MAX_NODES,
            max_events: 4 * MAX_NODES,
            max_documents: 1,
            max_depth: MAX_DEPTH,
            flow_nesting_limit: MAX_DEPTH,
        },
        duplicate_keys: duplicate_keys,
        merge_keys: MergeKeyPolicy::Error,
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        emit_comments: false,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| fault(text, &error))
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

pub(super) fn known(number: Option<u64>) -> usize {
    number.and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
}

pub(super) fn floor_boundary(text: &str, at: usize) -> usize {
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

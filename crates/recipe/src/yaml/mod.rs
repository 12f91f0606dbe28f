//! A YAML text as a tree in which every key and value knows its place.

mod fault;
mod read;

use std::ops::Range;

use crate::datum::{Datum, Fields};

pub(crate) use read::read;
pub use read::read_yaml;

/// A value with its place in the text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Yaml {
    pub(crate) span: Range<usize>,
    pub(crate) value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// Null, boolean, number or text.
    Scalar(Datum),
    List(Vec<Yaml>),
    Map(Vec<Entry>),
}

/// One key of a map and its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_span: Range<usize>,
    pub(crate) value: Yaml,
}

impl Yaml {
    /// What stands here, for a message that says what should.
    pub(crate) fn found(&self) -> String {
        match &self.value {
            Value::Scalar(Datum::Null) => "nothing".to_owned(),
            Value::Scalar(Datum::Text(text)) => format!("the text {}", quoted(text)),
            Value::Scalar(value) => quoted(&value.render()),
            Value::List(items) if items.is_empty() => "an empty list".to_owned(),
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "a map".to_owned(),
        }
    }

    pub(crate) fn to_datum(&self) -> Datum {
        match &self.value {
            Value::Scalar(value) => value.clone(),
            Value::List(items) => Datum::List(items.iter().map(Self::to_datum).collect()),
            Value::Map(entries) => {
                let fields: Fields = entries
                    .iter()
                    .map(|entry| (entry.key.clone(), entry.value.to_datum()))
                    .collect();
                Datum::Map(fields)
            }
        }
    }

    /// Where a part of this text value stands in `source`; the whole value where that cannot be told.
    pub(crate) fn part(&self, source: &str, part: &Range<usize>) -> Range<usize> {
        let Value::Scalar(Datum::Text(text)) = &self.value else { return self.span.clone() };
        let written = source.get(self.span.clone()).unwrap_or("");
        let placed = match written.find(text.as_str()) {
            Some(at) if !text.is_empty() => Some(at + part.start..at + part.end),
            _ => block_part(written, text, part),
        };
        match placed {
            Some(inner) if inner.end <= written.len() => {
                self.span.start + inner.start..self.span.start + inner.end
            }
            _ => self.span.clone(),
        }
    }
}

/// The beginning of a text, on one line and inert.
fn quoted(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

/// Finds a part of a `|` block by its line: each line of the text stands on its own, indented; the
/// first begins where the value does.
fn block_part(written: &str, text: &str, part: &Range<usize>) -> Option<Range<usize>> {
    let before = text.get(..part.start)?;
    let line_number = before.matches('\n').count();
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    let line = text.split('\n').nth(line_number)?;
    let start: usize = written.split_inclusive('\n').take(line_number).map(str::len).sum();
    let written_line = written.get(start..)?.split('\n').next()?;
    let indent = written_line.strip_suffix(line)?.len();
    let length = part.len().min(line.len().checked_sub(column)?);
    let at = start + indent + column;
    Some(at..at + length)
}

#[cfg(test)]
mod tests;

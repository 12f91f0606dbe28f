//! What the summarizer is told of a run: findings with their fates, and figures.
//!
//! Read leniently: a summary of a run with one odd entry is worth more than none.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tribunal_finding::Severity;

use crate::fault::Fault;
use crate::rule::one_line;
use crate::wire::{block, entries};

/// A finding of any cycle and what became of it.
#[derive(Deserialize)]
pub(crate) struct RunFinding {
    pub(crate) id: String,
    pub(crate) severity: Severity,
    file: String,
    line: Option<u32>,
    pub(crate) description: String,
    pub(crate) fate: Fate,
    pub(crate) reason: Option<String>,
}

/// What became of a finding, in the words that the run uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Fate {
    Fixed,
    Skipped,
    Phantom,
    Unaccounted,
    Rejected,
    Unconfirmed,
    Open,
}

impl Fate {
    /// The validators did not agree on it, or voted it down.
    pub(crate) fn is_unconfirmed(self) -> bool {
        match self {
            Self::Rejected | Self::Unconfirmed => true,
            Self::Fixed | Self::Skipped | Self::Phantom | Self::Unaccounted | Self::Open => false,
        }
    }

    /// Confirmed, and neither mended nor skipped with a reason (D47).
    pub(crate) fn is_left(self) -> bool {
        match self {
            Self::Phantom | Self::Unaccounted | Self::Open => true,
            Self::Fixed | Self::Skipped | Self::Rejected | Self::Unconfirmed => false,
        }
    }
}

impl RunFinding {
    /// `file:line`, or the file alone.
    pub(crate) fn place(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", self.file),
            None => self.file.clone(),
        }
    }
}

/// Reads `run_findings`, a list.
pub(crate) fn read_findings(json: &str, notes: &mut Vec<String>) -> Result<Vec<RunFinding>, Fault> {
    let raw: Vec<Box<RawValue>> = block("run_findings", json)?;
    Ok(entries("run_findings", &raw, notes))
}

/// One figure of the run.
pub(crate) struct Figure {
    /// The path of keys that leads to it.
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) number: Option<f64>,
}

impl Figure {
    /// All keys of its name but the last.
    pub(crate) fn group(&self) -> &str {
        self.name.rsplit_once(" / ").map_or("", |(group, _)| group)
    }

    /// The last key of its name.
    pub(crate) fn key(&self) -> &str {
        self.name.rsplit(" / ").next().unwrap_or(&self.name)
    }
}

/// Reads `run_figures`, an object of numbers and texts nested as deep as the run likes.
pub(crate) fn read_figures(json: &str) -> Result<Vec<Figure>, Fault> {
    let value = block("run_figures", json)?;
    let mut figures = Vec::new();
    flatten("", &value, &mut figures);
    Ok(figures)
}

fn flatten(name: &str, value: &Value, figures: &mut Vec<Figure>) {
    let below =
        |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name} / {key}") };
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                flatten(&below(key), value, figures);
            }
        }
        Value::Array(items) => {
            for (number, item) in (1..).zip(items) {
                flatten(&below(&i32::to_string(&number)), item, figures);
            }
        }
        Value::Null => {}
        Value::String(text) => {
            figures.push(Figure { name: name.to_owned(), value: one_line(text), number: None });
        }
        Value::Bool(_) | Value::Number(_) => figures.push(Figure {
            name: name.to_owned(),
            value: value.to_string(),
            number: value.as_f64(),
        }),
    }
}

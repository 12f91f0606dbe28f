//! The JSON of journals and reports, as far as these tests look at it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

/// A journal, line by line; the header is line 0, record 1 line 1.
#[derive(Clone)]
pub(super) struct Journal {
    pub(super) file: PathBuf,
    lines: Vec<String>,
    records: Vec<Record>,
}

/// What a record tells, as far as it matters here.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Record {
    Launched(String),
    Replied(String),
    Snapped(u32),
    Restored(u32),
    Kept { call: String, place: String },
    Computed,
    Resumed,
    Finished,
    TornLine,
    OtherEvent,
    OtherNote,
}

impl Journal {
    /// Reads the whole lines of a journal.
    pub(super) fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let end = text.rfind('\n').map_or(0, |end| end + 1);
        let lines: Vec<String> = text[..end].split_inclusive('\n').map(str::to_owned).collect();
        let records = lines.iter().skip(1).map(|line| record(line)).collect();
        Self { file: file.to_owned(), lines, records }
    }

    pub(super) fn n_records(&self) -> usize {
        self.records.len()
    }

    /// The first `n` records.
    pub(super) fn first(&self, n: usize) -> &[Record] {
        &self.records[..n]
    }

    pub(super) fn records(&self) -> &[Record] {
        &self.records
    }

    /// The text of the header and the first `n` records.
    pub(super) fn text(&self, n: usize) -> String {
        self.lines[..=n].concat()
    }

    /// The line of one record.
    pub(super) fn line(&self, record: usize) -> &str {
        &self.lines[record]
    }
}

fn record(line: &str) -> Record {
    let Line { body } = serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
    match body {
        Body { note: Some(note), .. } if note.contains_key("finished") => Record::Finished,
        Body { note: Some(note), .. } if note.contains_key("torn_line") => Record::TornLine,
        Body { note: Some(_), .. } => Record::OtherNote,
        Body { event: Some(Event { what: What::Fields(fields) }), .. } => event(fields),
        Body { event: Some(Event { what: What::Word(word) }), .. } if word == "resumed" => {
            Record::Resumed
        }
        Body { .. } => Record::OtherEvent,
    }
}

fn event(fields: Fields) -> Record {
    match fields {
        Fields { launched: Some(of), .. } => Record::Launched(of.call),
        Fields { replied: Some(of), .. } => Record::Replied(of.call),
        Fields { kept: Some(Kept { call, place }), .. } => Record::Kept { call, place },
        Fields { snapped: Some(of), .. } => Record::Snapped(of.snapshot),
        Fields { restored: Some(of), .. } => Record::Restored(of.snapshot),
        Fields { computed: Some(_), .. } => Record::Computed,
        Fields { .. } => Record::OtherEvent,
    }
}

#[derive(Deserialize)]
struct Line {
    body: Body,
}

#[derive(Deserialize)]
struct Body {
    event: Option<Event>,
    note: Option<BTreeMap<String, IgnoredAny>>,
}

#[derive(Deserialize)]
struct Event {
    what: What,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum What {
    Word(String),
    Fields(Fields),
}

#[derive(Deserialize)]
struct Fields {
    launched: Option<OfCall>,
    replied: Option<OfCall>,
    kept: Option<Kept>,
    snapped: Option<OfSnapshot>,
    restored: Option<OfSnapshot>,
    computed: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct OfCall {
    call: String,
}

#[derive(Deserialize)]
struct OfSnapshot {
    snapshot: u32,
}

#[derive(Deserialize)]
struct Kept {
    call: String,
    place: String,
}

/// A `findings.json` without times, run id and attempts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Report {
    pub(super) rest: Value,
    /// Where the states are kept that interrupted write calls left.
    pub(super) undone: Vec<String>,
}

impl Report {
    pub(super) fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let mut report: Value = serde_json::from_str(&text).expect("a report is JSON");
        let fields = report.as_object_mut().expect("a report is an object");
        for name in ["run", "started", "ended", "usage"] {
            fields.remove(name).unwrap_or_else(|| panic!("a report without {name}: {text}"));
        }
        let mut take = |name: &str, is_wanted: &dyn Fn(&Value) -> bool| -> Vec<Value> {
            let list = fields[name].as_array_mut().expect("a list");
            let (taken, rest) = list.drain(..).partition(|entry| is_wanted(entry));
            *list = rest;
            taken
        };
        let undone = take("warnings", &|warning| {
            warning.as_str().is_some_and(|text| text.contains("did not end well"))
        });
        let undone: Vec<String> = undone.iter().map(place_in).collect();
        let kept = take("snapshots", &|kept| {
            undone.iter().any(|place| kept["place"].as_str() == Some(place))
        });
        assert_eq!(kept.len(), undone.len(), "each undone write is kept: {text}");
        Self { rest: without_run(report), undone }
    }
}

/// The ref that a warning names.
fn place_in(warning: &Value) -> String {
    let text = warning.as_str().expect("a warning is a text");
    let mut words = text.split([' ', ',']);
    let place = words.find(|word| word.starts_with("refs/tribunal/"));
    place.unwrap_or_else(|| panic!("no place in: {text}")).to_owned()
}

/// Places hold the run's id.
fn without_run(mut value: Value) -> Value {
    match &mut value {
        Value::String(text) => {
            if let Some(at) = text.find("refs/tribunal/") {
                let start = at + "refs/tribunal/".len();
                if let Some(length) = text[start..].find('/') {
                    text.replace_range(start..start + length, "RUN");
                }
            }
        }
        Value::Array(list) => {
            for entry in list {
                *entry = without_run(entry.take());
            }
        }
        Value::Object(fields) => {
            for (_, entry) in fields {
                *entry = without_run(entry.take());
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    value
}

//! What the summarizer is told of a run: findings with their fates, and figures.
//!
//! Read leniently: a summary of a run with one odd entry is worth more than none.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tribunal_finding::{FindingId, Severity};

use crate::fault::Fault;

/// A finding of any cycle and what became of it.
pub(crate) struct RunFinding {
    pub(crate) id: String,
    pub(crate) severity: Option<Severity>,
    /// `file:line`, or blank.
    pub(crate) place: String,
    pub(crate) description: String,
    pub(crate) verdict: String,
    /// fixed, skipped, or whatever else the run calls it.
    pub(crate) fate: String,
    pub(crate) reason: Option<String>,
}

impl RunFinding {
    /// Mended, or skipped with a reason.
    fn is_settled(&self) -> bool {
        self.fate == "fixed" || self.fate == "skipped"
    }

    /// The validators did not agree on it, or voted it down.
    pub(crate) fn is_unconfirmed(&self) -> bool {
        !self.is_settled() && !self.is_left()
    }

    /// Confirmed, and neither mended nor skipped with a reason (D47).
    pub(crate) fn is_left(&self) -> bool {
        let unsaid =
            self.verdict.is_empty() && self.fate != "rejected" && self.fate != "unconfirmed";
        !self.is_settled() && (self.verdict == "confirmed" || unsaid)
    }
}

#[derive(Deserialize)]
struct Entry {
    #[serde(alias = "id")]
    finding_id: FindingId,
    #[serde(default)]
    severity: Option<String>,
    #[serde(default)]
    final_severity: Option<String>,
    #[serde(default)]
    place: Option<Value>,
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    line: Option<u32>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    verdict: Option<String>,
    #[serde(default)]
    fate: Option<String>,
    #[serde(default)]
    reason: Option<String>,
}

#[derive(Deserialize)]
struct Wrapped {
    #[serde(alias = "findings")]
    entries: Vec<Box<RawValue>>,
}

/// Reads `run_findings`: a list, or an object that holds one as `entries` or `findings`.
pub(crate) fn read_findings(json: &str, notes: &mut Vec<String>) -> Result<Vec<RunFinding>, Fault> {
    let bad = |source| Fault::BadBlock { block: "run_findings", source };
    let raw: Vec<Box<RawValue>> = if json.starts_with('[') {
        serde_json::from_str(json).map_err(bad)?
    } else {
        serde_json::from_str::<Wrapped>(json).map_err(bad)?.entries
    };
    let mut findings = Vec::new();
    for (index, entry) in raw.iter().enumerate() {
        match serde_json::from_str::<Entry>(entry.get()) {
            Ok(entry) => findings.push(finding(entry)),
            Err(error) => notes.push(format!("run_findings[{index}] is left out: {error}")),
        }
    }
    Ok(findings)
}

fn finding(entry: Entry) -> RunFinding {
    let (file, line) = match &entry.place {
        Some(Value::String(place)) => (Some(place.clone()), None),
        Some(place) => (
            place.get("file").and_then(Value::as_str).map(str::to_owned),
            place.get("line").and_then(Value::as_u64),
        ),
        None => (entry.file, entry.line.map(u64::from)),
    };
    let place = match (file, line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file,
        (None, _) => String::new(),
    };
    let severity = entry.final_severity.or(entry.severity);
    RunFinding {
        id: entry.finding_id.as_str().to_owned(),
        severity: severity.and_then(|word| word.parse().ok()),
        place,
        description: one_line(entry.description),
        verdict: one_line(entry.verdict),
        fate: one_line(entry.fate),
        reason: entry.reason.map(|reason| one_line(Some(reason))),
    }
}

fn one_line(text: Option<String>) -> String {
    text.map_or_else(String::new, |text| crate::rule::one_line(&text))
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
    let value: Value = serde_json::from_str(json)
        .map_err(|source| Fault::BadBlock { block: "run_figures", source })?;
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
        Value::String(text) => figures.push(Figure {
            name: name.to_owned(),
            value: crate::rule::one_line(text),
            number: None,
        }),
        Value::Bool(_) | Value::Number(_) => figures.push(Figure {
            name: name.to_owned(),
            value: value.to_string(),
            number: value.as_f64(),
        }),
    }
}

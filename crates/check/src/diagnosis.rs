//! What a diagnostician says of a failed check.

use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tribunal_finding::EntryProblem;

/// A diagnosis (DESIGN §5): why each unit failed, and what to do about it, the likeliest first.
///
/// It is advice. Nothing in it decides; only the check does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "diagnosis")]
pub struct Diagnosis {
    /// Why the units failed.
    #[serde(default)]
    pub failures: Vec<Cause>,
    /// What to do, most likely to help first.
    pub fixes: Vec<Advice>,
}

/// Why one unit failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cause {
    /// The unit, as the check names it.
    pub unit: String,
    /// Why it failed.
    #[schemars(regex(pattern = r"\S"))]
    pub root_cause: String,
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Advice {
    /// The file, relative to the root of the project.
    #[schemars(regex(pattern = r"\S"))]
    pub file: String,
    /// The line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub line: Option<u32>,
    /// What to do there.
    #[schemars(regex(pattern = r"\S"))]
    pub recommendation: String,
}

/// JSON Schema of a diagnosis.
pub fn diagnosis_schema() -> Schema {
    schema_for!(Diagnosis)
}

/// A text that is no diagnosis; it may still be passed on as prose.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no diagnosis: {why}")]
pub struct NotADiagnosis {
    /// What is wrong with it.
    pub why: String,
}

#[derive(Deserialize)]
struct Lists<'a> {
    #[serde(borrow, default)]
    failures: Vec<&'a RawValue>,
    #[serde(borrow)]
    fixes: Vec<&'a RawValue>,
}

impl Diagnosis {
    /// Reads one JSON object that has the list `fixes`.
    ///
    /// An entry that does not fit is dropped and named by its instance path; the rest counts.
    ///
    /// # Errors
    /// [`NotADiagnosis`] when the text is no JSON object, `fixes` is no list, or `failures` is there
    /// and is none.
    pub fn read(json: &str) -> Result<(Self, Vec<EntryProblem>), NotADiagnosis> {
        let lists: Lists<'_> =
            serde_json::from_str(json).map_err(|error| NotADiagnosis { why: error.to_string() })?;
        let mut problems = Vec::new();
        let failures = entries("failures", &lists.failures, read_cause, &mut problems);
        let fixes = entries("fixes", &lists.fixes, read_advice, &mut problems);
        Ok((Self { failures, fixes }, problems))
    }

    /// The root causes as one line, each once, in the order of the diagnosis; empty without any.
    pub fn root_cause(&self) -> String {
        let mut causes: Vec<&str> = Vec::new();
        for cause in &self.failures {
            let cause = cause.root_cause.trim();
            if !causes.contains(&cause) {
                causes.push(cause);
            }
        }
        causes.join("; ")
    }
}

/// Whether a value is a well-formed entry of `fixes`: the reader itself decides.
pub fn is_advice_entry(raw: &RawValue) -> bool {
    read_advice(raw).is_ok()
}

fn read_cause(raw: &RawValue) -> Result<Cause, String> {
    let cause: Cause = serde_json::from_str(raw.get()).map_err(|error| error.to_string())?;
    filled("root_cause", &cause.root_cause)?;
    Ok(cause)
}

fn read_advice(raw: &RawValue) -> Result<Advice, String> {
    let advice: Advice = serde_json::from_str(raw.get()).map_err(|error| error.to_string())?;
    filled("file", &advice.file)?;
    filled("recommendation", &advice.recommendation)?;
    if advice.line == Some(0) {
        return Err("`line` counts from 1".to_owned());
    }
    Ok(advice)
}

fn filled(name: &str, text: &str) -> Result<(), String> {
    if text.trim().is_empty() { Err(format!("`{name}` is blank")) } else { Ok(()) }
}

fn entries<T>(
    list: &str,
    raw: &[&RawValue],
    read: fn(&RawValue) -> Result<T, String>,
    problems: &mut Vec<EntryProblem>,
) -> Vec<T> {
    let mut kept = Vec::with_capacity(raw.len());
    for (index, entry) in raw.iter().enumerate() {
        match read(entry) {
            Ok(value) => kept.push(value),
            Err(reason) => problems.push(EntryProblem { at: format!("/{list}/{index}"), reason }),
        }
    }
    kept
}

//! The contract's shape: what SEEK is asked for, and how a finding is written.

use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::wire::entry::finding;
use crate::{Category, Finding, FindingId, Severity};

/// JSON Schema of what SEEK is asked for.
pub fn findings_schema() -> Schema {
    schema_for!(FindingsContract)
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
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        finding(&raw, "", &mut Vec::new())
            .map_err(|problem| serde::de::Error::custom(problem.reason))
    }
}

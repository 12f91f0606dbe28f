//! One finding and where it is.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Category, FindingId, Severity};

/// A place in the audited repository.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Place {
    /// Path relative to the repository root, with `/`.
    pub file: String,
    /// Line, counted from 1; a finding about a whole file has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// What SEEK reports: one fault, with the evidence that makes it checkable (DESIGN §5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Unique within the run; ids of later cycles are renamed where they collide (D18).
    pub id: FindingId,
    /// The kind of fault.
    pub category: Category,
    /// As SEEK rated it; the vote keeps its own rating beside this one.
    pub severity: Severity,
    /// Where it is.
    pub place: Place,
    /// What is wrong, in a sentence.
    pub description: String,
    /// Text of the code that shows it.
    pub evidence: String,
    /// What to do about it.
    pub recommendation: String,
}

//! The seeker's answer, as far as these tests look at it.

use serde::Deserialize;

/// One finding; its category is a word of the contract.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Finding {
    pub(super) file: String,
    /// A finding about the whole file stands at its first line.
    #[serde(default = "first_line")]
    pub(super) line: usize,
    pub(super) category: String,
    pub(super) description: String,
    #[serde(default)]
    pub(super) evidence: String,
}

impl Finding {
    /// The finding as it is named from the folder above its project.
    pub(super) fn below(self, project: &str) -> Self {
        Self { file: format!("{project}/{}", self.file), ..self }
    }
}

fn first_line() -> usize {
    1
}

#[derive(Deserialize)]
struct Answer {
    findings: Vec<Finding>,
}

/// Reads what the seeker printed.
pub(super) fn findings(answer: &str) -> Vec<Finding> {
    let answer: Answer = serde_json::from_str(answer).expect("an answer of the contract");
    answer.findings
}

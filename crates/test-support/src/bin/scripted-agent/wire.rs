//! The JSON of the answers, and of the blocks that the agent is given.

use serde::{Deserialize, Serialize};

/// Contract `findings`.
#[derive(Serialize)]
pub(crate) struct Findings {
    pub(crate) cycle: u32,
    pub(crate) findings: Vec<Reported>,
}

#[derive(Serialize)]
pub(crate) struct Reported {
    pub(crate) id: String,
    pub(crate) category: String,
    pub(crate) severity: String,
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) description: String,
    pub(crate) evidence: String,
    pub(crate) recommendation: String,
}

/// Contract `ballot`.
#[derive(Serialize)]
pub(crate) struct Ballot {
    pub(crate) validator: String,
    pub(crate) cycle: u32,
    pub(crate) validated: Vec<Vote>,
}

#[derive(Serialize)]
pub(crate) struct Vote {
    pub(crate) finding_id: String,
    pub(crate) verdict: Verdict,
    pub(crate) reasoning: &'static str,
}

#[derive(Serialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Confirmed,
    FalsePositive,
}

/// Contract `fix report`.
#[derive(Serialize, Default)]
pub(crate) struct FixReport {
    pub(crate) cycle: u32,
    pub(crate) fixes_applied: Vec<Applied>,
    pub(crate) fixes_skipped: Vec<Skipped>,
    pub(crate) total_fixed: usize,
    pub(crate) total_skipped: usize,
}

#[derive(Serialize)]
pub(crate) struct Applied {
    pub(crate) finding_id: String,
    pub(crate) file: String,
    pub(crate) change: String,
}

#[derive(Serialize)]
pub(crate) struct Skipped {
    pub(crate) finding_id: String,
    pub(crate) reason: String,
}

/// Block `audit_findings`, as far as the agent looks at it.
#[derive(Deserialize)]
pub(crate) struct FindingsBlock {
    #[serde(default)]
    pub(crate) findings: Vec<Given>,
    #[serde(default)]
    pub(crate) carried: Vec<Given>,
}

#[derive(Deserialize)]
pub(crate) struct Given {
    pub(crate) id: String,
    pub(crate) file: String,
    #[serde(default)]
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) evidence: String,
}

/// Block `validated_findings`, as far as the agent looks at it.
#[derive(Deserialize)]
pub(crate) struct TallyBlock {
    pub(crate) validated: Vec<TallyEntry>,
}

#[derive(Deserialize)]
pub(crate) struct TallyEntry {
    pub(crate) finding_id: String,
    pub(crate) verdict: String,
}

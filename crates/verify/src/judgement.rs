//! The result of a verification, as data and as the lines of the seed.

use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize};
use tribunal_finding::FindingId;

use crate::one_line::one_line;
use crate::{Change, Reach, RepoPath};

/// What became of everything that was owed (DESIGN §5, contract "judgement").
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "judgement")]
pub struct Judgement {
    /// How many findings were owed.
    pub confirmed: usize,
    /// How many are fixed, and the repository shows it.
    pub fixed: usize,
    /// How many were left alone for a reason that holds.
    pub skipped: usize,
    /// All others: phantom fixes and unaccounted findings.
    pub unfixed: usize,
    /// The one outcome.
    pub outcome: Outcome,
    /// One record per finding that was owed, in the demand's order.
    pub findings: Vec<Judged>,
    /// What is worth saying beside the outcome.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

/// JSON Schema of a judgement.
pub fn judgement_schema() -> Schema {
    schema_for!(Judgement)
}

/// One finding's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Judged {
    /// The finding.
    pub finding_id: FindingId,
    /// What the agent said about it.
    pub claim: Claim,
    /// The changes of the files that the claim names.
    pub evidence: Vec<Change>,
    /// How near they come to the finding's place, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach: Option<Reach>,
    /// What is held to be true.
    pub verdict: FixVerdict,
    /// Why, in words that can be put to the agent again (D16).
    pub reason: String,
}

/// What the agent said about one finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// Fixed, in these files.
    Fixed {
        /// The files, as the agent wrote them.
        files: Vec<String>,
    },
    /// Left alone.
    Skipped {
        /// The reason, as the agent wrote it.
        reason: String,
    },
    /// Nothing.
    Nothing,
}

/// What is held to be true of one finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FixVerdict {
    /// Every file that the claim names changed.
    Fixed,
    /// Left alone for a reason that holds.
    Skipped,
    /// Claimed, but a file that the claim names did not change.
    Phantom,
    /// Neither fixed nor skipped for a reason that holds.
    Unaccounted,
}

/// The one outcome; the first that holds, in this order after `Pass`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Nothing speaks against it, or nothing was owed.
    Pass,
    /// The repository could not be asked (D15).
    RepositoryUnasked {
        /// Its message.
        why: String,
    },
    /// There is no fix report that can be read (D15).
    ReportUnreadable {
        /// The findings that nothing is known about.
        ids: Vec<FindingId>,
    },
    /// Fixes are claimed and nothing changed at all (seed 000).
    NothingChanged {
        /// The distinct owed ids in `fixes_applied`.
        claimed: usize,
    },
    /// A claimed file is not in the evidence; the first such finding (D14).
    PhantomFix {
        /// The finding.
        id: FindingId,
        /// The file, as the agent wrote it.
        file: String,
    },
    /// Findings that nothing accounts for, where all must be.
    Unaccounted {
        /// All of them.
        ids: Vec<FindingId>,
    },
}

impl Outcome {
    /// The line of seed 000 and D14, word for word.
    pub fn line(&self) -> String {
        match self {
            Self::Pass => "VERIFY: PASS".to_owned(),
            Self::RepositoryUnasked { why } => {
                format!("VERIFY: FAIL — git could not be asked: {}", one_line(why.trim()))
            }
            Self::ReportUnreadable { ids } => {
                format!("VERIFY: FAIL — fix report unreadable, {}", not_accounted_for(ids))
            }
            Self::NothingChanged { claimed } => format!(
                "VERIFY: FAIL — fix-agent claims {claimed} files fixed but git diff shows no file modifications"
            ),
            Self::PhantomFix { id, file } => {
                format!("VERIFY: FAIL — {}", phantom_fix(id, file))
            }
            Self::Unaccounted { ids } => format!("VERIFY: FAIL — {}", not_accounted_for(ids)),
        }
    }
}

pub(crate) fn not_accounted_for(ids: &[FindingId]) -> String {
    format!("{} confirmed findings not accounted for: {}", ids.len(), id_list(ids))
}

pub(crate) fn phantom_fix(id: &FindingId, file: &str) -> String {
    format!("phantom fix for finding {}: {} did not change", one_line(id.as_str()), one_line(file))
}

pub(crate) fn id_list(ids: &[FindingId]) -> String {
    ids.iter().map(|id| one_line(id.as_str())).collect::<Vec<_>>().join(", ")
}

impl Judgement {
    /// Whether the verification holds.
    pub fn passes(&self) -> bool {
        matches!(self.outcome, Outcome::Pass)
    }

    /// The four count lines and exactly one outcome line (D14).
    pub fn lines(&self) -> Vec<String> {
        vec![
            format!("Confirmed findings: {}", self.confirmed),
            format!("Fixed: {}", self.fixed),
            format!("Skipped: {}", self.skipped),
            format!("Unfixed: {}", self.unfixed),
            self.outcome.line(),
        ]
    }

    /// What is worth saying beside the outcome: counts that differ, refused reasons, claims about
    /// findings that were not owed, further phantom fixes, findings left open where
    /// `fix_all_per_cycle` is false, and tests that prove less. One line each, safe to print.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The findings that nothing accounts for.
    pub fn unaccounted(&self) -> Vec<&FindingId> {
        self.with_verdict(FixVerdict::Unaccounted)
    }

    /// The findings whose claimed fix did not happen.
    pub fn phantoms(&self) -> Vec<&FindingId> {
        self.with_verdict(FixVerdict::Phantom)
    }

    /// The records that are put to `fix` again: phantom and unaccounted (D16).
    pub fn still_owed(&self) -> impl Iterator<Item = &Judged> {
        self.findings.iter().filter(|judged| {
            matches!(judged.verdict, FixVerdict::Phantom | FixVerdict::Unaccounted)
        })
    }

    /// The paths that prove a fix, each once, in path order.
    pub fn proven_paths(&self) -> Vec<&RepoPath> {
        let proven = self.findings.iter().filter(|judged| judged.verdict == FixVerdict::Fixed);
        let mut paths: Vec<&RepoPath> =
            proven.flat_map(|judged| judged.evidence.iter().map(|change| &change.path)).collect();
        paths.sort();
        paths.dedup();
        paths
    }

    fn with_verdict(&self, verdict: FixVerdict) -> Vec<&FindingId> {
        let matching = self.findings.iter().filter(|judged| judged.verdict == verdict);
        matching.map(|judged| &judged.finding_id).collect()
    }
}

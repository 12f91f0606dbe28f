//! What the fix agent says it did.

use std::collections::{BTreeMap, BTreeSet};

use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tribunal_finding::{EntryProblem, FindingId};

/// A fix report (DESIGN §5): what was applied, what was skipped and why, and the agent's own counts.
///
/// The counts are kept to be compared, never to be believed (D13).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "fix-report")]
pub struct FixReport {
    /// The cycle the agent thinks it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<u32>,
    /// Claims of a fix, in the agent's order; a finding fixed in two files has two.
    pub fixes_applied: Vec<AppliedFix>,
    /// Findings left alone, with the reason.
    #[serde(default)]
    pub fixes_skipped: Vec<SkippedFix>,
    /// How many fixes the agent counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_fixed: Option<u64>,
    /// How many skipped findings the agent counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_skipped: Option<u64>,
    /// The agent's word for how it went; never used to judge.
    #[serde(rename = "status", skip_serializing_if = "Option::is_none")]
    pub agents_word: Option<String>,
}

/// One claim of a fix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AppliedFix {
    /// The finding that is said to be fixed.
    pub finding_id: FindingId,
    /// The file that is said to have changed, relative to the repository root.
    #[schemars(regex(pattern = r"\S"))]
    pub file: String,
    /// What is said to have been done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
    /// Whether the agent says that it ran the tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_verified: Option<bool>,
}

/// One finding left alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkippedFix {
    /// The finding.
    pub finding_id: FindingId,
    /// Why; a bare excuse is refused (D15).
    pub reason: String,
}

/// JSON Schema of a fix report.
pub fn fix_report_schema() -> Schema {
    schema_for!(FixReport)
}

/// A text that is no fix report; it fails the verification and is never passed over (D15).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no fix report: {why}")]
pub struct NotAFixReport {
    /// What is wrong with it.
    pub why: String,
}

impl FixReport {
    /// Reads one JSON object that has the list `fixes_applied`.
    ///
    /// An entry, list or count that does not fit is dropped and named by its instance path; the
    /// rest counts. Where a key comes twice the last one counts.
    ///
    /// # Errors
    ///
    /// [`NotAFixReport`] when the text is no JSON object or `fixes_applied` is no list.
    pub fn read(json: &str) -> Result<(Self, Vec<EntryProblem>), NotAFixReport> {
        let fields: BTreeMap<String, &RawValue> =
            serde_json::from_str(json).map_err(|error| NotAFixReport { why: error.to_string() })?;
        let applied = fields
            .get("fixes_applied")
            .ok_or_else(|| NotAFixReport { why: "`fixes_applied` is missing".to_owned() })?;
        let applied: Vec<&RawValue> = serde_json::from_str(applied.get())
            .map_err(|_| NotAFixReport { why: "`fixes_applied` is no list".to_owned() })?;

        let mut problems = Vec::new();
        let fixes_applied = read_entries("fixes_applied", &applied, read_applied, &mut problems);
        let skipped: Vec<&RawValue> =
            read_field(&fields, "fixes_skipped", &mut problems).unwrap_or_else(Vec::new);
        let fixes_skipped = read_entries("fixes_skipped", &skipped, read_skipped, &mut problems);
        let report = Self {
            cycle: read_field(&fields, "cycle", &mut problems),
            fixes_applied,
            fixes_skipped,
            total_fixed: read_field(&fields, "total_fixed", &mut problems),
            total_skipped: read_field(&fields, "total_skipped", &mut problems),
            agents_word: read_field(&fields, "status", &mut problems),
        };
        Ok((report, problems))
    }

    /// Makes claimed files that lie below `root`, an absolute path, relative to it.
    ///
    /// Agents often name files absolutely; every other path stays as it is.
    #[must_use]
    pub fn relative_to(mut self, root: &str) -> Self {
        let root = root.trim_end_matches('/');
        for fix in &mut self.fixes_applied {
            let below = fix.file.trim().strip_prefix(root).and_then(|rest| rest.strip_prefix('/'));
            if let Some(below) = below {
                fix.file = below.to_owned();
            }
        }
        self
    }

    fn ids(&self) -> BTreeSet<FindingId> {
        let applied = self.fixes_applied.iter().map(|fix| &fix.finding_id);
        applied.chain(self.fixes_skipped.iter().map(|skip| &skip.finding_id)).cloned().collect()
    }
}

/// Whether a value is a well-formed entry of `fixes_applied`: the reader itself decides.
pub fn is_fix_entry(raw: &RawValue) -> bool {
    read_applied(raw).is_ok()
}

/// Joins the fix reports of one cycle; what the later one says about a finding replaces all that
/// the earlier one said about it (D16).
///
/// The agent's counts are left out, since each is about its own report alone.
#[must_use]
pub fn union(earlier: FixReport, later: FixReport) -> FixReport {
    let replaced = later.ids();
    let mut fixes_applied = earlier.fixes_applied;
    fixes_applied.retain(|fix| !replaced.contains(&fix.finding_id));
    fixes_applied.extend(later.fixes_applied);
    let mut fixes_skipped = earlier.fixes_skipped;
    fixes_skipped.retain(|skip| !replaced.contains(&skip.finding_id));
    fixes_skipped.extend(later.fixes_skipped);
    FixReport {
        cycle: later.cycle.or(earlier.cycle),
        fixes_applied,
        fixes_skipped,
        total_fixed: None,
        total_skipped: None,
        agents_word: later.agents_word.or(earlier.agents_word),
    }
}

fn read_applied(raw: &RawValue) -> Result<AppliedFix, String> {
    let fix: AppliedFix = serde_json::from_str(raw.get()).map_err(|error| error.to_string())?;
    if fix.file.trim().is_empty() {
        return Err("`file` is blank".to_owned());
    }
    Ok(fix)
}

fn read_skipped(raw: &RawValue) -> Result<SkippedFix, String> {
    serde_json::from_str(raw.get()).map_err(|error| error.to_string())
}

fn read_entries<T>(
    list: &str,
    entries: &[&RawValue],
    read: fn(&RawValue) -> Result<T, String>,
    problems: &mut Vec<EntryProblem>,
) -> Vec<T> {
    let mut kept = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        match read(entry) {
            Ok(value) => kept.push(value),
            Err(reason) => problems.push(EntryProblem { at: format!("/{list}/{index}"), reason }),
        }
    }
    kept
}

fn read_field<'a, T: Deserialize<'a>>(
    fields: &BTreeMap<String, &'a RawValue>,
    name: &str,
    problems: &mut Vec<EntryProblem>,
) -> Option<T> {
    match serde_json::from_str::<Option<T>>(fields.get(name)?.get()) {
        Ok(value) => value,
        Err(error) => {
            problems.push(EntryProblem { at: format!("/{name}"), reason: error.to_string() });
            None
        }
    }
}

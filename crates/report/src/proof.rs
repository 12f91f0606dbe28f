//! What the check command says of the fixes.

use schemars::JsonSchema;
use serde::Serialize;
use tribunal_finding::FindingId;

use crate::{inert, words};

/// What the check command says of the fixes, by name of test or complaint, not by exit status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Proof {
    /// The command.
    pub command: String,
    /// The cycles in which something was fixed.
    pub cycles: Vec<CheckedCycle>,
    /// Units that fail after the last fix and did not before the first.
    pub broken: Vec<String>,
    /// Why nothing can be said; null when something can.
    pub unusable: Option<String>,
}

/// The check around the fixes of one cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CheckedCycle {
    /// The cycle.
    pub cycle: u32,
    /// Before its first fix.
    pub before: CheckEnd,
    /// After its last; null when it has not run.
    pub after: Option<CheckEnd>,
    /// Units that failed before and do not after.
    pub mended: Vec<String>,
    /// The fixes, one by one (`--prove`); empty where that was not asked for.
    pub findings: Vec<FindingProof>,
}

/// How a check ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CheckEnd {
    /// Whether it passed.
    pub passed: bool,
    /// Its exit status; null when it did not end by itself.
    pub exit: Option<i32>,
    /// The units that fail.
    pub failing: Vec<String>,
}

/// One fix: finding → hunks → failed before → passes after → fails when reverted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FindingProof {
    /// The finding.
    pub finding_id: FindingId,
    /// What is its fix: paths, with lines after the fix where a part of one is meant.
    pub hunks: Vec<String>,
    /// Whether all that changed in its files was reverted, since its own hunks alone do not build.
    pub together: bool,
    /// Units that failed before, pass after, and fail when the fix is reverted.
    pub fails_when_reverted: Vec<String>,
    /// What that comes to.
    pub verdict: ProofVerdict,
}

/// What reverting a fix comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ProofVerdict {
    /// The check fails again without it.
    Proven,
    /// The check does not notice when it is gone.
    Unnoticed,
    /// Without it the check fails at something else, or does not build: no proof of anything.
    Indeterminate {
        /// What it fails at.
        units: Vec<String>,
    },
    /// It was not reverted.
    NotTried {
        /// Why.
        why: String,
    },
}

/// Units that are named on one line.
const NAMED: usize = 5;

/// Names a few, and how many more there are.
fn some(units: &[String]) -> String {
    let named: Vec<String> = units.iter().take(NAMED).map(|unit| inert::one_line(unit)).collect();
    let more = units.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", named.join(", "))
}

impl CheckEnd {
    fn words(&self) -> String {
        match (self.passed, self.exit) {
            (true, _) => "passes".to_owned(),
            (false, Some(code)) => format!("fails (exit {code})"),
            (false, None) => "did not end by itself".to_owned(),
        }
    }
}

impl Proof {
    /// What it came to, a line each, cycle by cycle and finding by finding.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        lines.extend(self.unusable.iter().map(|why| inert::one_line(why)));
        for cycle in &self.cycles {
            let before = cycle.before.words();
            let after = cycle.after.as_ref().map_or_else(|| "not run".to_owned(), CheckEnd::words);
            let mut said = format!(
                "cycle {}: before the fixes it {before}, after them it {after}",
                cycle.cycle
            );
            if !cycle.mended.is_empty() {
                let count = words::count(cycle.mended.len(), "unit");
                said.push_str(&format!("; {count} mended: {}", some(&cycle.mended)));
            }
            lines.push(said);
            lines.extend(cycle.findings.iter().map(FindingProof::line));
        }
        if !self.broken.is_empty() {
            let count = words::count(self.broken.len(), "unit");
            lines.push(format!("{count} broken by the fixes: {}", some(&self.broken)));
        }
        lines
    }
}

impl FindingProof {
    fn line(&self) -> String {
        let id = inert::one_line(self.finding_id.as_str());
        let hunks = some(&self.hunks);
        let with = if self.together { " (with all that changed in its files)" } else { "" };
        match &self.verdict {
            ProofVerdict::Proven => format!(
                "{id} proven: {hunks} reverted{with}, these fail again: {}",
                some(&self.fails_when_reverted)
            ),
            ProofVerdict::Unnoticed => {
                format!("{id} not proven: {hunks} reverted{with}, and the check does not notice")
            }
            ProofVerdict::Indeterminate { units } => {
                let at =
                    if units.is_empty() { String::new() } else { format!(" at {}", some(units)) };
                format!(
                    "{id} indeterminate: {hunks} reverted{with}, and the check fails elsewhere{at}"
                )
            }
            ProofVerdict::NotTried { why } => {
                format!("{id} not tried: {}", inert::one_line(why))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn a_proof_is_told_fix_by_fix() {
        let finding = |id: &str, together, again: &[&str], verdict| FindingProof {
            finding_id: FindingId::new(id).expect("an id"),
            hunks: texts(&["src/a.rs:3"]),
            together,
            fails_when_reverted: texts(again),
            verdict,
        };
        let end =
            |passed, exit, failing: &[&str]| CheckEnd { passed, exit, failing: texts(failing) };
        let cycle = CheckedCycle {
            cycle: 1,
            before: end(false, Some(101), &["a", "b"]),
            after: Some(end(true, Some(0), &[])),
            mended: texts(&["a", "b", "c", "d", "e", "f"]),
            findings: vec![
                finding("F1", false, &["a"], ProofVerdict::Proven),
                finding("F2", true, &["b"], ProofVerdict::Proven),
                finding("F3", false, &[], ProofVerdict::Unnoticed),
                finding("F4", false, &[], ProofVerdict::Indeterminate { units: texts(&["E1"]) }),
                finding("F5", false, &[], ProofVerdict::NotTried { why: "enough".to_owned() }),
            ],
        };
        let command = "cargo test".to_owned();
        let broken = texts(&["g"]);
        let proof = Proof { command, cycles: vec![cycle], broken, unusable: None };
        assert_eq!(
            proof.lines(),
            [
                "cycle 1: before the fixes it fails (exit 101), after them it passes; 6 units mended: \
                 a, b, c, d, e and 1 more",
                "F1 proven: src/a.rs:3 reverted, these fail again: a",
                "F2 proven: src/a.rs:3 reverted (with all that changed in its files), these fail \
                 again: b",
                "F3 not proven: src/a.rs:3 reverted, and the check does not notice",
                "F4 indeterminate: src/a.rs:3 reverted, and the check fails elsewhere at E1",
                "F5 not tried: enough",
                "1 unit broken by the fixes: g",
            ]
        );
    }
}

//! What is said beside the outcome.

use std::collections::BTreeSet;

use tribunal_finding::FindingId;

use crate::judgement::{id_list, not_accounted_for};
use crate::one_line::one_line;
use crate::{Change, Claim, FixReport, FixVerdict, Judged, Outcome, Proof, Weakening};

/// One line each: counts that differ (D13), claims about findings that were not owed, refused
/// reasons (D15), phantom fixes behind the one in the outcome, findings left open (D14), and tests that prove
/// less than before, claimed or not (D24).
pub(crate) fn warnings(
    report: Option<&FixReport>,
    proof: &Proof,
    findings: &[Judged],
    outcome: &Outcome,
) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(report) = report {
        lines.extend(differing_counts(report, findings));
        lines.extend(not_owed(report, findings));
    }
    lines.extend(findings.iter().filter_map(refused_reason));
    lines.extend(further_phantoms(findings, outcome));
    lines.extend(left_open(findings, outcome));
    if let Proof::Evidence(evidence) = proof {
        lines.extend(evidence.changes.iter().filter_map(weakened_tests));
    }
    lines
}

fn differing_counts(report: &FixReport, findings: &[Judged]) -> Vec<String> {
    let fixed = findings.iter().filter(|judged| matches!(judged.claim, Claim::Fixed { .. }));
    let skipped = findings.iter().filter(|judged| matches!(judged.claim, Claim::Skipped { .. }));
    let counts = [
        ("total_fixed", report.total_fixed, "fixes_applied", fixed.count()),
        ("total_skipped", report.total_skipped, "fixes_skipped", skipped.count()),
    ];
    let differing = counts.into_iter().filter_map(|(name, said, list, counted)| {
        let said = said?;
        (u64::try_from(counted) != Ok(said)).then(|| {
            format!("fix report says {name} {said}, but {list} holds {counted} confirmed findings")
        })
    });
    differing.collect()
}

fn not_owed(report: &FixReport, findings: &[Judged]) -> Option<String> {
    let owed: BTreeSet<&FindingId> = findings.iter().map(|judged| &judged.finding_id).collect();
    let applied = report.fixes_applied.iter().map(|fix| &fix.finding_id);
    let named = applied.chain(report.fixes_skipped.iter().map(|skip| &skip.finding_id));
    let strange: BTreeSet<FindingId> = named.filter(|id| !owed.contains(id)).cloned().collect();
    let strange: Vec<FindingId> = strange.into_iter().collect();
    (!strange.is_empty())
        .then(|| format!("fix report names findings that are not confirmed: {}", id_list(&strange)))
}

fn refused_reason(judged: &Judged) -> Option<String> {
    match (&judged.claim, judged.verdict) {
        (Claim::Skipped { .. }, FixVerdict::Unaccounted) => Some(format!(
            "skip of finding {} refused: {}",
            one_line(judged.finding_id.as_str()),
            one_line(&judged.reason)
        )),
        _ => None,
    }
}

fn further_phantoms(findings: &[Judged], outcome: &Outcome) -> Vec<String> {
    let Outcome::PhantomFix { id: first, .. } = outcome else { return Vec::new() };
    let phantoms = findings
        .iter()
        .filter(|judged| judged.verdict == FixVerdict::Phantom && judged.finding_id != *first);
    phantoms
        .map(|judged| {
            format!(
                "phantom fix for finding {}: {}",
                one_line(judged.finding_id.as_str()),
                one_line(&judged.reason)
            )
        })
        .collect()
}

fn left_open(findings: &[Judged], outcome: &Outcome) -> Option<String> {
    let named_in_the_outcome = match outcome {
        Outcome::Unaccounted { .. } | Outcome::ReportUnreadable { .. } => true,
        Outcome::Pass
        | Outcome::RepositoryUnasked { .. }
        | Outcome::NothingChanged { .. }
        | Outcome::PhantomFix { .. } => false,
    };
    let open = findings.iter().filter(|judged| judged.verdict == FixVerdict::Unaccounted);
    let ids: Vec<FindingId> = open.map(|judged| judged.finding_id.clone()).collect();
    (!named_in_the_outcome && !ids.is_empty()).then(|| not_accounted_for(&ids))
}

/// One line a file, with the first few tests.
fn weakened_tests(change: &Change) -> Option<String> {
    const NAMED: usize = 5;
    let named: Vec<String> = change.weakened.iter().take(NAMED).map(Weakening::line).collect();
    let more = match change.weakened.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!named.is_empty()).then(|| {
        format!(
            "tests weakened in {}: {}{more}",
            one_line(&change.path.to_string()),
            named.join(", ")
        )
    })
}

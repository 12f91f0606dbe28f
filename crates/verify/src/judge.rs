//! Claims held against evidence.

use std::collections::{BTreeMap, BTreeSet};

use tribunal_finding::FindingId;

use crate::claimed_file::ByFile;
use crate::reason::{why_fixed, why_phantom};
use crate::warning::warnings;
use crate::{
    Change, Claim, Demand, Evidence, FixReport, FixVerdict, Judged, Judgement, Outcome, Owed,
    Proof, Reach, is_bare_excuse,
};

/// Judges a fix report against the difference between two snapshots (seed 000, D13 to D16).
///
/// `report` is the union of the cycle's fix reports; `None` says that none could be read. Of the
/// outcomes the first that holds is taken: nothing owed is a PASS; a repository that could not be
/// asked; an unreadable report; claims although nothing changed at all; the first phantom fix;
/// unaccounted findings, where `fix_all` asks for all; else PASS. What a stronger outcome hides
/// stands in the warnings.
pub fn judge(demand: &Demand, report: Option<&FixReport>, proof: &Proof) -> Judgement {
    let owed = distinct(&demand.owed);
    let mut claims = claims(report);
    let findings: Vec<Judged> = match proof {
        Proof::Evidence(evidence) => {
            let by_file = ByFile::new(evidence);
            let judge_one = |owed: &&Owed| match claims.remove(&owed.id) {
                Some(Claim::Fixed { files }) => claimed_fix(owed, files, &by_file, evidence),
                Some(Claim::Skipped { reason }) => claimed_skip(owed, reason),
                Some(Claim::Nothing) | None => unaccounted(owed, report.is_some()),
            };
            owed.iter().map(judge_one).collect()
        }
        Proof::Unasked { .. } => {
            let judge_one = |owed: &&Owed| match claims.remove(&owed.id) {
                Some(Claim::Fixed { files }) => unproven_fix(owed, files),
                Some(Claim::Skipped { reason }) => claimed_skip(owed, reason),
                Some(Claim::Nothing) | None => unaccounted(owed, report.is_some()),
            };
            owed.iter().map(judge_one).collect()
        }
    };
    let count = |verdict| findings.iter().filter(|judged| judged.verdict == verdict).count();
    let fixed = count(FixVerdict::Fixed);
    let skipped = count(FixVerdict::Skipped);
    let outcome = outcome(demand.fix_all, report, proof, &findings);
    let warnings = warnings(report, proof, &findings, &outcome);
    Judgement {
        confirmed: findings.len(),
        fixed,
        skipped,
        unfixed: findings.len() - fixed - skipped,
        outcome,
        findings,
        warnings,
    }
}

fn distinct(owed: &[Owed]) -> Vec<&Owed> {
    let mut seen = BTreeSet::new();
    owed.iter().filter(|owed| seen.insert(&owed.id)).collect()
}

fn outcome(
    fix_all: bool,
    report: Option<&FixReport>,
    proof: &Proof,
    findings: &[Judged],
) -> Outcome {
    if findings.is_empty() {
        return Outcome::Pass;
    }
    let evidence = match proof {
        Proof::Evidence(evidence) => evidence,
        Proof::Unasked { why } => return Outcome::RepositoryUnasked { why: why.clone() },
    };
    if report.is_none() {
        return Outcome::ReportUnreadable { ids: ids_with(findings, FixVerdict::Unaccounted) };
    }
    let claimed = findings.iter().filter(|judged| matches!(judged.claim, Claim::Fixed { .. }));
    let claimed = claimed.count();
    if claimed > 0 && evidence.is_empty() {
        return Outcome::NothingChanged { claimed };
    }
    if let Some((id, file)) = findings.iter().find_map(|judged| phantom_file(judged, evidence)) {
        return Outcome::PhantomFix { id: id.clone(), file: file.to_owned() };
    }
    let ids = ids_with(findings, FixVerdict::Unaccounted);
    if fix_all && !ids.is_empty() { Outcome::Unaccounted { ids } } else { Outcome::Pass }
}

fn ids_with(findings: &[Judged], verdict: FixVerdict) -> Vec<FindingId> {
    let matching = findings.iter().filter(|judged| judged.verdict == verdict);
    matching.map(|judged| judged.finding_id.clone()).collect()
}

/// The first claimed file of a phantom fix that did not change.
fn phantom_file<'a>(judged: &'a Judged, evidence: &Evidence) -> Option<(&'a FindingId, &'a str)> {
    let Claim::Fixed { files } = &judged.claim else { return None };
    if judged.verdict != FixVerdict::Phantom {
        return None;
    }
    let by_file = ByFile::new(evidence);
    let missing = files.iter().find(|file| !by_file.find(file).is_some_and(Change::can_be_a_fix));
    missing.map(|file| (&judged.finding_id, file.trim()))
}

fn claims(report: Option<&FixReport>) -> BTreeMap<&FindingId, Claim> {
    let mut claims: BTreeMap<&FindingId, Claim> = BTreeMap::new();
    for skip in report.into_iter().flat_map(|report| &report.fixes_skipped) {
        claims.insert(&skip.finding_id, Claim::Skipped { reason: skip.reason.clone() });
    }
    for fix in report.into_iter().flat_map(|report| &report.fixes_applied) {
        let file = fix.file.clone();
        match claims.get_mut(&fix.finding_id) {
            Some(Claim::Fixed { files }) if files.contains(&file) => {}
            Some(Claim::Fixed { files }) => files.push(file),
            Some(Claim::Skipped { .. } | Claim::Nothing) | None => {
                claims.insert(&fix.finding_id, Claim::Fixed { files: vec![file] });
            }
        }
    }
    claims
}

/// A claim holds when each of its files changed; its finding may be about another file, since a
/// missing test is fixed by a new one.
fn claimed_fix(owed: &Owed, files: Vec<String>, by_file: &ByFile<'_>, all: &Evidence) -> Judged {
    let seen: Vec<Option<&Change>> = files.iter().map(|file| by_file.find(file)).collect();
    let phantom = files
        .iter()
        .zip(&seen)
        .find(|(_, change)| !change.is_some_and(Change::can_be_a_fix))
        .map(|(file, change)| why_phantom(file, *change, all));
    let seen: Vec<&Change> = seen.into_iter().flatten().collect();
    let place = owed.place.as_ref();
    let reach = place.and_then(|place| Reach::of(place, &seen, by_file));
    let evidence: Vec<Change> = seen.into_iter().cloned().collect();
    let (verdict, reason) = match phantom {
        Some(reason) => (FixVerdict::Phantom, reason),
        None => (FixVerdict::Fixed, why_fixed(&evidence, place, reach)),
    };
    let claim = Claim::Fixed { files };
    Judged { finding_id: owed.id.clone(), claim, evidence, reach, verdict, reason }
}

fn claimed_skip(owed: &Owed, reason: String) -> Judged {
    let (verdict, why) = if is_bare_excuse(&reason) {
        (FixVerdict::Unaccounted, format!("`{}` is no reason to skip a finding", reason.trim()))
    } else {
        (FixVerdict::Skipped, reason.trim().to_owned())
    };
    Judged {
        finding_id: owed.id.clone(),
        claim: Claim::Skipped { reason },
        evidence: Vec::new(),
        reach: None,
        verdict,
        reason: why,
    }
}

/// Without an answer from the repository no claim of a fix holds.
fn unproven_fix(owed: &Owed, files: Vec<String>) -> Judged {
    Judged {
        finding_id: owed.id.clone(),
        claim: Claim::Fixed { files },
        evidence: Vec::new(),
        reach: None,
        verdict: FixVerdict::Unaccounted,
        reason: "the repository could not be asked".to_owned(),
    }
}

fn unaccounted(owed: &Owed, readable: bool) -> Judged {
    let reason = if readable {
        "neither in fixes_applied nor in fixes_skipped"
    } else {
        "the fix report could not be read"
    };
    Judged {
        finding_id: owed.id.clone(),
        claim: Claim::Nothing,
        evidence: Vec::new(),
        reach: None,
        verdict: FixVerdict::Unaccounted,
        reason: reason.to_owned(),
    }
}

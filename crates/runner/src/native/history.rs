//! `accumulate-history`: what the cycle found and what became of it (D18).

use std::collections::BTreeMap;

use tribunal_finding::{Fate, FindingId, HistoryEntry, Verdict};
use tribunal_phase::Fact;
use tribunal_recipe::Datum;
use tribunal_verify::{Claim, FixVerdict, Judged, Judgement};
use tribunal_vote::{Entry, Tally};

use super::inputs::{from_datum, to_datum};
use super::{Given, Halt, Inputs};

pub(super) fn run(inputs: &Inputs) -> Result<Given, Halt> {
    let mut history = inputs.history()?;
    let tally = inputs.tally()?;
    let votes: BTreeMap<&FindingId, &Entry> =
        tally.entries().iter().map(|entry| (entry.id(), entry)).collect();
    let judgement: Option<Judgement> =
        if inputs.no_fix { None } else { from_datum(inputs.value("fix_verification")).ok() };
    let judged: Option<BTreeMap<&FindingId, &Judged>> = judgement.as_ref().map(|judgement| {
        judgement.findings.iter().map(|judged| (&judged.finding_id, judged)).collect()
    });
    let mended = |id: &FindingId| match &judged {
        None => Fate::Open,
        Some(judged) => judged.get(id).map_or(Fate::Unaccounted, |judged| fixer_fate(judged)),
    };
    let cycle = inputs.cycle.cycle();
    for finding in inputs.carried()? {
        let fate = mended(&finding.id);
        history.entries.push(HistoryEntry::new(cycle, &finding, Verdict::Confirmed, fate, None));
    }
    for finding in inputs.findings()? {
        let (verdict, fate) = match votes.get(&finding.id) {
            None => (Verdict::Unconfirmed, Fate::Unconfirmed),
            Some(entry) => (entry.verdict(), voted_fate(&tally, entry, mended)),
        };
        let reopens = reopened(inputs, &finding.id);
        history.entries.push(HistoryEntry::new(cycle, &finding, verdict, fate, reopens));
    }
    Ok(Given::new(to_datum(&history), vec![Fact::Chronicled]))
}

fn reopened(inputs: &Inputs, id: &FindingId) -> Option<FindingId> {
    let reopens = inputs.value("audit_findings").get(&["reopens", id.as_str()])?;
    FindingId::new(reopens.as_text()?)
}

fn voted_fate(tally: &Tally, entry: &Entry, mended: impl Fn(&FindingId) -> Fate) -> Fate {
    match entry.verdict() {
        Verdict::Confirmed => mended(entry.id()),
        Verdict::FalsePositive if tally.rejects(entry) => Fate::Rejected,
        Verdict::FalsePositive | Verdict::Unconfirmed => Fate::Unconfirmed,
    }
}

fn fixer_fate(judged: &Judged) -> Fate {
    match judged.verdict {
        FixVerdict::Fixed => Fate::Fixed,
        FixVerdict::Phantom => Fate::Phantom,
        FixVerdict::Unaccounted => Fate::Unaccounted,
        FixVerdict::Skipped => Fate::Skipped {
            reason: match &judged.claim {
                Claim::Skipped { reason } => reason.clone(),
                Claim::Fixed { .. } | Claim::Nothing => judged.reason.clone(),
            },
        },
    }
}

/// The findings of the whole run, each once with the last word on it, as the summary is given them.
pub(super) fn run_findings(inputs: &Inputs) -> Result<Datum, Halt> {
    let history = inputs.history()?;
    Ok(Datum::List(history.standing().into_iter().map(run_finding).collect()))
}

fn run_finding(entry: &HistoryEntry) -> Datum {
    let (fate, reason) = match &entry.fate {
        Fate::Fixed => ("fixed", None),
        Fate::Skipped { reason } => ("skipped", Some(reason.as_str())),
        Fate::Phantom => ("phantom", None),
        Fate::Unaccounted => ("unaccounted", None),
        Fate::Rejected => ("rejected", None),
        Fate::Unconfirmed => ("unconfirmed", None),
        Fate::Open => ("open", None),
    };
    Datum::map([
        ("id", Datum::from(entry.finding_id.as_str())),
        ("cycle", Datum::from(entry.cycle)),
        ("category", Datum::from(entry.category.word())),
        ("severity", Datum::from(entry.severity.word())),
        ("file", Datum::from(entry.place.file.as_str())),
        ("line", entry.place.line.into()),
        ("description", Datum::from(entry.description.as_str())),
        ("verdict", to_datum(&entry.verdict)),
        ("fate", Datum::from(fate)),
        ("reason", reason.into()),
    ])
}

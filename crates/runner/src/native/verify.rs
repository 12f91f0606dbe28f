//! `verify-fixes`: claims against what the tree shows (D12–D16).

use std::collections::BTreeMap;

use tribunal_finding::{Finding, FindingId, Place, quote};
use tribunal_phase::Fact;
use tribunal_recipe::Datum;
use tribunal_verify::{Demand, FixVerdict, Judgement, Owed, Proof, Reach, judge};

use super::inputs::to_datum;
use super::{Given, Halt, Inputs, Said, read};
use crate::saying::listed;

pub(super) fn run(inputs: &Inputs) -> Result<Given, Halt> {
    if inputs.no_fix {
        let value =
            Datum::map([("outcome", Datum::from("not_asked")), ("passed", Datum::Bool(true))]);
        return Ok(Given::new(value, vec![Fact::NotAsked]));
    }
    let demand = Demand { owed: owed(inputs)?, fix_all: inputs.limits.policy.fix_all() };
    let report = match inputs.cycle.tallied().map(tribunal_phase::cycle::Tallied::fix_turns) {
        // The fixer was not called: it has nothing to report, and nothing to be unreadable.
        None | Some(0) => Some(tribunal_verify::FixReport::default()),
        Some(_) => read::united(inputs),
    };
    let judgement = judge(&demand, report.as_ref(), &inputs.proof);
    let ids = |wanted: &[FixVerdict]| {
        let judged = judgement.findings.iter().filter(|judged| wanted.contains(&judged.verdict));
        judged.map(|judged| judged.finding_id.clone()).collect::<Vec<_>>()
    };
    let fact = Fact::Judged {
        fixed: ids(&[FixVerdict::Fixed]),
        skipped: ids(&[FixVerdict::Skipped]),
        unaccounted: ids(&[FixVerdict::Phantom, FixVerdict::Unaccounted]),
        passed: judgement.passes(),
    };
    let mut value = to_datum(&judgement);
    if let Datum::Map(fields) = &mut value {
        fields.insert("passed".to_owned(), Datum::Bool(judgement.passes()));
    }
    let mut said = asides(inputs, &judgement, &demand);
    said.extend(judgement.lines().into_iter().map(Said::Result));
    said.extend(
        judgement
            .warnings()
            .iter()
            .map(|text| Said::Warning(format!("[{}] {text}", inputs.call.step))),
    );
    Ok(Given { said, ..Given::new(value, vec![fact]) })
}

/// What must be accounted for: confirmed now, or carried from an earlier cycle.
fn owed(inputs: &Inputs) -> Result<Vec<Owed>, Halt> {
    let tally = inputs.tally()?;
    let findings = inputs.findings()?;
    let owe =
        |finding: &Finding| Owed { id: finding.id.clone(), place: Some(finding.place.clone()) };
    let places: BTreeMap<&FindingId, &Finding> =
        findings.iter().map(|finding| (&finding.id, finding)).collect();
    let mut owed: Vec<Owed> = inputs.carried()?.iter().map(owe).collect();
    owed.extend(tally.confirmed().map(|confirmed| match places.get(confirmed.id()) {
        Some(finding) => owe(finding),
        None => Owed { id: confirmed.id().clone(), place: None },
    }));
    Ok(owed)
}

/// What changed besides the files that hold the fixes, and fixes in another file than their finding's:
/// no fault by itself, and nothing to pass over in silence.
fn asides(inputs: &Inputs, judgement: &Judgement, demand: &Demand) -> Vec<Said> {
    let step = &inputs.call.step;
    let warn = |text: String| Said::Warning(format!("[{step}] {text}"));
    let mut asides = Vec::new();
    let places: BTreeMap<&FindingId, &Place> =
        demand.owed.iter().filter_map(|owed| Some((&owed.id, owed.place.as_ref()?))).collect();
    for judged in judgement.findings.iter().filter(|judged| judged.verdict == FixVerdict::Fixed) {
        let (Some(place), Some(Reach::OtherFile)) = (places.get(&judged.finding_id), judged.reach)
        else {
            continue;
        };
        let (id, file) = (&judged.finding_id, &place.file);
        asides.push(warn(format!("{id}: {file} did not change; the fix is {}", judged.reason)));
    }
    let Proof::Evidence(evidence) = &inputs.proof else { return asides };
    let proven = judgement.proven_paths();
    let others: Vec<String> = evidence
        .changes
        .iter()
        .filter(|change| !proven.contains(&&change.path))
        .map(|change| format!("{} ({})", quote(&change.path.to_string()), change.kind.word()))
        .collect();
    if !others.is_empty() {
        asides.push(warn(format!("changed besides what was claimed: {}", listed(&others))));
    }
    asides
}

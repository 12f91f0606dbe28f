//! `verify-fixes`: claims against what the tree shows (D12–D16).

use tribunal_finding::Finding;
use tribunal_phase::Fact;
use tribunal_recipe::Datum;
use tribunal_verify::{Demand, FixVerdict, Owed, judge};

use super::inputs::to_datum;
use super::{Given, Halt, Inputs, Said, read};

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
    let mut said: Vec<Said> = judgement.lines().into_iter().map(Said::Result).collect();
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
    let mut owed: Vec<Owed> = inputs.carried()?.iter().map(owe).collect();
    for confirmed in tally.confirmed() {
        match findings.iter().find(|finding| finding.id == *confirmed.id()) {
            Some(finding) => owed.push(owe(finding)),
            None => owed.push(Owed { id: confirmed.id().clone(), place: None }),
        }
    }
    Ok(owed)
}

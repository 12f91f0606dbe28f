//! Readers of the roles' contracts.

use tribunal_finding::{
    EntryProblem, Finding, Sieve, is_finding_entry, quote, read_findings, sift,
};
use tribunal_phase::{Balloted, Contract, Fact, Failure, Heard, Sought};
use tribunal_recipe::Datum;
use tribunal_verdict::{Extraction, Note, Wanted, extract};
use tribunal_verify::{FixReport, is_fix_entry, union};
use tribunal_vote::{Standing, is_vote_entry};

use super::inputs::to_datum;
use super::{Given, Halt, Inputs, Reply, Said};

pub(crate) fn extraction(contract: Contract, bytes: &[u8]) -> Extraction<'_> {
    let entry = match contract {
        Contract::Findings => is_finding_entry,
        Contract::Ballot => is_vote_entry,
        Contract::FixReport => is_fix_entry,
    };
    extract(bytes, &Wanted { key: contract.key(), entry })
}

/// What is odd about an answer; that an agent has an envelope of its own is not.
fn notes(inputs: &Inputs, extraction: &Extraction<'_>) -> Vec<Said> {
    let step = &inputs.call.step;
    let odd = extraction.notes.iter().filter(|note| !matches!(note, Note::Envelope(_)));
    odd.map(|note| Said::Warning(format!("[{step}] {note}"))).collect()
}

fn problems(inputs: &Inputs, problems: &[EntryProblem]) -> Vec<Said> {
    let step = &inputs.call.step;
    problems.iter().map(|problem| Said::Warning(format!("[{step}] {problem}"))).collect()
}

/// SEEK's findings, filtered and renamed (D18).
///
/// An answer that cannot be read is a broken contract, never an empty list (D42).
pub(super) fn findings(inputs: &Inputs) -> Result<Given, Halt> {
    let reply = inputs.own_reply()?;
    let extraction = extraction(Contract::Findings, &reply.bytes);
    let mut said = notes(inputs, &extraction);
    let broken = |why: String| Halt::new(Failure::Contract, why);
    let json =
        extraction.json().ok_or_else(|| broken("the answer holds no JSON object".to_owned()))?;
    let (reported, bad) = read_findings(json).map_err(|error| broken(error.to_string()))?;
    if let (true, Some(first)) = (reported.is_empty(), bad.first()) {
        // Something was reported and nothing of it can be used: that is not a clean repository.
        return Err(broken(format!(
            "no finding of {} can be read, the first because {first}",
            bad.len()
        )));
    }
    said.extend(problems(inputs, &bad));
    let (reported, outside): (Vec<_>, Vec<_>) = reported
        .into_iter()
        .map(|finding| Finding { place: finding.place.relative_to(&inputs.root), ..finding })
        .partition(|finding| finding.place.is_inside());
    for finding in outside {
        let (step, file) = (&inputs.call.step, quote(&finding.place.file));
        said.push(Said::Warning(format!(
            "[{step}] {}: {file} is outside of the repository; the finding is left out",
            finding.id
        )));
    }
    let history = inputs.history()?;
    let sieve = Sieve {
        cycle: inputs.cycle.cycle(),
        severity_threshold: inputs.limits.severity_threshold,
        categories: inputs.limits.categories.clone(),
    };
    let sifted = sift(reported, &history, &sieve);
    for (old, new) in &sifted.renamed {
        said.push(Said::Warning(format!(
            "[{}] the id {old} was taken in an earlier cycle; the finding is called {new}",
            inputs.call.step
        )));
    }
    let carried = history.carried();
    let sought = sifted
        .findings
        .iter()
        .map(|sifted| Sought { id: sifted.finding.id.clone(), new: sifted.newness.is_new() });
    let facts = vec![Fact::Found {
        sought: sought.collect(),
        carried: carried.iter().map(|finding| finding.id.clone()).collect(),
    }];
    let reopens = sifted.findings.iter().filter_map(|sifted| {
        let earlier = sifted.newness.replaces()?;
        Some((sifted.finding.id.to_string(), Datum::from(earlier.as_str())))
    });
    let list = |findings: Vec<&Finding>| Datum::List(findings.into_iter().map(to_datum).collect());
    let value = Datum::map([
        ("cycle", Datum::from(inputs.cycle.cycle())),
        ("findings", list(sifted.findings.iter().map(|sifted| &sifted.finding).collect())),
        ("carried", list(carried.iter().collect())),
        ("dropped", to_datum(&sifted.dropped)),
        ("reopens", Datum::map(reopens)),
    ]);
    Ok(Given { said, ..Given::new(value, facts) })
}

/// One validator's ballot, or what became of it (D10, D42).
pub(super) fn ballot(inputs: &Inputs) -> Given {
    let validator = match inputs.own_reply() {
        Ok(Reply { role: tribunal_phase::Role::Validator(number), .. }) => *number,
        Ok(_) | Err(_) => 0,
    };
    let (ballot, value, said) = match inputs.own_reply() {
        Err(_) => (Balloted::Failed, Datum::Null, Vec::new()),
        Ok(reply) => match &reply.heard {
            Heard::Fault(_) => (Balloted::Failed, Datum::Null, Vec::new()),
            Heard::Said(_) => said_ballot(inputs, reply),
        },
    };
    Given { said, ..Given::new(value, vec![Fact::Balloted { validator, ballot }]) }
}

fn said_ballot(inputs: &Inputs, reply: &Reply) -> (Balloted, Datum, Vec<Said>) {
    let extraction = extraction(Contract::Ballot, &reply.bytes);
    let mut said = notes(inputs, &extraction);
    // A validator without an answer is the empty object (seed 000, tiers 0 and 4). What extraction
    // hands out is JSON, and the vote reads its text, so no number is rounded on the way.
    let value = match extraction.json() {
        Some(json) => Datum::from_json(json).unwrap_or_default(),
        None => Datum::map::<String>([]),
    };
    let ballot = match Standing::of(&extraction) {
        Standing::Usable { problems: bad, .. } => {
            said.extend(problems(inputs, &bad));
            Balloted::Usable
        }
        Standing::Empty => Balloted::Empty,
        Standing::Unparseable => Balloted::Unparseable,
        Standing::NoBallot => Balloted::NoBallot,
        Standing::Failed { .. } => Balloted::Failed,
    };
    (ballot, value, said)
}

/// The union of the cycle's fix reports (D16).
pub(super) fn fix_report(inputs: &Inputs) -> Given {
    let mut said = Vec::new();
    let mut readable = false;
    if let Ok(reply) = inputs.own_reply() {
        let extraction = extraction(Contract::FixReport, &reply.bytes);
        said = notes(inputs, &extraction);
        match extraction.json().map(FixReport::read) {
            Some(Ok((_, bad))) => {
                said.extend(problems(inputs, &bad));
                readable = true;
            }
            Some(Err(error)) => said.push(Said::Warning(format!("[{}] {error}", inputs.call.step))),
            None => said.push(Said::Warning(format!(
                "[{}] the fixer's answer holds no JSON object",
                inputs.call.step
            ))),
        }
    }
    let value = united(inputs).map_or(Datum::Null, |report| to_datum(&report));
    Given { said, ..Given::new(value, vec![Fact::Reported { readable }]) }
}

/// What the fixer reported in this cycle; `None` when none of its reports could be read.
pub(super) fn united(inputs: &Inputs) -> Option<FixReport> {
    inputs
        .replies
        .iter()
        .filter(|reply| reply.role == tribunal_phase::Role::Fixer)
        .filter_map(|reply| {
            let extraction = extraction(Contract::FixReport, &reply.bytes);
            let (report, _) = FixReport::read(extraction.json()?).ok()?;
            Some(report.relative_to(&inputs.root))
        })
        .reduce(union)
}

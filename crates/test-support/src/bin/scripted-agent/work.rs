//! The work itself: seeking and voting; mending is the fixer's.

use std::error::Error;
use std::fs;

use serde::Serialize;
use tribunal_test_support::{Fault, Role, Scenario};

use crate::call::Call;
use crate::fixer;
use crate::plan::{BallotWork, Plan};
use crate::prompt::{BadBlock, Prompt};
use crate::wire::{Ballot, Findings, Reported, Verdict, Vote};

/// Does what the role does and gives the answer, as JSON where the role has a contract.
pub(crate) fn perform(
    call: &Call,
    plan: &Plan,
    scenario: &Scenario,
    prompt: &Prompt<'_>,
) -> Result<String, Box<dyn Error>> {
    match call.role {
        Role::Seeker => json(&seek(call, scenario)),
        Role::Validator => json(&vote(call, plan.ballot, scenario, prompt)?),
        Role::Fixer => json(&fixer::fix(call, &plan.fix, scenario, prompt)?),
        Role::Diagnostician
        | Role::Worker
        | Role::Quality
        | Role::Evaluator
        | Role::Investigator
        | Role::Summarizer => {
            Ok(format!("The scripted agent has read the prompt of step {}.\n", call.step))
        }
    }
}

fn json(answer: &impl Serialize) -> Result<String, Box<dyn Error>> {
    Ok(serde_json::to_string(answer)?)
}

fn seek(call: &Call, scenario: &Scenario) -> Findings {
    let seen = scenario.faults.iter().filter(|fault| fault.from_cycle <= call.cycle);
    Findings { cycle: call.cycle, findings: seen.filter_map(report).collect() }
}

/// The fault as a finding; `None` when it no longer stands in its file.
pub(crate) fn report(fault: &Fault) -> Option<Reported> {
    let text = fs::read_to_string(&fault.file).ok()?;
    let start = text.find(&fault.find)?;
    let end = start + fault.find.len();
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let last = text[end..].find('\n').map_or(text.len(), |at| end + at);
    Some(Reported {
        id: fault.id.clone(),
        category: fault.category.clone(),
        severity: fault.severity.clone(),
        file: fault.file.clone(),
        line: text[..start].matches('\n').count() + 1,
        description: described(fault),
        evidence: text[first..last].to_owned(),
        recommendation: format!("write `{}` instead", fault.replace),
    })
}

pub(crate) fn described(fault: &Fault) -> String {
    if fault.description.is_empty() {
        format!("`{}` does harm", fault.find)
    } else {
        fault.description.clone()
    }
}

fn vote(
    call: &Call,
    work: BallotWork,
    scenario: &Scenario,
    prompt: &Prompt<'_>,
) -> Result<Ballot, BadBlock> {
    let verdicts: &[Verdict] = match work {
        BallotWork::Confirm => &[Verdict::Confirmed],
        BallotWork::ConfirmTwice => &[Verdict::Confirmed, Verdict::Confirmed],
        BallotWork::Contradict => &[Verdict::Confirmed, Verdict::FalsePositive],
        BallotWork::Reject => &[Verdict::FalsePositive],
    };
    let ids: Vec<String> = match prompt.findings()? {
        Some(block) => block.findings.into_iter().map(|finding| finding.id).collect(),
        None => scenario.faults.iter().map(|fault| fault.id.clone()).collect(),
    };
    let votes = ids.into_iter().flat_map(|id| {
        verdicts.iter().map(move |verdict| Vote {
            finding_id: id.clone(),
            verdict: *verdict,
            reasoning: match verdict {
                Verdict::Confirmed => "the faulty text stands in the file",
                Verdict::FalsePositive => "the text does no harm",
            },
        })
    });
    Ok(Ballot { validator: call.step.clone(), cycle: call.cycle, validated: votes.collect() })
}

//! The work itself: seeking, voting, mending.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde::Serialize;
use tribunal_test_support::{Fault, Role, Scenario};

use crate::call::Call;
use crate::plan::{After, BallotWork, FixWork, Plan};
use crate::prompt::{BadBlock, Prompt};
use crate::wire::{Applied, Ballot, Findings, FixReport, Given, Reported, Skipped, Verdict, Vote};

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
        Role::Fixer => json(&fix(call, &plan.fix, scenario, prompt)?),
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
fn report(fault: &Fault) -> Option<Reported> {
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

fn described(fault: &Fault) -> String {
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

fn fix(
    call: &Call,
    work: &FixWork,
    scenario: &Scenario,
    prompt: &Prompt<'_>,
) -> Result<FixReport, Box<dyn Error>> {
    let tasks = tasks(scenario, prompt)?;
    let mut report = FixReport { cycle: call.cycle, ..FixReport::default() };
    match work {
        FixWork::Mend(after) => {
            mend_all(&tasks, &mut report)?;
            hand_to_git(*after, &report)?;
        }
        FixWork::MendFirst => {
            let stands = |task: &&Task<'_>| task.fault.is_some_and(|f| self::report(f).is_some());
            let first = tasks.iter().find(stands);
            mend_all(first.map_or(&[], std::slice::from_ref), &mut report)?;
        }
        FixWork::Claim => {
            report.fixes_applied = tasks.iter().map(|task| task.claim(&task.file)).collect();
        }
        FixWork::Skip(reason) => {
            report.fixes_skipped = tasks.iter().map(|task| task.skip(reason)).collect();
        }
        FixWork::NewFile { path, text } => {
            if let Some(folder) = Path::new(path).parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(path, text)?;
            report.fixes_applied = tasks.iter().map(|task| task.claim(path)).collect();
        }
    }
    report.total_fixed = report.fixes_applied.len();
    report.total_skipped = report.fixes_skipped.len();
    Ok(report)
}

/// A finding to be fixed, and the fault behind it where the scenario knows it.
struct Task<'s> {
    id: String,
    file: String,
    fault: Option<&'s Fault>,
}

impl Task<'_> {
    fn claim(&self, file: &str) -> Applied {
        let change = self.fault.map_or("mended", |fault| fault.replace.as_str());
        Applied {
            finding_id: self.id.clone(),
            file: file.to_owned(),
            change: format!("now reads `{change}`"),
        }
    }

    fn skip(&self, reason: &str) -> Skipped {
        Skipped { finding_id: self.id.clone(), reason: reason.to_owned() }
    }
}

fn tasks<'s>(scenario: &'s Scenario, prompt: &Prompt<'_>) -> Result<Vec<Task<'s>>, BadBlock> {
    Ok(match prompt.to_be_fixed()? {
        Some(given) => given.into_iter().map(|finding| task(finding, scenario)).collect(),
        None => scenario
            .faults
            .iter()
            .map(|fault| Task {
                id: fault.id.clone(),
                file: fault.file.clone(),
                fault: Some(fault),
            })
            .collect(),
    })
}

/// The id says nothing: ids of later cycles are renamed.
fn task(finding: Given, scenario: &Scenario) -> Task<'_> {
    let fault = scenario.faults.iter().filter(|fault| fault.file == finding.file).find(|fault| {
        finding.evidence.contains(&fault.find) || finding.description == described(fault)
    });
    Task { id: finding.id, file: finding.file, fault }
}

fn mend_all(tasks: &[Task<'_>], report: &mut FixReport) -> Result<(), Box<dyn Error>> {
    for task in tasks {
        let Some(fault) = task.fault else {
            report.fixes_skipped.push(task.skip("no fault of the scenario matches it"));
            continue;
        };
        let text = fs::read_to_string(&fault.file)?;
        if text.contains(&fault.find) {
            fs::write(&fault.file, text.replacen(&fault.find, &fault.replace, 1))?;
        } else if !text.contains(&fault.replace) {
            report.fixes_skipped.push(task.skip("the faulty text is gone from its file"));
            continue;
        }
        report.fixes_applied.push(task.claim(&task.file));
    }
    Ok(())
}

fn hand_to_git(after: After, report: &FixReport) -> Result<(), Box<dyn Error>> {
    let files: BTreeSet<&str> = report.fixes_applied.iter().map(|fix| fix.file.as_str()).collect();
    if files.is_empty() {
        return Ok(());
    }
    match after {
        After::Nothing => Ok(()),
        After::Stage => git(&["add", "--"], &files),
        After::Commit => {
            git(&["add", "--"], &files)?;
            git(&["commit", "--quiet", "-m", "fix: as the audit asked", "--"], &files)
        }
    }
}

fn git(arguments: &[&str], files: &BTreeSet<&str>) -> Result<(), Box<dyn Error>> {
    let status = Command::new("git")
        .args(["-c", "user.name=Scripted", "-c", "user.email=scripted@example.org"])
        .args(["-c", "commit.gpgSign=false"])
        .args(arguments)
        .args(files)
        .status()?;
    if status.success() { Ok(()) } else { Err(format!("git {arguments:?}: {status}").into()) }
}

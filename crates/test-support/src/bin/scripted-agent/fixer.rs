//! The fixer's work: mending, or saying so.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use tribunal_test_support::{Fault, Scenario};

use crate::call::Call;
use crate::plan::{After, FixWork};
use crate::prompt::{BadBlock, Prompt};
use crate::wire::{Applied, FixReport, Given, Skipped};
use crate::work::{self, described};

/// Does what the plan has a fixer do, and reports it.
pub(crate) fn fix(
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
            let stands = |task: &&Task<'_>| task.fault.is_some_and(|f| work::report(f).is_some());
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

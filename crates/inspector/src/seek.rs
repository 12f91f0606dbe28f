//! The seeker: what is worth a reader's time in this tree.

use crate::args::Invocation;
use crate::catalog::Catalog;
use crate::fault::Fault;
use crate::hit::Hit;
use crate::linter::{self, Desk};
use crate::rule::{Excuse, InTests};
use crate::surroundings::Surroundings;
use crate::survey::Survey;
use crate::wire::{Findings, Found};

/// Looks at every file below the target; findings are numbered by file and line.
pub(crate) fn seek(
    call: &Invocation,
    desk: Option<&Desk>,
    notes: &mut Vec<String>,
) -> Result<Findings, Fault> {
    let catalog = Catalog::with(&call.rules)?;
    call.selection.check(&catalog)?;
    let survey = Survey::of(call, &catalog, notes)?;
    let reported = survey.files.iter().flat_map(|seen| {
        let hits = seen.hits.iter().filter(|hit| hit.rule.depth <= call.cycle);
        hits.filter(|hit| call.selection.holds(hit.rule))
            .filter(|hit| is_worth_reporting(hit, seen.surroundings))
            .filter(|hit| survey.asks_for(hit.rule))
            .map(|hit| (seen.path.as_str(), hit))
    });
    let reported: Vec<(&str, &Hit)> = reported.collect();
    let linted = desk.map(|desk| linter::seek(desk, call, &survey, &reported, notes));
    let mut findings: Vec<Found> = reported.iter().map(|(file, hit)| found(file, hit)).collect();
    let mut asked = String::new();
    if let Some(sought) = linted {
        findings.extend(sought.findings);
        findings.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        asked = sought.summary;
    }
    for (number, finding) in (1..).zip(&mut findings) {
        finding.id = format!("F{number}");
    }
    let summary = format!(
        "{} findings in {} files; rules down to depth {}{asked}",
        findings.len(),
        survey.walked,
        call.cycle.min(3)
    );
    Ok(Findings { cycle: call.cycle, findings, summary })
}

pub(crate) fn found(file: &str, hit: &Hit) -> Found {
    Found {
        id: String::new(),
        category: hit.rule.category,
        severity: hit.severity,
        file: file.to_owned(),
        line: hit.line,
        description: hit.description(),
        evidence: hit.evidence.clone(),
        recommendation: hit.rule.recommendation.clone(),
    }
}

/// Leaves out what its author took out of review, and what its surroundings allow.
pub(crate) fn is_worth_reporting(hit: &Hit, surroundings: Surroundings) -> bool {
    let in_tests = hit.in_test || surroundings == Surroundings::Test;
    let fits = match hit.rule.in_tests {
        InTests::Skip => !in_tests && surroundings == Surroundings::Product,
        InTests::Keep => in_tests || surroundings == Surroundings::Product,
        InTests::Only => in_tests,
    };
    let excused = match hit.rule.excuse {
        Excuse::Never => false,
        Excuse::Comment => hit.remark.is_some(),
    };
    fits && !excused && hit.suppressed.is_none()
}

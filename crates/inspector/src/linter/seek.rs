//! What linters add to the findings of a seeker.

use super::{Desk, Linted};
use crate::args::Invocation;
use crate::hit::Hit;
use crate::seek::{found, is_worth_reporting};
use crate::source::SourceFile;
use crate::survey::Survey;
use crate::wire::Found;

/// Findings of linters, and a part of the summary that says who was asked.
pub(crate) struct Sought {
    pub(crate) findings: Vec<Found>,
    pub(crate) summary: String,
}

/// Asks each linter that is allowed about the files it reads.
///
/// `known` is what structural rules report, each with its file: a place that such a rule reports
/// under the linter's own name for it is not reported twice.
pub(crate) fn seek(
    desk: &Desk,
    call: &Invocation,
    survey: &Survey,
    known: &[(&str, &Hit)],
    notes: &mut Vec<String>,
) -> Sought {
    let read = |path: &String| SourceFile::read(&call.root, path.clone());
    let files: Vec<SourceFile> = survey.files.iter().filter_map(|seen| read(&seen.path)).collect();
    let mut sought = Sought { findings: Vec::new(), summary: String::new() };
    for linter in desk.allowed() {
        let paths = files.iter().filter(|file| linter.reads(file)).map(|file| file.path.clone());
        let paths: Vec<String> = paths.collect();
        if paths.is_empty() {
            continue;
        }
        let report = desk.ask(*linter, &paths);
        let before = sought.findings.len();
        for linted in Linted::by_file(&call.root, &report) {
            let file = &linted.file;
            let hits = linted.hits();
            let worth = hits.iter().filter(|hit| {
                call.selection.holds(hit.rule)
                    && is_worth_reporting(hit, file.surroundings)
                    && !is_known(known, &file.path, hit)
            });
            sought.findings.extend(worth.map(|hit| found(&file.path, hit)));
        }
        let count = sought.findings.len() - before;
        sought.summary += &format!("; {linter}: {count} findings in {} files", paths.len());
        for trouble in &report.troubles {
            sought.summary += &format!("; {trouble}");
            notes.push(trouble.to_string());
        }
    }
    sought
}

/// Whether a structural rule reports the same line under one of this rule's names.
fn is_known(known: &[(&str, &Hit)], file: &str, hit: &Hit) -> bool {
    known.iter().any(|(path, other)| {
        *path == file
            && other.line == hit.line
            && other.rule.lints.iter().any(|lint| hit.rule.lints.contains(lint))
    })
}

//! Findings of linters, as validators look at them again.

use std::path::Path;

use super::{Desk, Linted, Linter};
use crate::eyes::{Eye, Opinion};
use crate::hit::rule_id;
use crate::survey::Count;
use crate::tree;
use crate::validate::nearest;
use crate::wire::Reported;

/// What the linters say of the files with findings of theirs; each was asked once.
pub(crate) struct Recheck {
    answers: Vec<Answer>,
}

struct Answer {
    linter: Linter,
    files: Vec<Linted>,
    /// It could not look at all of it, so its silence means nothing.
    is_partial: bool,
}

impl Recheck {
    /// Asks each linter that has findings among these, if it is allowed.
    pub(crate) fn of(
        desk: &Desk,
        root: &Path,
        findings: &[Reported],
        notes: &mut Vec<String>,
    ) -> Self {
        let ask = |linter: &Linter| {
            let theirs = findings.iter().filter(|finding| linter_of(finding) == Some(*linter));
            let inside = theirs.filter(|finding| tree::touchable(root, &finding.file).is_ok());
            let mut files: Vec<String> = inside.map(|finding| finding.file.clone()).collect();
            files.sort();
            files.dedup();
            let report = desk.ask(*linter, &files);
            notes.extend(report.troubles.iter().map(ToString::to_string));
            let is_partial = report.failure().is_some();
            Answer { linter: *linter, files: Linted::by_file(root, &report), is_partial }
        };
        Self { answers: desk.allowed().iter().map(ask).collect() }
    }

    /// An eye's word on a finding of a linter; `None` where the linter was not asked or could not
    /// look.
    pub(crate) fn opinion(&self, eye: Eye, finding: &Reported) -> Option<Opinion> {
        let rule = rule_id(&finding.description)?;
        let linter = Linter::of_rule(rule)?;
        let answer = self.answers.iter().find(|answer| answer.linter == linter)?;
        let linted = answer.files.iter().find(|linted| linted.file.path == finding.file);
        let hits = linted.map_or_else(Vec::new, Linted::hits);
        match (linted, nearest(&hits, rule, finding)) {
            (Some(linted), Some(hit)) => {
                Some(eye.judge(hit, &linted.file, finding.line, Count::default()))
            }
            _ if answer.is_partial => None,
            _ => Some(Opinion::false_positive(format!(
                "{linter} does not report {rule} on this evidence in the file as it is now"
            ))),
        }
    }
}

/// The linter whose rule a finding names.
pub(crate) fn linter_of(finding: &Reported) -> Option<Linter> {
    rule_id(&finding.description).and_then(Linter::of_rule)
}

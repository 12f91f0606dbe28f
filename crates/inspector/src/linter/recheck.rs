//! Findings of linters, as validators look at them again.

use std::path::Path;

use super::{Desk, Linted, Linter};
use crate::eyes::{Eye, Opinion};
use crate::hit::{Hit, rule_id};
use crate::source::SourceFile;
use crate::survey::Count;
use crate::tree;
use crate::validate::nearest;
use crate::wire::Reported;

/// What a linter says of the files with findings of its own.
pub(crate) struct Answer {
    linter: Linter,
    files: Vec<Linted>,
    /// It could not look at all of it, so its silence means nothing.
    is_partial: bool,
}

/// Asks each linter that is allowed about the files with findings of its own, once for all of them.
pub(crate) fn ask_again(
    desk: &Desk,
    root: &Path,
    findings: &[Reported],
    notes: &mut Vec<String>,
) -> Vec<Answer> {
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
    desk.allowed().iter().map(ask).collect()
}

/// The answers with the places that they name, each file parsed once.
pub(crate) struct Recheck<'a> {
    answers: &'a [Answer],
    places: Vec<Places<'a>>,
}

/// Where the linter of an answer reports anything in one file.
struct Places<'a> {
    linter: Linter,
    file: &'a SourceFile,
    hits: Vec<Hit<'a>>,
}

impl<'a> Recheck<'a> {
    pub(crate) fn of(answers: &'a [Answer]) -> Self {
        let places = answers.iter().flat_map(|Answer { linter, files, .. }| {
            files.iter().map(|linted| Places {
                linter: *linter,
                file: &linted.file,
                hits: linted.hits(),
            })
        });
        Self { answers, places: places.collect() }
    }

    /// An eye's word on a finding of a linter; `None` where the linter was not asked or could not
    /// look.
    pub(crate) fn opinion(&self, eye: Eye, finding: &Reported) -> Option<Opinion> {
        let rule = rule_id(&finding.description)?;
        let linter = Linter::of_rule(rule)?;
        let answer = self.answers.iter().find(|answer| answer.linter == linter)?;
        let is_there = |place: &&Places| place.linter == linter && place.file.path == finding.file;
        let place = self.places.iter().find(is_there);
        let seen = place.and_then(|place| Some((place.file, nearest(&place.hits, rule, finding)?)));
        match seen {
            Some((file, hit)) => Some(eye.judge(hit, file, finding.line, Count::default())),
            None if answer.is_partial => None,
            None => Some(Opinion::false_positive(format!(
                "{linter} does not report {rule} on this evidence in the file as it is now"
            ))),
        }
    }
}

/// The linter whose rule a finding names.
pub(crate) fn linter_of(finding: &Reported) -> Option<Linter> {
    rule_id(&finding.description).and_then(Linter::of_rule)
}

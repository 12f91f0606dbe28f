//! Edits that a linter vouches for, each held against what it reports afterwards.

use std::path::Path;

use super::diagnostic::Repair;
use super::plan::{Plan, Sheet};
use super::{Desk, Linter, Report};
use crate::edit::{Rewrite, replace_file};
use crate::hit::rule_id;
use crate::rule::one_line;
use crate::source::SourceFile;
use crate::tree;
use crate::wire::Reported;

/// What became of a finding: what changed, or why nothing could.
pub(crate) type Settled<'f> = (&'f Reported, Result<String, String>);

/// Mends findings of one linter, and says what became of each.
///
/// Edits that do not touch each other are tried together, because a linter may take long; when the
/// tree is not better for it, all are taken back and each half is tried alone.
pub(crate) fn mend<'f>(
    desk: &Desk,
    root: &Path,
    linter: Linter,
    wanted: &[&'f Reported],
) -> Vec<Settled<'f>> {
    let mut files: Vec<String> = wanted
        .iter()
        .filter(|finding| tree::touchable(root, &finding.file).is_ok())
        .map(|finding| finding.file.clone())
        .collect();
    files.sort();
    files.dedup();
    let report = desk.ask(linter, &files);
    if let Some(trouble) = report.failure() {
        let reason = format!("what an edit does could not be checked: {trouble}");
        return wanted.iter().map(|finding| (*finding, Err(reason.clone()))).collect();
    }
    let mut mender = Mender { desk, root, linter, files, report, settled: Vec::new() };
    mender.attempt(wanted);
    mender.settled
}

struct Mender<'d, 'f> {
    desk: &'d Desk,
    root: &'d Path,
    linter: Linter,
    /// All files with wanted findings: what is asked about after each edit.
    files: Vec<String>,
    /// What the linter says of the files as they are.
    report: Report,
    settled: Vec<Settled<'f>>,
}

impl<'f> Mender<'_, 'f> {
    fn attempt(&mut self, group: &[&'f Reported]) {
        let (plan, later) = self.plan(group);
        if plan.parts.is_empty() {
            return;
        }
        match self.perform(&plan) {
            Ok(report) => {
                self.report = report;
                let mended = plan.parts.into_iter();
                self.settled.extend(mended.map(|part| (part.finding, Ok(part.change))));
            }
            Err(reason) => match plan.parts.as_slice() {
                [part] => self.settled.push((part.finding, Err(reason))),
                parts => {
                    let findings: Vec<&'f Reported> =
                        parts.iter().map(|part| part.finding).collect();
                    let (first, second) = findings.split_at(findings.len() / 2);
                    self.attempt(first);
                    self.attempt(second);
                }
            },
        }
        if !later.is_empty() {
            self.attempt(&later);
        }
    }

    /// The edits of a group as far as they do not touch, and the findings left for later; a finding
    /// without an edit is settled.
    fn plan(&mut self, group: &[&'f Reported]) -> (Plan<'f>, Vec<&'f Reported>) {
        let (mut plan, mut later) = (Plan::default(), Vec::new());
        for finding in group {
            match self.edits(finding) {
                Err(reason) => self.settled.push((*finding, Err(reason))),
                Ok((file, rule, edits)) => {
                    if !plan.take(finding, file, rule, edits) {
                        later.push(*finding);
                    }
                }
            }
        }
        (plan, later)
    }

    fn edits(&self, finding: &'f Reported) -> Result<(SourceFile, &'f str, Vec<Rewrite>), String> {
        let linter = self.linter;
        tree::touchable(self.root, &finding.file)
            .map_err(|reason| format!("the file cannot be edited: {reason}"))?;
        let file = SourceFile::read(self.root, finding.file.clone())
            .ok_or("the file is binary or too large to be read as code")?;
        let rule = rule_id(&finding.description).unwrap_or_default();
        let found = self.report.nearest(&file, rule, finding).ok_or_else(|| {
            format!("{linter} no longer reports {rule} on this evidence in the file as it is now")
        })?;
        let safe = match &found.repair {
            Repair::Safe(edits) => edits,
            Repair::Unsafe => {
                let help = found.help.as_deref().map(one_line).unwrap_or_default();
                return Err(format!(
                    "{linter} does not vouch that its proposal ({help}) is right in every case"
                ));
            }
            Repair::Unknown => {
                return Err(format!(
                    "{linter} knows no edit for it; what is right needs judgement"
                ));
            }
        };
        let edits: Option<Vec<Rewrite>> =
            safe.iter().map(|edit| edit.in_text(&file.text)).collect();
        let edits = edits.ok_or_else(|| format!("the edit of {linter} does not fit the file"))?;
        Ok((file, rule, edits))
    }

    /// Writes the edits of a plan and asks again; what does not hold is taken back.
    fn perform(&self, plan: &Plan) -> Result<Report, String> {
        let texts = plan.texts()?;
        let written = texts.iter().try_for_each(|edited| self.write(edited));
        let checked = written.and_then(|()| {
            let after = self.desk.ask(self.linter, &self.files);
            plan.check(&self.report, &after, self.linter).map(|()| after)
        });
        checked.map_err(|reason| {
            let back = plan.sheets.iter().try_for_each(|Sheet { file, .. }| self.write(file));
            match back {
                Ok(()) => reason,
                Err(failure) => format!("{reason}; putting the file back failed: {failure}"),
            }
        })
    }

    fn write(&self, file: &SourceFile) -> Result<(), String> {
        let place = tree::touchable(self.root, &file.path).map_err(|reason| reason.to_string())?;
        replace_file(&place, &file.text)
            .map_err(|error| format!("the file cannot be written: {error}"))
    }
}

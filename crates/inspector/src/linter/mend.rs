//! Edits that a linter vouches for, each held against what it reports afterwards.

use std::path::Path;

use super::diagnostic::{Diagnostic, Repair};
use super::doubt::doubt;
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

/// What is to be done about some findings.
#[derive(Default)]
struct Outlook<'f> {
    plan: Plan<'f>,
    /// Their edits touch those of the plan.
    later: Vec<&'f Reported>,
    /// There is no edit for them.
    refused: Vec<Settled<'f>>,
}

impl<'f> Mender<'_, 'f> {
    fn attempt(&mut self, group: &[&'f Reported]) {
        let Outlook { plan, later, refused } = self.plan(group);
        self.settled.extend(refused);
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

    fn plan(&self, group: &[&'f Reported]) -> Outlook<'f> {
        let mut outlook = Outlook::default();
        // Equal code on one line has a report for each: two findings must not get the same one.
        let mut taken: Vec<&Diagnostic> = Vec::new();
        for finding in group.iter().copied() {
            match self.report_of(finding, &taken) {
                Err(reason) => outlook.refused.push((finding, Err(reason))),
                Ok((_, None)) => outlook.later.push(finding),
                Ok((file, Some(found))) => match self.edits(&file, found) {
                    Err(reason) => outlook.refused.push((finding, Err(reason))),
                    Ok(edits) => {
                        taken.push(found);
                        if !outlook.plan.take(finding, file, found, edits) {
                            outlook.later.push(finding);
                        }
                    }
                },
            }
        }
        outlook
    }

    /// The report behind a finding, with its file; `None` where all that fit are taken.
    fn report_of(
        &self,
        finding: &Reported,
        taken: &[&Diagnostic],
    ) -> Result<(SourceFile, Option<&Diagnostic>), String> {
        let linter = self.linter;
        tree::touchable(self.root, &finding.file)
            .map_err(|reason| format!("the file cannot be edited: {reason}"))?;
        let file = SourceFile::read(self.root, finding.file.clone())
            .ok_or("the file is binary or too large to be read as code")?;
        let rule = rule_id(&finding.description).unwrap_or_default();
        let mut found = self.report.by_distance(&file, rule, finding);
        if found.is_empty() {
            return Err(format!(
                "{linter} no longer reports {rule} on this evidence in the file as it is now"
            ));
        }
        found.retain(|found| !taken.iter().any(|taken| std::ptr::eq(*taken, *found)));
        Ok((file, found.first().copied()))
    }

    /// The edits of a report, where the linter vouches for them.
    fn edits(&self, file: &SourceFile, found: &Diagnostic) -> Result<Vec<Rewrite>, String> {
        let linter = self.linter;
        let safe = match &found.repair {
            Repair::Safe(edits) => edits,
            Repair::Unsafe => {
                let help = found.help.as_deref().map(one_line).unwrap_or_default();
                return Err(format!("what {linter} proposes ({help}) is not safe in every case"));
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
        match doubt(&found.rule, &edits, &file.text) {
            Some(why) => Err(format!("what {linter} proposes is not safe in every case: {why}")),
            None => Ok(edits),
        }
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

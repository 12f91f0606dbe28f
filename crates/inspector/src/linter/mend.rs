//! Edits that a linter vouches for, each held against what it reports afterwards.

use std::collections::BTreeMap;
use std::path::Path;

use super::diagnostic::{Diagnostic, Repair};
use super::{Desk, Linter, Report};
use crate::edit::{Rewrite, clash, replace_file, splice};
use crate::hit::rule_id;
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

/// Edits that are tried together.
#[derive(Default)]
struct Plan<'f> {
    parts: Vec<Part<'f>>,
    sheets: Vec<Sheet>,
}

/// One finding of a plan.
struct Part<'f> {
    finding: &'f Reported,
    rule: String,
    change: String,
}

/// A file as it is, and what is to be changed in it.
struct Sheet {
    file: SourceFile,
    edits: Vec<Rewrite>,
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

    fn edits(&self, finding: &Reported) -> Result<(SourceFile, String, Vec<Rewrite>), String> {
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
                return Err(format!(
                    "{linter} proposes an edit but does not vouch that the code still does the same"
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
        Ok((file, rule.to_owned(), edits))
    }

    /// Writes the edits of a plan and asks again; what does not hold is taken back.
    fn perform(&self, plan: &Plan) -> Result<Report, String> {
        let mut texts = Vec::new();
        for Sheet { file, edits } in &plan.sheets {
            let text = splice(&file.text, edits).ok_or("the parts of the edit overlap")?;
            let edited = SourceFile::new(file.path.clone(), text);
            if file.parses() && !edited.parses() {
                return Err(
                    "the edited file would not parse, so the edit was taken back".to_owned()
                );
            }
            texts.push(edited);
        }
        let written = texts.iter().try_for_each(|edited| self.write(edited));
        let checked = written.and_then(|()| {
            let after = self.desk.ask(self.linter, &self.files);
            check(&self.report, &after, plan, self.linter).map(|()| after)
        });
        checked.map_err(|reason| {
            let back = plan.sheets.iter().try_for_each(|sheet| self.write(&sheet.file));
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

impl<'f> Plan<'f> {
    /// Takes a finding in, unless its edits touch those of another.
    fn take(
        &mut self,
        finding: &'f Reported,
        file: SourceFile,
        rule: String,
        edits: Vec<Rewrite>,
    ) -> bool {
        let shown: Vec<String> =
            edits.iter().take(3).map(|edit| edit.summary(&file.text)).collect();
        match self.sheets.iter_mut().find(|sheet| sheet.file.path == file.path) {
            Some(sheet) if clash(&sheet.edits, &edits) => return false,
            Some(sheet) => sheet.edits.extend(edits),
            None => self.sheets.push(Sheet { file, edits }),
        }
        self.parts.push(Part { finding, rule, change: shown.join("; ") });
        true
    }
}

/// The linter must report less of what was mended, and nothing more than before.
fn check(before: &Report, after: &Report, plan: &Plan, linter: Linter) -> Result<(), String> {
    if let Some(trouble) = after.failure() {
        return Err(format!("after the edit {trouble}; so it was taken back"));
    }
    let (before, after) = (counts(before), counts(after));
    let of = |counts: &BTreeMap<_, usize>, key| counts.get(&key).copied().unwrap_or_default();
    for (file, rule) in after.keys().copied() {
        if of(&after, (file, rule)) > of(&before, (file, rule)) {
            return Err(format!(
                "{linter} would report {rule} in {file} after the edit, so it was taken back"
            ));
        }
    }
    for part in &plan.parts {
        let key = (part.finding.file.as_str(), part.rule.as_str());
        let is_same = |other: &&Part| other.finding.file == key.0 && other.rule == key.1;
        let mended = plan.parts.iter().filter(is_same).count();
        if of(&after, key) + mended > of(&before, key) {
            return Err(format!(
                "{linter} would still report {} after the edit, so it was taken back",
                part.rule
            ));
        }
    }
    Ok(())
}

/// How often each rule is reported in each file.
fn counts(report: &Report) -> BTreeMap<(&str, &str), usize> {
    let mut counts = BTreeMap::new();
    for Diagnostic { file, rule, .. } in &report.diagnostics {
        *counts.entry((file.as_str(), rule.as_str())).or_default() += 1;
    }
    counts
}

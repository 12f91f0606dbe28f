//! Edits of several findings that are tried together, and what must be true afterwards.

use std::collections::BTreeMap;

use super::diagnostic::Diagnostic;
use super::{Linter, Report};
use crate::edit::{Rewrite, clash, splice};
use crate::rule::one_line;
use crate::source::SourceFile;
use crate::wire::Reported;

/// Edits that are tried together.
#[derive(Default)]
pub(super) struct Plan<'f> {
    pub(super) parts: Vec<Part<'f>>,
    pub(super) sheets: Vec<Sheet>,
}

/// One finding of a plan.
pub(super) struct Part<'f> {
    pub(super) finding: &'f Reported,
    pub(super) rule: String,
    pub(super) change: String,
}

/// A file as it is, and what is to be changed in it.
pub(super) struct Sheet {
    pub(super) file: SourceFile,
    pub(super) edits: Vec<Rewrite>,
}

impl Part<'_> {
    /// What reports are counted by.
    fn place(&self) -> (&str, &str) {
        (&self.finding.file, &self.rule)
    }
}

impl<'f> Plan<'f> {
    /// Takes a finding in, unless its edits touch those of another.
    pub(super) fn take(
        &mut self,
        finding: &'f Reported,
        file: SourceFile,
        found: &Diagnostic,
        edits: Vec<Rewrite>,
    ) -> bool {
        let shown: Vec<String> =
            edits.iter().take(3).map(|edit| edit.summary(&file.text)).collect();
        match self.sheets.iter_mut().find(|sheet| sheet.file.path == file.path) {
            // One edit may mend two findings, as when a whole import goes.
            Some(sheet) if edits.iter().all(|edit| sheet.edits.contains(edit)) => {}
            Some(sheet) if clash(&sheet.edits, &edits) => return false,
            Some(sheet) => sheet.edits.extend(edits),
            None => self.sheets.push(Sheet { file, edits }),
        }
        let shown = shown.join("; ");
        let change = match &found.help {
            Some(help) => format!("{shown} ({})", one_line(help)),
            None => shown,
        };
        self.parts.push(Part { finding, rule: found.rule.clone(), change });
        true
    }

    /// The files as they are to be; refused where edits overlap or break what could be parsed.
    pub(super) fn texts(&self) -> Result<Vec<SourceFile>, String> {
        let edited = self.sheets.iter().map(|Sheet { file, edits }| {
            let text = splice(&file.text, edits).ok_or("the parts of the edit overlap")?;
            let edited = SourceFile::new(file.path.clone(), text);
            if file.parses() && !edited.parses() {
                return Err(
                    "the edited file would not parse, so the edit was taken back".to_owned()
                );
            }
            Ok(edited)
        });
        edited.collect()
    }

    /// The linter must report less of what was mended, and nothing more than before.
    pub(super) fn check(
        &self,
        before: &Report,
        after: &Report,
        linter: Linter,
    ) -> Result<(), String> {
        if let Some(trouble) = after.failure() {
            return Err(format!("with the edit, {trouble}; so it was taken back"));
        }
        let (before, after) = (counts(before), counts(after));
        let of = |counts: &Counts, key| counts.get(&key).copied().unwrap_or_default();
        let more = after.keys().find(|key| of(&after, **key) > of(&before, **key));
        if let Some((file, rule)) = more {
            return Err(format!(
                "{linter} would report {rule} in {file} after the edit, so it was taken back"
            ));
        }
        let stays = self.parts.iter().find(|part| {
            let mended = self.parts.iter().filter(|other| other.place() == part.place()).count();
            of(&after, part.place()) + mended > of(&before, part.place())
        });
        match stays {
            None => Ok(()),
            Some(Part { rule, .. }) => Err(format!(
                "{linter} would still report {rule} after the edit, so it was taken back"
            )),
        }
    }
}

/// How often each rule is reported in each file.
type Counts<'r> = BTreeMap<(&'r str, &'r str), usize>;

fn counts(report: &Report) -> Counts<'_> {
    let mut counts = Counts::new();
    for Diagnostic { file, rule, .. } in &report.diagnostics {
        *counts.entry((file.as_str(), rule.as_str())).or_default() += 1;
    }
    counts
}

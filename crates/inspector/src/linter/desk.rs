//! Asking linters, and making of what they say what the roles can judge.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use fs_err as fs;

use super::Linter;
use super::diagnostic::Diagnostic;
use super::jobs::{Task, tasks};
use super::start::Workplace;
use super::trouble::{Trouble, Why};
use crate::args::Invocation;
use crate::fault::Fault;
use crate::hit::evidence;
use crate::source::SourceFile;
use crate::surroundings::Surroundings;
use crate::validate::folded;
use crate::wire::Reported;

/// The linters that are allowed in a call, and all they need to be asked.
pub(crate) struct Desk {
    root: PathBuf,
    allowed: Vec<Linter>,
    place: Workplace,
}

/// What a linter says about some files.
#[derive(Default)]
pub(crate) struct Report {
    /// In the order of files, lines and rules.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What it could not look at, and why.
    pub(crate) troubles: Vec<Trouble>,
}

impl Desk {
    /// Opens a desk for the linters that a call allows; `None` where it allows none.
    pub(crate) fn open(
        call: &Invocation,
        environment: Vec<(OsString, OsString)>,
    ) -> Result<Option<Self>, Fault> {
        let mut allowed = call.linters.clone();
        allowed.sort();
        allowed.dedup();
        if allowed.is_empty() {
            return Ok(None);
        }
        let root = fs::canonicalize(&call.root).map_err(Fault::Workplace)?;
        let place = Workplace::new(environment, call.cache.as_deref()).map_err(Fault::Workplace)?;
        Ok(Some(Self { root, allowed, place }))
    }

    /// The linters that may be asked, each once.
    pub(crate) fn allowed(&self) -> &[Linter] {
        &self.allowed
    }

    /// The linters that are allowed and not there; one of the project itself counts as there.
    pub(crate) fn absent(&self) -> Vec<Trouble> {
        let own = self.root.join("node_modules/.bin");
        let is_there = |program: &str| self.place.holds(program) || own.join(program).is_file();
        let absent = self.allowed.iter().filter(|linter| !is_there(linter.row().program));
        absent
            .map(|linter| Trouble { linter: *linter, folder: String::new(), why: Why::Absent })
            .collect()
    }

    /// Asks a linter about files that it reads; paths are relative to the root.
    ///
    /// A part of the work that fails is a trouble in the report; the rest counts.
    pub(crate) fn ask(&self, linter: Linter, files: &[String]) -> Report {
        let row = linter.row();
        let mut report = Report::default();
        if files.is_empty() {
            return report;
        }
        let asked: BTreeSet<&String> = files.iter().collect();
        let (tasks, troubles) = tasks(row, &self.root, &self.place, files);
        report.troubles = troubles;
        for task in tasks {
            let (found, why) = self.perform(linter, &task);
            report
                .diagnostics
                .extend(found.into_iter().filter(|found| asked.contains(&found.file)));
            let folder = task.folder;
            report.troubles.extend(why.map(|why| Trouble { linter, folder, why }));
        }
        report
            .diagnostics
            .sort_by(|a, b| (&a.file, a.lines, &a.rule).cmp(&(&b.file, b.lines, &b.rule)));
        // One reason is enough for all that was not done for it.
        report.troubles.dedup_by(|b, a| matches!((&a.why, &b.why), (Why::Absent, Why::Absent)));
        report
    }

    /// What one start finds, and why that may not be all.
    fn perform(&self, linter: Linter, task: &Task) -> (Vec<Diagnostic>, Option<Why>) {
        let row = linter.row();
        let (status, stdout, said) = match self.place.run(row, &task.job) {
            Ok(answer) => answer,
            Err(why) => return (Vec::new(), Some(why)),
        };
        let is_whole = row.whole.contains(&status);
        let failed = || Why::Failed { status, said: said.clone() };
        match (row.read)(&String::from_utf8_lossy(&stdout)) {
            Ok(found) => {
                let named = found.into_iter().filter_map(|found| self.placed(found, &task.base));
                (named.collect(), (!is_whole).then(failed))
            }
            Err(error) if is_whole => (Vec::new(), Some(Why::Unreadable(error, said))),
            Err(_) => (Vec::new(), Some(failed())),
        }
    }

    /// The same with its file named from the root; `None` for a file outside.
    fn placed(&self, mut found: Diagnostic, base: &Path) -> Option<Diagnostic> {
        let path = base.join(&found.file);
        let inside = path.strip_prefix(&self.root).ok()?;
        let mut parts = Vec::new();
        for part in inside.components() {
            match part {
                Component::Normal(name) => parts.push(name.to_str()?),
                Component::CurDir => {}
                Component::ParentDir => {
                    parts.pop()?;
                }
                Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        found.file = parts.join("/");
        Some(found)
    }
}

impl Report {
    /// The first trouble that left out what should have been looked at.
    pub(crate) fn failure(&self) -> Option<&Trouble> {
        self.troubles.iter().find(|trouble| !matches!(trouble.why, Why::Ungoverned { .. }))
    }

    /// The reports of that rule with the same evidence, the nearest to the line of a finding first.
    pub(crate) fn by_distance(
        &self,
        file: &SourceFile,
        rule: &str,
        finding: &Reported,
    ) -> Vec<&Diagnostic> {
        let shown = folded(&finding.evidence);
        let is_it = |found: &&Diagnostic| {
            found.file == file.path
                && found.rule == rule
                && folded(&evidence(file, found.lines.0, found.lines.1)) == shown
        };
        let distance = |found: &&Diagnostic| found.lines.0.abs_diff(finding.line.unwrap_or(0));
        let mut found: Vec<&Diagnostic> = self.diagnostics.iter().filter(is_it).collect();
        found.sort_by_key(distance);
        found
    }
}

impl Linter {
    /// Whether a file is one that this linter reads, and that is mended where it stands.
    pub(crate) fn reads(self, file: &SourceFile) -> bool {
        let grammars = self.row().grammars;
        let is_ours = matches!(
            file.surroundings,
            Surroundings::Product | Surroundings::Test | Surroundings::Example
        );
        is_ours && file.grammar.is_some_and(|grammar| grammars.contains(&grammar))
    }
}

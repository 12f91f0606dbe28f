//! How a run stands at its end: what exit statuses and reports are made of.

use tribunal_finding::{FindingId, Severity};
use tribunal_phase::Outcome;
use tribunal_phase::cycle::{Decision, Judged, Reason};
use tribunal_phase::plan::State;
use tribunal_recipe::Datum;
use tribunal_report::View;

use crate::definition::Loaded;
use crate::memory::Memory;

/// The end of a run, or its pause.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// How it came to it.
    pub outcome: Outcome,
    /// Everything that a report shows.
    pub view: View,
    /// The last verification of fixes did not pass.
    pub unverified: bool,
    /// The check command fails where it passed before the fixes.
    pub broken: bool,
    /// The check command could not be run, or looked at nothing.
    pub unchecked: bool,
    /// The last allowed cycle has run.
    pub at_max: bool,
    /// Nobody was asked to fix anything.
    pub no_fix: bool,
    /// Whether the recipe runs the audit's cycle.
    pub is_audit: bool,
    /// What the recipe came to: its `output`, or what its last step gave.
    pub value: Option<Datum>,
    /// Confirmed, neither fixed and verified nor validly skipped (D47).
    pub open: Vec<OpenFinding>,
}

/// A confirmed finding that nothing became of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenFinding {
    /// Its id.
    pub id: FindingId,
    /// As the validators rated it.
    pub severity: Severity,
}

impl Ending {
    pub(crate) fn new(
        outcome: Outcome,
        view: View,
        loaded: &Loaded,
        state: &State,
        memory: &Memory,
    ) -> Self {
        let cycles = state.running().map(|running| running.cycles()).unwrap_or_default();
        let unverified = cycles.iter().rev().find_map(|cycle| cycle.judged()).is_some_and(
            |judged| match judged {
                Judged::Verdict { passed, .. } => !passed,
                Judged::NotAsked => false,
            },
        );
        let at_max =
            cycles.iter().rev().find_map(|cycle| cycle.decision()).is_some_and(|decision| {
                matches!(decision, Decision::Stop { reason: Reason::MaxCycles })
            });
        let open = view
            .findings
            .iter()
            .filter(|finding| finding.fate.is_open())
            .map(|finding| OpenFinding {
                id: finding.id.clone(),
                severity: finding.shown_severity(),
            })
            .collect();
        let first = memory.past.iter().chain(&memory.contexts).min_by_key(|context| context.frame);
        let value = first.and_then(|context| {
            let last = loaded.recipe.all_steps().filter_map(|step| step.output.as_deref()).last();
            let given = context.pushed_value.clone().filter(|value| *value != Datum::Null);
            given.or_else(|| context.values.get(last?).cloned())
        });
        let no_fix = loaded.definition.options.no_fix;
        let is_audit = loaded.limits.is_some();
        let unchecked = view.proof.as_ref().is_some_and(|proof| proof.unusable.is_some());
        let broken = view.proof.as_ref().is_some_and(|proof| !proof.broken.is_empty());
        Self { outcome, view, unverified, broken, unchecked, at_max, no_fix, is_audit, value, open }
    }
}

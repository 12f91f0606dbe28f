//! The report for programs: `findings.json`.

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use tribunal_finding::{FindingId, Severity};

use crate::cycle::Cycle;
use crate::finding::Finding;
use crate::view::{Isolated, KeptReply, Outcome, Recipe, Snapshot, Undone, Usage, View};
use crate::{Proof, Totals, inert, likely_duplicates, order};

/// The version of the format: the major grows when old readers would go wrong, the minor when
/// something is added.
const FORMAT: &str = "1.2";

/// Writes the whole report as JSON, indented, with a line end.
///
/// `complete` says whether every step that was due has run; where it has not, an empty list of
/// findings says nothing. Characters that could act on a terminal or in a build server's log are
/// written as escapes, which readers of JSON undo.
pub fn json(view: &View) -> String {
    let file = File {
        format: FORMAT,
        complete: view.outcome.is_complete(),
        run: &view.run,
        recipe: &view.recipe,
        target: &view.target,
        started: &view.started,
        ended: &view.ended,
        outcome: &view.outcome,
        undone: view.undone.as_ref(),
        isolated: view.isolated.as_ref(),
        totals: Totals::of(&view.findings),
        left_open: order::left_open(view).iter().map(|finding| &finding.id).collect(),
        findings: entries(view),
        cycles: &view.cycles,
        summary: view.summary.as_deref(),
        self_improvement: view.self_improvement.as_deref(),
        proof: view.proof.as_ref(),
        warnings: &view.warnings,
        kept_replies: &view.kept_replies,
        snapshots: &view.snapshots,
        usage: &view.usage,
    };
    let text = serde_json::to_string_pretty(&file)
        .expect("a view holds only texts, numbers and lists, and these can always be written");
    inert_json(&text)
}

/// JSON Schema of `findings.json`.
pub fn schema() -> Schema {
    schema_for!(File<'static>)
}

fn entries(view: &View) -> Vec<Entry<'_>> {
    let repeats = likely_duplicates(&view.findings);
    let entries = view.findings.iter().zip(repeats).map(|(finding, repeats)| Entry {
        finding,
        shown_severity: finding.shown_severity(),
        likely_duplicate_of: repeats,
    });
    entries.collect()
}

/// What is no ASCII and no letter can stand only inside of JSON's strings, and so can two `#`.
pub(crate) fn inert_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    let mut before = ' ';
    for character in text.chars() {
        let is_control = character.is_control() && character != '\n';
        if is_control || inert::is_format(character) || (before == '#' && character == '#') {
            for unit in character.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(character);
        }
        before = character;
    }
    out.push('\n');
    out
}

/// The result of a run.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "findings-file")]
struct File<'a> {
    /// Version of this format, major.minor.
    format: &'a str,
    /// Whether every step that was due has run. When false, missing findings mean nothing.
    complete: bool,
    run: &'a str,
    recipe: &'a Recipe,
    target: &'a str,
    started: &'a str,
    ended: &'a str,
    outcome: &'a Outcome,
    /// Whether it was undone since; its fixes are no longer in the tree then.
    undone: Option<&'a Undone>,
    /// Where its changes are, when it has a work tree of its own.
    isolated: Option<&'a Isolated>,
    totals: Totals,
    /// Ids of findings that are confirmed, neither fixed and verified nor validly skipped.
    left_open: Vec<&'a FindingId>,
    /// The findings of all cycles, in the order they were found.
    findings: Vec<Entry<'a>>,
    cycles: &'a [Cycle],
    summary: Option<&'a str>,
    self_improvement: Option<&'a str>,
    /// What the check command says of the fixes.
    proof: Option<&'a Proof>,
    warnings: &'a [String],
    kept_replies: &'a [KeptReply],
    snapshots: &'a [Snapshot],
    usage: &'a Usage,
}

/// A finding, and what the report says about it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "entry")]
struct Entry<'a> {
    #[serde(flatten)]
    finding: &'a Finding,
    /// The severity that totals go by: as voted, else as SEEK rated it.
    shown_severity: Severity,
    /// An earlier finding at nearly the same place; both are counted.
    likely_duplicate_of: Option<&'a FindingId>,
}

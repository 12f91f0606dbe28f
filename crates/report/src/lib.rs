//! Turns the view of a run into text, Markdown and JSON.
//!
//! [`View`] is everything that a report shows. Agents' words are data in all renderings: they cannot
//! move a terminal's cursor, start a workflow command, break out of a table or a fence, or become
//! HTML. A run that did not complete never reads like a clean one (D49).
//!
//! Pure: values in, values out; no clock, no files, no processes.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod apply;
mod cycle;
mod duplicates;
mod escape;
mod finding;
mod inert;
mod json;
mod markdown;
mod order;
mod page;
mod proceedings;
mod proof;
mod result;
mod run_diff;
mod text;
mod totals;
mod undo;
mod view;
mod words;
mod wrap;

pub use apply::{Apply, ApplyResult, apply_json, apply_schema, apply_text};
pub use cycle::{Answer, Cycle, Decision, Dropped, Validator};
pub use duplicates::likely_duplicates;
pub use finding::{Fate, Finding, Verdict, Vote};
pub use inert::{inert_line, inert_lines, inert_masked};
pub use json::{json, schema};
pub use markdown::markdown;
pub use proof::{CheckEnd, CheckedCycle, FindingProof, Proof, ProofVerdict};
pub use run_diff::{RunDiff, run_diff_json, run_diff_schema};
pub use text::text;
pub use totals::{ByFate, BySeverity, Totals};
pub use undo::{MovedRef, PutBack, Undo, UndoResult, undo_json, undo_schema, undo_text};
pub use view::{Isolated, KeptReply, Outcome, Recipe, Snapshot, Undone, Usage, View};

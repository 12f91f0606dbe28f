//! Turns the view of a run into text, Markdown and JSON.
//!
//! [`View`] is everything that a report shows. Agents' words are data in all renderings: they cannot
//! move a terminal's cursor, start a workflow command, break out of a table or a fence, or become
//! HTML. A run that did not complete never reads like a clean one (D49).
//!
//! Pure: values in, values out; no clock, no files, no processes.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod duplicates;
mod escape;
mod inert;
mod json;
mod markdown;
mod order;
mod text;
mod totals;
mod view;
mod words;
mod wrap;

pub use duplicates::likely_duplicates;
pub use json::{json, schema};
pub use markdown::markdown;
pub use text::text;
pub use totals::{ByFate, BySeverity, Totals};
pub use view::{
    Answer, Cycle, Decision, Dropped, Fate, Finding, KeptReply, Outcome, Recipe, Snapshot, Usage,
    Validator, Verdict, View, Vote,
};

//! What an audit talks about: findings, their ids, severity, category and place.
//!
//! Pure: values in, values out; no clock, no files, no processes.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod category;
mod entry;
mod fingerprint;
mod fold;
mod fresh;
mod history;
mod id;
mod list;
mod nearest;
mod problem;
mod quote;
mod severity;
mod sift;
mod wire;

pub use category::{Category, UnknownCategory};
pub use entry::{Finding, Mention, Place};
pub use fingerprint::Fingerprint;
pub use history::{Fate, History, HistoryEntry, Verdict, history_schema};
pub use id::FindingId;
pub use list::{NoList, list_entries};
pub use problem::EntryProblem;
pub use quote::quote;
pub use severity::{Severity, UnknownSeverity};
pub use sift::{Dropped, Newness, Sieve, Sifted, SiftedFinding, sift};
pub use wire::{NotFindings, findings_schema, is_finding_entry, read_findings, read_mentions};

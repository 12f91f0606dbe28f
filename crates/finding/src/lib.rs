//! What an audit talks about: findings, their ids, severity, category and place.
//!
//! Pure: values in, values out; no clock, no files, no processes.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod category;
mod entry;
mod id;
mod problem;
mod severity;

pub use category::{Category, UnknownCategory};
pub use entry::{Finding, Place};
pub use id::FindingId;
pub use problem::EntryProblem;
pub use severity::{Severity, UnknownSeverity};

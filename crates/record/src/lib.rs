//! The records of a run, one JSON line each: envelope, hash chain and format version.
//!
//! A journal is a header line ([`Header`]) and then one line per [`Record`]. Every line names the
//! hash of the line before it, so that a line that is changed, lost or moved is noticed.
//!
//! Pure: values in, values out; no clock, no files, no processes.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod body;
mod envelope;
mod error;
mod format;
mod hash;

pub use body::{Body, CheckedTree, Note, Way, must_sync};
pub use envelope::{Record, decode, encode};
pub use error::{RecordError, RecordErrorKind};
pub use format::{Format, Header};
pub use hash::{Hash, Hasher};

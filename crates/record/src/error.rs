//! A line that is no record.

use crate::{Format, Hash};

/// A line that is not the record it should be.
#[derive(Debug, thiserror::Error)]
#[error("record {seq}: {kind}")]
pub struct RecordError {
    /// What is wrong.
    #[source]
    pub kind: RecordErrorKind,
    /// The record that was expected there; 0 is the header.
    pub seq: u64,
}

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
pub enum RecordErrorKind {
    /// It is no JSON, or its fields are not those of a record.
    #[error("not readable: {0}")]
    Unreadable(serde_json::Error),
    /// It carries another number than its place asks for.
    #[error("carries number {found}")]
    Sequence {
        /// The number it carries.
        found: u64,
    },
    /// It follows another line than the one before it: a line was changed, lost or moved.
    #[error("does not follow the record before it (hash {found}, expected {expected})")]
    Chain {
        /// The hash it names.
        found: Hash,
        /// The hash of the line before it.
        expected: Hash,
    },
    /// It was written by a later version.
    #[error("format {found} is newer than {} and cannot be read", Format::CURRENT)]
    Newer {
        /// The version it names.
        found: Format,
    },
    /// It was written in a major version that is no longer read.
    #[error("format {found} is older than {} and cannot be read", Format::CURRENT)]
    Older {
        /// The version it names.
        found: Format,
    },
}

//! Counts independent votes: one per validator and finding.
//!
//! Pure: values in, values out; no clock, no files, no processes.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod ballot;
mod wire;
mod word;

pub use ballot::{Ballot, NoBallot, Vote};
pub use wire::{ballot_schema, is_vote_entry};
pub use word::{UnknownWord, Word};

//! Counts independent votes: one per validator and finding.
//!
//! A validator's answer is read as a [`Ballot`]; [`merge`] counts the ballots into a [`Tally`]. The
//! laws: nobody has two votes on one finding; the order of the validators does not matter; the
//! threshold is never lowered because somebody is missing; what nobody voted on is not rejected;
//! and where something was said but nothing could be read, there is no tally at all ([`Gate`]).
//!
//! ```
//! use tribunal_vote::{Standing, Threshold, merge};
//!
//! let yes = Standing::read(r#"{"validated": [{"finding_id": 1, "verdict": "confirmed"}]}"#);
//! let also = Standing::read(r#"{"validated": [{"finding_id": "1", "verdict": "downgraded"}]}"#);
//! let merged = merge(1, Threshold::new(2, 3)?, None, &[yes, Standing::Empty, also])?;
//! assert_eq!(merged.tally.confirmed().next().map(|found| found.id().as_str()), Some("1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Pure: values in, values out; no clock, no files, no processes.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod ballot;
mod gate;
mod merge;
mod message;
mod rating;
mod standing;
mod tally;
mod threshold;
mod word;

pub use ballot::{Ballot, NoBallot, Vote, ballot_schema, is_vote_entry};
pub use gate::Gate;
pub use merge::{Known, Merged, Warning, merge};
pub use message::{fatal, note, warning};
pub use standing::Standing;
pub use tally::{Confirmed, Entry, Ruling, Tally, TallyError, Votes, tally_schema};
pub use threshold::{Threshold, ThresholdError};
pub use word::{UnknownWord, Word};

//! Finds the one JSON answer in what a model said.
//!
//! A model wraps its answer in prose, fences, log lines and the envelopes of its command line.
//! [`extract`] gives the one object that was meant, or says which of two other things happened:
//! nothing was said ([`Class::Empty`]), or something was said that holds no answer
//! ([`Class::Unparseable`]). Nothing is ever repaired: a repair would change votes.
//!
//! Guarantees, for any bytes: no panic, no error, linear time, no recursion on the depth of the
//! input, and no tree of values. The answer is a part of the output, not a copy.
//!
//! Pure: values in, values out; no clock, no files, no processes.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod broken;
mod class;
mod edges;
mod envelope;
mod extraction;
mod fence;
mod final_text;
mod json;
mod nesting;
mod note;
mod picks;
mod strict;
mod text;
mod tiers;
mod trail;
mod walk;
mod wanted;

pub use class::{Class, Tier, UnknownTier};
pub use envelope::EnvelopeName;
pub use extraction::{Answer, Extraction};
pub use final_text::{FinalText, answer_text, unwrap_text};
pub use note::Note;
pub use tiers::extract;
pub use wanted::Wanted;

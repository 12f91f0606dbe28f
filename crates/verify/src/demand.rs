//! What must be accounted for, and what there is to hold it against.

use tribunal_finding::{FindingId, Place};

use crate::Evidence;

/// A finding that a fix must account for: confirmed in this cycle, or carried from an earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owed {
    /// Its id.
    pub id: FindingId,
    /// Where it is, where that is known.
    pub place: Option<Place>,
}

/// What one cycle owes, and how strictly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// The findings, in the order they are reported in; an id that comes twice counts once.
    pub owed: Vec<Owed>,
    /// `fix_all_per_cycle`: whether an unaccounted finding fails the verification (D14).
    pub fix_all: bool,
}

/// What the repository said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// It was asked, and this is the difference.
    Evidence(Evidence),
    /// It could not be asked; never taken for "dirty" (D15).
    Unasked {
        /// git's message, or the operating system's.
        why: String,
    },
}

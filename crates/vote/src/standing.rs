//! What became of one validator.

use tribunal_finding::EntryProblem;
use tribunal_verdict::{Answer, Extraction};

use crate::Ballot;

/// One validator's part in the vote; which one it is, its position in the list says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It answered with a ballot, even one without votes.
    Usable {
        /// Its votes.
        ballot: Ballot,
        /// The entries that are no votes.
        problems: Vec<EntryProblem>,
    },
    /// It said nothing.
    Empty,
    /// It said something that holds no JSON object.
    Unparseable,
    /// It answered with an object that is no ballot (D10).
    NoBallot,
    /// It ran and failed, or ran out of time (D42).
    Failed {
        /// How it ended, such as `exit 1`.
        how: String,
    },
}

impl Standing {
    /// The standing of a validator that ran to its end, by what was extracted from its output: an
    /// object that is no ballot is not taken for one (D10).
    pub fn of(extraction: &Extraction<'_>) -> Self {
        match &extraction.answer {
            Answer::Parsed { object, .. } => Self::read(object),
            Answer::Empty => Self::Empty,
            Answer::Unparseable => Self::Unparseable,
        }
    }

    /// The standing of a validator whose answer is this JSON object.
    pub fn read(json: &str) -> Self {
        match Ballot::read(json) {
            Ok((ballot, problems)) => Self::Usable { ballot, problems },
            Err(_) => Self::NoBallot,
        }
    }

    /// True where the validator did not stay silent and yet has no ballot; arms the gate (D10).
    pub fn is_unreadable(&self) -> bool {
        match self {
            Self::Unparseable | Self::NoBallot | Self::Failed { .. } => true,
            Self::Usable { .. } | Self::Empty => false,
        }
    }
}

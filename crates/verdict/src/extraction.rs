//! What an extraction gives.

use std::borrow::Cow;

use crate::{Class, Note, Tier};

/// What one output came to, and what is worth saying about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extraction<'a> {
    /// The object, or why there is none.
    pub answer: Answer<'a>,
    /// Remarks, in the order in which they came up.
    pub notes: Vec<Note>,
}

/// The result of an extraction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer<'a> {
    /// One JSON object was found.
    Parsed {
        /// The object as it was written, bytes that are no UTF-8 aside; for a bare array, the
        /// object that the array is the list of. A part of the output, where it stands there.
        object: Cow<'a, str>,
        /// The step that found it.
        tier: Tier,
    },
    /// Nothing was said.
    Empty,
    /// Something was said, and no answer is in it.
    Unparseable,
}

impl Extraction<'_> {
    /// The class of the output.
    pub fn class(&self) -> Class {
        match self.answer {
            Answer::Parsed { .. } => Class::Parsed,
            Answer::Empty => Class::Empty,
            Answer::Unparseable => Class::Unparseable,
        }
    }

    /// The object as text; `None` unless the class is PARSED.
    pub fn json(&self) -> Option<&str> {
        match &self.answer {
            Answer::Parsed { object, .. } => Some(object),
            Answer::Empty | Answer::Unparseable => None,
        }
    }

    /// The step that found the object; `None` unless the class is PARSED.
    pub fn tier(&self) -> Option<Tier> {
        match self.answer {
            Answer::Parsed { tier, .. } => Some(tier),
            Answer::Empty | Answer::Unparseable => None,
        }
    }

    /// The error that the agent's envelope reports; such an output is a fault, not an answer (D4).
    pub fn agent_error(&self) -> Option<&str> {
        self.notes.iter().find_map(Note::as_agent_error)
    }

    /// The same extraction, apart from the output that its object stands in.
    pub fn into_owned(self) -> Extraction<'static> {
        Extraction { answer: self.answer.into_owned(), notes: self.notes }
    }
}

impl Answer<'_> {
    pub(crate) fn into_owned(self) -> Answer<'static> {
        match self {
            Self::Parsed { object, tier } => {
                Answer::Parsed { object: Cow::Owned(object.into_owned()), tier }
            }
            Self::Empty => Answer::Empty,
            Self::Unparseable => Answer::Unparseable,
        }
    }
}

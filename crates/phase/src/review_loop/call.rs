//! What an agent asks of the loop, without its texts.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ArtifactId, Refusal};

/// A tool, as agents call it (D25).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Tool {
    /// Begins a loop.
    #[serde(rename = "audit_loop_start")]
    Start,
    /// Records a review.
    #[serde(rename = "audit_review")]
    Review,
    /// Records a simplify pass.
    #[serde(rename = "audit_simplify")]
    Simplify,
    /// Ends the loop by hand.
    #[serde(rename = "audit_loop_stop")]
    Stop,
    /// Shows how the loop stands.
    #[serde(rename = "audit_loop_status")]
    Status,
}

impl Tool {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Start, Self::Review, Self::Simplify, Self::Stop, Self::Status];

    /// The name that agents know.
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "audit_loop_start",
            Self::Review => "audit_review",
            Self::Simplify => "audit_simplify",
            Self::Stop => "audit_loop_stop",
            Self::Status => "audit_loop_status",
        }
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a review comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opinion {
    /// Nothing is to be changed.
    Clean,
    /// Something is.
    ChangesRequested,
}

/// What is asked; the texts of the call are an artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// Begin.
    Start,
    /// A review was made.
    Review {
        /// What it comes to.
        opinion: Opinion,
        /// How many findings it has.
        findings: u32,
        /// Whether it says what it rests on.
        basis: bool,
    },
    /// A simplify pass was made.
    Simplify {
        /// Whether it changed anything.
        changed: bool,
        /// How many files it says it changed.
        files: u32,
    },
    /// End it.
    Stop,
    /// A call whose arguments could not be read; always refused.
    Unreadable(Tool),
}

impl Ask {
    /// The tool that was called.
    pub fn tool(self) -> Tool {
        match self {
            Self::Start => Tool::Start,
            Self::Review { .. } => Tool::Review,
            Self::Simplify { .. } => Tool::Simplify,
            Self::Stop => Tool::Stop,
            Self::Unreadable(tool) => tool,
        }
    }
}

/// One call. Equal calls have equal texts, since `said` is a hash of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// What is asked.
    pub ask: Ask,
    /// The arguments, as they were read.
    pub said: ArtifactId,
}

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It counts; the state says what is next.
    Accepted,
    /// It was accepted before; this is the first answer once more.
    Repeated,
    /// It does not count.
    Refused(Refusal),
}

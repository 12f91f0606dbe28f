//! The names that records are keyed by.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Takes the id from its text.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }
    };
}

text_id! {
    /// One run of one definition.
    RunId
}
text_id! {
    /// A step of a recipe, by the id its author gave it.
    StepId
}
text_id! {
    /// Bytes kept by the journal, named by their SHA-256 in hex.
    ArtifactId
}
text_id! {
    /// A state of the whole work tree, named by a hash over its content.
    TreeId
}

/// A frame on the plan machine's stack, numbered from 1 in the order of their pushes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FrameId(pub u32);

impl fmt::Display for FrameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A snapshot of the work tree, numbered from 1 within its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SnapshotId(pub u32);

impl fmt::Display for SnapshotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A timer, by what it guards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timer {
    /// A cycle's own work; stopped while another frame lies on it (D19).
    Cycle(FrameId),
}

/// One thing that is asked once: frame, step and turn; written `1/fix/2`.
///
/// The turn counts from 1 and grows with each fix attempt or repeated question; launches of the
/// same call (a retry, a resume) are *attempts* of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct CallId {
    /// The frame whose step asks.
    pub frame: FrameId,
    /// The step that asks.
    pub step: StepId,
    /// Which question of this step it is, from 1.
    pub turn: u32,
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.frame, self.step, self.turn)
    }
}

impl From<CallId> for String {
    fn from(call: CallId) -> Self {
        call.to_string()
    }
}

/// A text that is no call id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no call id (frame/step/turn)")]
pub struct BadCallId(pub String);

impl FromStr for CallId {
    type Err = BadCallId;

    fn from_str(text: &str) -> Result<Self, BadCallId> {
        let bad = || BadCallId(text.to_owned());
        let (frame, rest) = text.split_once('/').ok_or_else(bad)?;
        let (step, turn) = rest.rsplit_once('/').ok_or_else(bad)?;
        if step.is_empty() {
            return Err(bad());
        }
        Ok(Self {
            frame: FrameId(frame.parse().map_err(|_| bad())?),
            step: StepId::new(step),
            turn: turn.parse().map_err(|_| bad())?,
        })
    }
}

impl TryFrom<String> for CallId {
    type Error = BadCallId;

    fn try_from(text: String) -> Result<Self, BadCallId> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_id_is_read_back_from_its_text() {
        let call = CallId { frame: FrameId(2), step: StepId::new("fix"), turn: 1 };
        assert_eq!(call.to_string(), "2/fix/1");
        assert_eq!("2/fix/1".parse(), Ok(call));
        for text in ["", "2", "2/fix", "x/fix/1", "2//1", "2/fix/x"] {
            assert_eq!(text.parse::<CallId>(), Err(BadCallId(text.to_owned())));
        }
    }
}

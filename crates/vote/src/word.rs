//! The three words a validator has.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A validator's verdict on one finding (DESIGN §5, contract `ballot`).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// The fault is real.
    Confirmed,
    /// There is no such fault.
    FalsePositive,
    /// The fault is real, and matters less than SEEK said.
    Downgraded,
}

impl Word {
    /// All three, in the order of the contract.
    pub const ALL: [Self; 3] = [Self::Confirmed, Self::FalsePositive, Self::Downgraded];

    /// The word used in every contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::FalsePositive => "false_positive",
            Self::Downgraded => "downgraded",
        }
    }

    /// True for the words that say the fault is real: `confirmed` and `downgraded` (D7).
    pub fn is_yes(self) -> bool {
        match self {
            Self::Confirmed | Self::Downgraded => true,
            Self::FalsePositive => false,
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A text that is none of the three words, such as the template `confirmed|false_positive`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is no verdict (confirmed, false_positive, downgraded)", tribunal_finding::quote(.0))]
pub struct UnknownWord(pub String);

impl FromStr for Word {
    type Err = UnknownWord;

    /// Reads a verdict; surrounding blanks and letter case do not matter (D6).
    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let word = text.trim();
        Self::ALL
            .into_iter()
            .find(|known| known.word().eq_ignore_ascii_case(word))
            .ok_or_else(|| UnknownWord(text.to_owned()))
    }
}

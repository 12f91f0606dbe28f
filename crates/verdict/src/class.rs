//! What an output turned out to be, and how far extraction had to go for it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The three things an output can be; they are never mixed up (seed 000, "Per-validator
/// classification").
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Class {
    /// One JSON object was found.
    Parsed,
    /// Nothing was said.
    Empty,
    /// Something was said, and no answer is in it.
    Unparseable,
}

impl Class {
    /// The word used in every report and record.
    pub fn word(self) -> &'static str {
        match self {
            Self::Parsed => "PARSED",
            Self::Empty => "EMPTY",
            Self::Unparseable => "UNPARSEABLE",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The step of extraction that found the object (seed 000, "Tiered extraction").
///
/// Serialised as its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Tier {
    /// The whole text is one object.
    Strict,
    /// It is one object once the fences are taken off.
    Unfenced,
    /// The object was found by walking the text.
    Scanned,
}

impl Tier {
    /// The number of the tier in the seed: 1, 2 or 3.
    pub fn number(self) -> u8 {
        match self {
            Self::Strict => 1,
            Self::Unfenced => 2,
            Self::Scanned => 3,
        }
    }
}

impl From<Tier> for u8 {
    fn from(tier: Tier) -> Self {
        tier.number()
    }
}

/// A number that names no tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownTier(pub u8);

impl fmt::Display for UnknownTier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is no tier (1, 2, 3)", self.0)
    }
}

impl std::error::Error for UnknownTier {}

impl TryFrom<u8> for Tier {
    type Error = UnknownTier;

    fn try_from(number: u8) -> Result<Self, UnknownTier> {
        [Self::Strict, Self::Unfenced, Self::Scanned]
            .into_iter()
            .find(|tier| tier.number() == number)
            .ok_or(UnknownTier(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_written_and_read_as_the_words_of_the_seed() {
        for class in [Class::Parsed, Class::Empty, Class::Unparseable] {
            let json = serde_json::to_string(&class).expect("a word");
            assert_eq!(json, format!("\"{class}\""));
            assert_eq!(serde_json::from_str::<Class>(&json).expect("the same word"), class);
        }
    }

    #[test]
    fn tiers_are_written_and_read_as_numbers() {
        for tier in [Tier::Strict, Tier::Unfenced, Tier::Scanned] {
            let json = serde_json::to_string(&tier).expect("a number");
            assert_eq!(json, tier.number().to_string());
            assert_eq!(serde_json::from_str::<Tier>(&json).expect("the same number"), tier);
        }
        assert_eq!(Tier::try_from(4), Err(UnknownTier(4)));
    }
}

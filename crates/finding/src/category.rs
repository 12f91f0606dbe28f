//! What kind of fault a finding is.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The ten kinds that SEEK looks for (seed 000, DESIGN §5).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Secrets, injection, unsafe input.
    Security,
    /// Missing time-outs, races, panics.
    Reliability,
    /// Code that nothing reaches.
    DeadCode,
    /// A default that hides a failure; `silent_fallback` is read as this.
    #[serde(alias = "silent_fallback")]
    SilentFallbacks,
    /// An error that is caught and dropped.
    ErrorSwallowing,
    /// Files and functions too large or tangled.
    Structural,
    /// Limits that cut data without a word.
    HardcodedLimits,
    /// Tests that are missing or prove nothing.
    TestGaps,
    /// Public items without documentation.
    DocGaps,
    /// Documents that are wrong, stale or broken.
    Documentation,
}

impl Category {
    /// All kinds, in the order of the contract.
    pub const ALL: [Self; 10] = [
        Self::Security,
        Self::Reliability,
        Self::DeadCode,
        Self::SilentFallbacks,
        Self::ErrorSwallowing,
        Self::Structural,
        Self::HardcodedLimits,
        Self::TestGaps,
        Self::DocGaps,
        Self::Documentation,
    ];

    /// The word used in every contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::Security => "security",
            Self::Reliability => "reliability",
            Self::DeadCode => "dead_code",
            Self::SilentFallbacks => "silent_fallbacks",
            Self::ErrorSwallowing => "error_swallowing",
            Self::Structural => "structural",
            Self::HardcodedLimits => "hardcoded_limits",
            Self::TestGaps => "test_gaps",
            Self::DocGaps => "doc_gaps",
            Self::Documentation => "documentation",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A word that names no category, with the nearest one that does.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` is no category{}", match nearest { Some(near) => format!(", did you mean `{near}`?"), None => String::new() })]
pub struct UnknownCategory {
    /// The word as it was given.
    pub word: String,
    /// The category whose word is close to it.
    pub nearest: Option<Category>,
}

impl FromStr for Category {
    type Err = UnknownCategory;

    /// Reads a category; surrounding blanks, letter case and `-` for `_` do not matter.
    fn from_str(text: &str) -> Result<Self, UnknownCategory> {
        let word = text.trim().to_ascii_lowercase().replace('-', "_");
        if word == "silent_fallback" {
            return Ok(Self::SilentFallbacks);
        }
        if let Some(found) = Self::ALL.into_iter().find(|category| category.word() == word) {
            return Ok(found);
        }
        let nearest = Self::ALL
            .into_iter()
            .map(|category| (strsim::damerau_levenshtein(&word, category.word()), category))
            .filter(|(distance, _)| *distance <= 3)
            .min_by_key(|(distance, _)| *distance)
            .map(|(_, category)| category);
        Err(UnknownCategory { word: text.trim().to_owned(), nearest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back_and_the_singular_is_an_alias() {
        for category in Category::ALL {
            assert_eq!(category.word().parse(), Ok(category));
        }
        assert_eq!("Silent-Fallback".parse(), Ok(Category::SilentFallbacks));
    }

    #[test]
    fn a_slip_is_answered_with_the_nearest_word() {
        let error = "securty".parse::<Category>().expect_err("no category");
        assert_eq!(error.to_string(), "`securty` is no category, did you mean `security`?");
    }
}

//! How much a finding matters.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Four ordered levels; `Low < Medium < High < Critical` (DESIGN §5).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing, no consequence yet.
    Low,
    /// Should be mended; the default where nobody said (D8).
    Medium,
    /// Breaks something users rely on.
    High,
    /// Loses data, leaks secrets or opens a door.
    Critical,
}

impl Severity {
    /// All levels, lowest first.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The word used in every contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A word that names no severity.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no severity (low, medium, high, critical)")]
pub struct UnknownSeverity(pub String);

impl FromStr for Severity {
    type Err = UnknownSeverity;

    /// Reads a level; surrounding blanks and letter case do not matter (D6).
    fn from_str(text: &str) -> Result<Self, UnknownSeverity> {
        let word = text.trim();
        Self::ALL
            .into_iter()
            .find(|level| level.word().eq_ignore_ascii_case(word))
            .ok_or_else(|| UnknownSeverity(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_ordered_and_read_back() {
        assert!(Severity::ALL.is_sorted());
        for level in Severity::ALL {
            assert_eq!(format!(" {level} ").to_uppercase().parse(), Ok(level));
        }
        assert_eq!("n/a".parse::<Severity>(), Err(UnknownSeverity("n/a".to_owned())));
    }
}

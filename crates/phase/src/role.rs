//! Who is asked, what they may touch and what they must answer with.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The part an agent plays (D41).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Role {
    /// Looks for findings.
    Seeker,
    /// Votes on findings; numbered from 1 by position.
    Validator(u8),
    /// Mends what was confirmed.
    Fixer,
    /// Explains why a check failed.
    Diagnostician,
    /// Mends what a diagnosis names.
    Worker,
    /// Corrects and tests one exact candidate.
    Quality,
    /// Judges the tests of a candidate.
    Evaluator,
    /// Finds the cause of a failed verdict.
    Investigator,
    /// Writes prose about what happened.
    Summarizer,
}

impl Role {
    /// What the role may touch when nothing narrower is configured.
    pub fn access(self) -> Access {
        match self {
            Self::Fixer | Self::Worker | Self::Quality => Access::Write,
            Self::Seeker
            | Self::Validator(_)
            | Self::Diagnostician
            | Self::Evaluator
            | Self::Investigator
            | Self::Summarizer => Access::ReadOnly,
        }
    }

    /// The contract the role's answer is read by; prose roles have none.
    pub fn contract(self) -> Option<Contract> {
        match self {
            Self::Seeker => Some(Contract::Findings),
            Self::Validator(_) => Some(Contract::Ballot),
            Self::Fixer => Some(Contract::FixReport),
            Self::Diagnostician
            | Self::Worker
            | Self::Quality
            | Self::Evaluator
            | Self::Investigator
            | Self::Summarizer => None,
        }
    }

    /// The role without its number, as children see it in `TRIBUNAL_ROLE`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Seeker => "seeker",
            Self::Validator(_) => "validator",
            Self::Fixer => "fixer",
            Self::Diagnostician => "diagnostician",
            Self::Worker => "worker",
            Self::Quality => "quality",
            Self::Evaluator => "evaluator",
            Self::Investigator => "investigator",
            Self::Summarizer => "summarizer",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Validator(number) => write!(f, "validator-{number}"),
            other => f.write_str(other.word()),
        }
    }
}

impl From<Role> for String {
    fn from(role: Role) -> Self {
        role.to_string()
    }
}

/// A word that names no role.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no role")]
pub struct UnknownRole(pub String);

impl FromStr for Role {
    type Err = UnknownRole;

    /// Reads a role; a validator needs its number (`validator-2`).
    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        if let Some(number) = text.strip_prefix("validator-") {
            return match number.parse() {
                Ok(number) if number > 0 => Ok(Self::Validator(number)),
                _ => Err(UnknownRole(text.to_owned())),
            };
        }
        [
            Self::Seeker,
            Self::Fixer,
            Self::Diagnostician,
            Self::Worker,
            Self::Quality,
            Self::Evaluator,
            Self::Investigator,
            Self::Summarizer,
        ]
        .into_iter()
        .find(|role| role.word() == text)
        .ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

impl TryFrom<String> for Role {
    type Error = UnknownRole;

    fn try_from(text: String) -> Result<Self, UnknownRole> {
        text.parse()
    }
}

/// What a child may do to the work tree; checked afterwards, not trusted (D43).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// May look, may not change anything.
    ReadOnly,
    /// May change files.
    Write,
}

/// The shape an answer is read by (DESIGN §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contract {
    /// What SEEK found.
    Findings,
    /// A validator's votes.
    Ballot,
    /// What the fixer says it did.
    FixReport,
}

impl Contract {
    /// The key that extraction prefers.
    pub fn key(self) -> &'static str {
        match self {
            Self::Findings => "findings",
            Self::Ballot => "validated",
            Self::FixReport => "fixes_applied",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_read_back_from_their_words() {
        for role in [Role::Seeker, Role::Validator(3), Role::Fixer, Role::Summarizer] {
            assert_eq!(role.to_string().parse(), Ok(role));
        }
        for text in ["validator", "validator-0", "validator-x", "boss"] {
            assert_eq!(text.parse::<Role>(), Err(UnknownRole(text.to_owned())));
        }
    }
}

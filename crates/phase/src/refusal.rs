//! The answer to an event that does not fit.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A wrong event: what came, where the machine stands, what it expected. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub struct Refusal {
    /// What came.
    pub got: String,
    /// Where the machine stands.
    #[serde(rename = "state")]
    pub place: String,
    /// What would have been right here; empty when nothing is.
    pub expected: Vec<String>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} does not fit {}", self.got, self.place)?;
        match self.expected.as_slice() {
            [] => Ok(()),
            [one] => write!(f, "; expected {one}"),
            several => write!(f, "; expected one of {}", several.join(", ")),
        }
    }
}

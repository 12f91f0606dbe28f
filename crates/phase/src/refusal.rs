//! The answer to an event that does not fit.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::What;

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

impl Refusal {
    /// The refusal of an event, by where the machine stands and the names of what would fit.
    pub(crate) fn of(what: &What, place: &str, expected: &[&str]) -> Self {
        let (name, call) = match what {
            What::Began => ("began", None),
            What::Resumed => ("resumed", None),
            What::Guarded { call, .. } => ("guarded", Some(call)),
            What::Launched { call, .. } => ("launched", Some(call)),
            What::Replied { call, .. } => ("replied", Some(call)),
            What::Ran { call, .. } => ("ran", Some(call)),
            What::Snapped { .. } => ("snapped", None),
            What::Restored { .. } => ("restored", None),
            What::Kept { call, .. } => ("kept", Some(call)),
            What::Computed { call, .. } => ("computed", Some(call)),
            What::TimerFired { .. } => ("timer fired", None),
            What::Interrupted { .. } => ("interrupted", None),
            What::Asked(_) => ("asked", None),
            What::Compared { .. } => ("compared", None),
        };
        Self {
            got: match call {
                Some(call) => format!("{name} {call}"),
                None => name.to_owned(),
            },
            place: place.to_owned(),
            expected: expected.iter().map(|&name| name.to_owned()).collect(),
        }
    }
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

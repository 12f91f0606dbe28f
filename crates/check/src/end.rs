//! How the command of a check ended.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How the command of a check ended, as it was observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// It ended by itself with this status.
    Exit(i32),
    /// It was ended by this signal, not by us.
    Signal(i32),
    /// It ran past its time and was ended.
    TimedOut,
    /// It could not be started.
    NotStarted,
}

impl End {
    /// Whether it ended by itself with status 0.
    pub fn is_success(self) -> bool {
        self == Self::Exit(0)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit(status) => write!(f, "exit {status}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
            Self::TimedOut => f.write_str("ran past its time"),
            Self::NotStarted => f.write_str("could not be started"),
        }
    }
}

//! The mark that everything a call starts carries.

use std::fmt;

/// A unique text in a child's environment, inherited by all it starts, also in new sessions (D42).
///
/// Markers form paths: one of a run covers those of its calls, so that the end of a call and the end
/// of a run can be swept by the same rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Marker(String);

impl Marker {
    /// The variable that holds it.
    pub const VARIABLE: &str = "TRIBUNAL_MARKER";

    /// The marker of a run; `run` must be unique on this machine.
    #[must_use]
    pub fn of_run(run: &str) -> Self {
        Self(run.to_owned())
    }

    /// The marker of one launch below this one.
    #[must_use]
    pub fn below(&self, call: &str) -> Self {
        Self(format!("{}/{call}", self.0))
    }

    /// Whether a process that carries `value` belongs to this marker: the same, or one below it.
    #[must_use]
    pub fn covers(&self, value: &[u8]) -> bool {
        value.strip_prefix(self.0.as_bytes()).is_some_and(|rest| matches!(rest, [] | [b'/', ..]))
    }

    /// The text of the variable.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_covers_itself_and_what_is_below() {
        let run = Marker::of_run("r1");
        let call = run.below("c1/seek/1");
        for (marker, value, covered) in [
            (&run, "r1", true),
            (&run, "r1/c1/seek/1", true),
            (&call, "r1/c1/seek/1", true),
            (&call, "r1/c1/seek/1/2", true),
            (&run, "r10", false),
            (&run, "r", false),
            (&call, "r1", false),
            (&call, "r1/c1/seek/12", false),
            (&run, "", false),
        ] {
            assert_eq!(marker.covers(value.as_bytes()), covered, "{marker} {value}");
        }
    }
}

//! An entry of a list that does not fit its contract.

use std::fmt;

use serde::Serialize;

/// Says which entry was dropped, or mended, and why; every reader of lists returns these beside
/// what it could read, so that one bad entry never hides the good ones (DESIGN §5).
///
/// Displays as `reason at /findings/3`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct EntryProblem {
    /// Instance path (JSON Pointer) of the entry or of the value in it, such as `/validated/3`.
    pub at: String,
    /// What does not fit, as a lower-case fragment.
    pub reason: String,
}

impl fmt::Display for EntryProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.reason, self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_shown_with_its_place() {
        let problem =
            EntryProblem { at: "/validated/3".to_owned(), reason: "no verdict".to_owned() };
        assert_eq!(problem.to_string(), "no verdict at /validated/3");
    }
}

//! Whether another cycle is due.

use std::fmt;

use serde::{Deserialize, Serialize};
use tribunal_finding::Severity;

use super::{Policy, State};

/// New confirmed medium findings that are still no reason to go on (seed 000, Loop Behavior).
const MEDIUM_TOLERATED: u32 = 3;

/// Stop, or go on with the next cycle; with its reason.
///
/// Written `STOP` or `CONTINUE:n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// No further cycle.
    Stop {
        /// Why.
        reason: Reason,
    },
    /// Another one.
    Continue {
        /// Its number.
        next: u32,
        /// Why.
        reason: Reason,
    },
}

/// Why it was decided so; the first that holds, in this order (D17).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The last allowed cycle has run.
    MaxCycles,
    /// The least number of cycles has not run yet.
    MinCycles,
    /// New confirmed findings of severity high or critical.
    Severe(u32),
    /// More than three new confirmed findings of severity medium.
    ManyMedium(u32),
    /// Confirmed findings that nobody accounted for.
    Unaccounted(u32),
    /// Nothing above holds.
    Settled,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stop { .. } => f.write_str("STOP"),
            Self::Continue { next, .. } => write!(f, "CONTINUE:{next}"),
        }
    }
}

impl Decision {
    /// Why it was decided so.
    pub fn reason(self) -> Reason {
        match self {
            Self::Stop { reason } | Self::Continue { reason, .. } => reason,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MaxCycles => f.write_str("the maximum number of cycles has run"),
            Self::MinCycles => f.write_str("the minimum number of cycles has not run yet"),
            Self::Severe(n) => {
                write!(f, "new confirmed findings of severity high or critical: {n}")
            }
            Self::ManyMedium(n) => write!(f, "new confirmed findings of severity medium: {n}"),
            Self::Unaccounted(n) => write!(f, "confirmed findings not accounted for: {n}"),
            Self::Settled => f.write_str("nothing new that calls for another cycle"),
        }
    }
}

/// What a decision rests on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// New confirmed findings whose deciding severity is high or critical.
    pub severe: u32,
    /// New confirmed findings whose deciding severity is medium.
    pub medium: u32,
    /// Confirmed findings that nobody accounted for after the last fix attempt.
    pub unaccounted: u32,
}

impl Counts {
    /// Counts severities of new confirmed findings.
    pub fn of(new: impl IntoIterator<Item = Severity>, unaccounted: u32) -> Self {
        let mut counts = Self { unaccounted, ..Self::default() };
        for severity in new {
            match severity {
                Severity::Critical | Severity::High => counts.severe += 1,
                Severity::Medium => counts.medium += 1,
                Severity::Low => {}
            }
        }
        counts
    }
}

/// Decides after `cycle` (D17).
pub fn decide_on(cycle: u32, counts: Counts, policy: Policy) -> Decision {
    let go_on = |reason| Decision::Continue { next: cycle.saturating_add(1), reason };
    if cycle >= policy.max() {
        Decision::Stop { reason: Reason::MaxCycles }
    } else if cycle < policy.min() {
        go_on(Reason::MinCycles)
    } else if counts.severe > 0 {
        go_on(Reason::Severe(counts.severe))
    } else if counts.medium > MEDIUM_TOLERATED {
        go_on(Reason::ManyMedium(counts.medium))
    } else if policy.fix_all() && counts.unaccounted > 0 {
        go_on(Reason::Unaccounted(counts.unaccounted))
    } else {
        Decision::Stop { reason: Reason::Settled }
    }
}

/// Decides on what a judged cycle knows; a cycle that is not judged yet counts nothing.
pub fn decide(state: &State, policy: Policy) -> Decision {
    decide_on(state.cycle(), state.counts(), policy)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Row {
        cycle: u32,
        limits: (u32, u32),
        severities: &'static [(Severity, u32)],
        unaccounted: u32,
        expected: &'static str,
    }

    fn check(row: &Row) {
        let new = row.severities.iter().flat_map(|(severity, n)| (0..*n).map(move |_| *severity));
        let policy = Policy::new(row.limits.0, row.limits.1, true).expect("valid limits");
        let decision = decide_on(row.cycle, Counts::of(new, row.unaccounted), policy);
        assert_eq!(decision.to_string(), row.expected, "cycle {} {:?}", row.cycle, row.severities);
    }

    #[test]
    fn every_row_of_the_decision_table_holds() {
        use Severity::{Critical, High, Low, Medium};
        let row = |cycle, severities, expected| Row {
            cycle,
            limits: (3, 6),
            severities,
            unaccounted: 0,
            expected,
        };
        for row in [
            row(1, &[], "CONTINUE:2"),
            row(2, &[], "CONTINUE:3"),
            row(3, &[], "STOP"),
            row(3, &[(Medium, 3)], "STOP"),
            row(3, &[(Medium, 4)], "CONTINUE:4"),
            row(3, &[(High, 1)], "CONTINUE:4"),
            row(3, &[(Critical, 1)], "CONTINUE:4"),
            row(6, &[(Critical, 1)], "STOP"),
            row(3, &[(Low, 50)], "STOP"),
            Row {
                cycle: 3,
                limits: (3, 6),
                severities: &[],
                unaccounted: 1,
                expected: "CONTINUE:4",
            },
            Row { cycle: 6, limits: (3, 6), severities: &[], unaccounted: 1, expected: "STOP" },
            Row {
                cycle: 9,
                limits: (2, 10),
                severities: &[(High, 1)],
                unaccounted: 0,
                expected: "CONTINUE:10",
            },
        ] {
            check(&row);
        }
    }

    #[test]
    fn unaccounted_findings_do_not_count_without_the_fix_all_rule() {
        let policy = Policy::new(1, 6, false).expect("valid limits");
        let counts = Counts { unaccounted: 2, ..Counts::default() };
        assert_eq!(decide_on(1, counts, policy), Decision::Stop { reason: Reason::Settled });
    }
}

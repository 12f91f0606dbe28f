//! What the exit status of every command means.

use tribunal_finding::Severity;
use tribunal_phase::review_loop::Gate;
use tribunal_phase::{Failure, Fault, Outcome, Pause};
use tribunal_runner::Ending;

/// Documented exit statuses (D47; `docs/exit-codes.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// What was asked holds.
    Holds,
    /// The audit failed: the fatal gate, fixes that do not verify or break the check command, findings
    /// at or above `--fail-on`.
    Failed,
    /// The command line, a setting or a recipe is wrong.
    Usage,
    /// The environment or an agent failed.
    Environment,
    /// A limit was reached with findings open, or a cycle ran past its time.
    Limit,
    /// A signal ended it; the run can be resumed.
    Signal(u8),
}

impl ExitStatus {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Self::Holds => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Environment => 3,
            Self::Limit => 4,
            Self::Signal(signal) => 128 + signal,
        }
    }

    /// The status of a run: signal before 3, 3 before 1, 1 before 4, 4 before 0 (D47).
    pub(crate) fn of(ending: &Ending, fail_on: Option<Severity>) -> Self {
        match &ending.outcome {
            Outcome::Paused(Pause::Signal(signal)) => {
                Self::Signal(u8::try_from(*signal).unwrap_or(0))
            }
            Outcome::Paused(Pause::CycleTimeout) => Self::Limit,
            Outcome::Failed { failure, .. } => Self::of_failure(failure),
            Outcome::Completed => {
                let too_severe = fail_on.is_some_and(|least| {
                    ending.open.iter().any(|finding| finding.severity >= least)
                });
                if ending.unchecked {
                    Self::Environment
                } else if ending.unverified || ending.broken || too_severe {
                    Self::Failed
                } else if ending.at_max && !ending.open.is_empty() && !ending.no_fix {
                    Self::Limit
                } else {
                    Self::Holds
                }
            }
        }
    }

    /// The status of a review loop: 0 while it goes on, then by the gate it ended through (D47).
    pub(crate) fn of_loop(gate: Option<Gate>) -> Self {
        match gate {
            None | Some(Gate::ReviewClean) => Self::Holds,
            Some(Gate::NothingLeft | Gate::Stopped) => Self::Failed,
            Some(Gate::BudgetExhausted) => Self::Limit,
        }
    }

    fn of_failure(failure: &Failure) -> Self {
        match failure {
            Failure::Gate => Self::Failed,
            Failure::Recipe | Failure::Order(_) => Self::Usage,
            // What a shell says when a program is missing or cannot be executed.
            Failure::Command(Some(126 | 127) | None) => Self::Environment,
            Failure::Command(Some(_)) => Self::Failed,
            Failure::Contract
            | Failure::Environment
            | Failure::Agent {
                fault:
                    Fault::NotStarted
                    | Fault::Exit(_)
                    | Fault::Signal(_)
                    | Fault::Deadline
                    | Fault::Idle
                    | Fault::Blank
                    | Fault::AgentError
                    | Fault::Unfinished
                    | Fault::WroteInReadOnlyRole,
                ..
            } => Self::Environment,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_has_the_status_that_is_documented() {
        let agent = |fault| Failure::Agent { fault, kept: None };
        for (failure, expected) in [
            (Failure::Gate, 1),
            (Failure::Recipe, 2),
            (Failure::Contract, 3),
            (Failure::Environment, 3),
            (agent(Fault::Exit(1)), 3),
            (agent(Fault::Deadline), 3),
            (Failure::Command(Some(1)), 1),
            (Failure::Command(Some(127)), 3),
            (Failure::Command(None), 3),
        ] {
            assert_eq!(ExitStatus::of_failure(&failure).code(), expected, "{failure:?}");
        }
    }

    #[test]
    fn every_gate_has_the_status_that_is_documented() {
        for (gate, expected) in [
            (None, 0),
            (Some(Gate::ReviewClean), 0),
            (Some(Gate::NothingLeft), 1),
            (Some(Gate::Stopped), 1),
            (Some(Gate::BudgetExhausted), 4),
        ] {
            assert_eq!(ExitStatus::of_loop(gate).code(), expected, "{gate:?}");
        }
    }

    #[test]
    fn signals_are_told_as_shells_tell_them() {
        for (signal, code) in [(1, 129), (2, 130), (15, 143)] {
            assert_eq!(ExitStatus::Signal(signal).code(), code);
        }
    }
}

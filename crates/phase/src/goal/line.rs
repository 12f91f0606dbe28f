//! What a goal loop tells people: the lines of seed 001, word for word.

use std::fmt;

/// A line that closes a goal loop, as the result of the run. Texts are the caller's, already made
/// harmless for a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'a> {
    /// The goal is met.
    Complete {
        /// Runs of the check.
        cycles: u32,
    },
    /// The last allowed cycle failed.
    MaxCycles {
        /// What still fails, as one line.
        remaining: &'a str,
    },
    /// The same failure, as often as is allowed.
    SameFailure {
        /// How often it was seen.
        times: u32,
        /// The latest diagnosis of it.
        root_cause: &'a str,
    },
    /// The check looked at nothing (D22).
    NothingVerified,
    /// The environment failed (D22).
    Error {
        /// What is wrong.
        trouble: &'a str,
    },
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Complete { cycles } => {
                write!(f, "ULTRAQA COMPLETE: Goal met after {cycles} cycles")
            }
            Self::MaxCycles { remaining } => {
                write!(f, "ULTRAQA STOPPED: Max cycles reached. Remaining issues: {remaining}")
            }
            Self::SameFailure { times, root_cause } => write!(
                f,
                "ULTRAQA STOPPED: Same failure detected {times} times. Root cause: {root_cause}"
            ),
            Self::NothingVerified => f.write_str("ULTRAQA STOPPED: Nothing was verified"),
            Self::Error { trouble } => write!(f, "ULTRAQA ERROR: {trouble}"),
        }
    }
}

/// A line about a cycle under way, or the one that closes the progress (seed 001, "Progress
/// Reporting").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress<'a> {
    /// Something happens in a cycle.
    Cycle {
        /// Which cycle, from 1.
        cycle: u32,
        /// How many there are at most.
        max: u32,
        /// What happens.
        doing: Doing<'a>,
    },
    /// The goal is met.
    Complete {
        /// Runs of the check.
        cycles: u32,
    },
}

/// What happens in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing<'a> {
    /// The check starts.
    Running {
        /// The kind of goal: tests, build, lint, typecheck, custom.
        goal: &'a str,
    },
    /// The check failed.
    Failed {
        /// How much: `3 type errors`.
        count: &'a str,
    },
    /// The check passed.
    Passed,
    /// The diagnostician, by its name in the seed, is asked.
    Diagnosing,
    /// The worker is asked to do one thing.
    Fixing {
        /// The file.
        file: &'a str,
        /// What to do there.
        recommendation: &'a str,
    },
    /// The worker is handed a diagnosis that is prose.
    FixingAsDiagnosed,
}

impl fmt::Display for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cycle { cycle, max, doing } => write!(f, "[ULTRAQA Cycle {cycle}/{max}] {doing}"),
            Self::Complete { cycles } => {
                write!(f, "[ULTRAQA COMPLETE] Goal met after {cycles} cycles")
            }
        }
    }
}

impl fmt::Display for Doing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Running { goal } => write!(f, "Running {goal}..."),
            Self::Failed { count } => write!(f, "FAILED - {count}"),
            Self::Passed => f.write_str("PASSED - No errors"),
            Self::Diagnosing => f.write_str("Diagnosing via bug-hunter..."),
            Self::Fixing { file, recommendation } => {
                write!(f, "Fixing: {file} - {recommendation}")
            }
            Self::FixingAsDiagnosed => f.write_str("Fixing: as diagnosed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seed 001, "Progress Reporting", all seven lines.
    #[test]
    fn the_example_of_the_seed_is_printed_word_for_word() {
        let cycle = |cycle, doing| Progress::Cycle { cycle, max: 5, doing };
        let lines = [
            cycle(1, Doing::Running { goal: "typecheck" }),
            cycle(1, Doing::Failed { count: "3 type errors" }),
            cycle(1, Doing::Diagnosing),
            cycle(
                1,
                Doing::Fixing { file: "subagent.ts", recommendation: "missing details field" },
            ),
            cycle(2, Doing::Running { goal: "typecheck" }),
            cycle(2, Doing::Passed),
            Progress::Complete { cycles: 2 },
        ];
        let printed: Vec<String> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(
            printed.join("\n"),
            "[ULTRAQA Cycle 1/5] Running typecheck...\n\
             [ULTRAQA Cycle 1/5] FAILED - 3 type errors\n\
             [ULTRAQA Cycle 1/5] Diagnosing via bug-hunter...\n\
             [ULTRAQA Cycle 1/5] Fixing: subagent.ts - missing details field\n\
             [ULTRAQA Cycle 2/5] Running typecheck...\n\
             [ULTRAQA Cycle 2/5] PASSED - No errors\n\
             [ULTRAQA COMPLETE] Goal met after 2 cycles"
        );
    }

    #[test]
    fn the_closing_lines_are_those_of_the_seed() {
        for (line, expected) in [
            (Line::Complete { cycles: 2 }, "ULTRAQA COMPLETE: Goal met after 2 cycles"),
            (
                Line::MaxCycles { remaining: "a, b" },
                "ULTRAQA STOPPED: Max cycles reached. Remaining issues: a, b",
            ),
            (
                Line::SameFailure { times: 3, root_cause: "a loop" },
                "ULTRAQA STOPPED: Same failure detected 3 times. Root cause: a loop",
            ),
            (Line::NothingVerified, "ULTRAQA STOPPED: Nothing was verified"),
            (Line::Error { trouble: "a tool is missing" }, "ULTRAQA ERROR: a tool is missing"),
        ] {
            assert_eq!(line.to_string(), expected);
        }
        let prose = Progress::Cycle { cycle: 4, max: 5, doing: Doing::FixingAsDiagnosed };
        assert_eq!(prose.to_string(), "[ULTRAQA Cycle 4/5] Fixing: as diagnosed");
    }
}

//! How a chore fails, and what the shell is told.

use std::fmt;
use std::path::Path;
use std::process::{ExitCode, ExitStatus};

/// Why a chore did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The chore looked and found these; exit 1.
    Found {
        /// What was found, in the order of the files.
        problems: Vec<Problem>,
        /// What to do about them, as one line.
        remedy: &'static str,
    },
    /// A program that the chore ran has failed and said why itself; its exit status is kept.
    Program {
        /// The command line, for people.
        line: String,
        /// How it ended.
        status: ExitStatus,
    },
    /// The command line of the chore makes no sense; exit 2.
    Usage(String),
    /// The chore could not be done at all; exit 3.
    Broken(String),
}

/// One thing that breaks a rule, and where.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Problem {
    /// Path relative to the root.
    pub path: String,
    /// Line, counted from 1.
    pub line: usize,
    /// What stands there.
    pub what: String,
    /// The rule that it breaks.
    pub why: String,
}

impl Failure {
    /// Names the path or program that an operating system error is about.
    pub(crate) fn at(place: impl AsRef<Path>) -> impl FnOnce(std::io::Error) -> Self {
        move |error| Self::Broken(format!("{}: {error}", place.as_ref().display()))
    }

    /// Says on stderr what happened and gives the exit status.
    ///
    /// A program that ended by itself has said why, and its words stay the last: a test runner's
    /// summary is not followed by anything.
    pub(crate) fn report(&self) -> ExitCode {
        if !matches!(self, Self::Program { status, .. } if status.code().is_some()) {
            eprintln!("{self}");
        }
        match self {
            Self::Found { .. } => ExitCode::from(1),
            Self::Program { status, .. } => {
                ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
            }
            Self::Usage(_) => ExitCode::from(2),
            Self::Broken(_) => ExitCode::from(3),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Found { problems, remedy } => {
                for problem in problems {
                    writeln!(f, "{problem}")?;
                }
                let n_problems = problems.len();
                let noun = if n_problems == 1 { "problem" } else { "problems" };
                write!(f, "{n_problems} {noun}; {remedy}")
            }
            Self::Program { line, status } => write!(f, "`{line}` failed: {status}"),
            Self::Usage(text) => write!(f, "{text}"),
            Self::Broken(text) => write!(f, "{text}"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, what, why } = self;
        write!(f, "{path}:{line}: {what} — {why}")
    }
}

//! Whose fault a failed check is: the code's, which an agent may mend, or the environment's (D22).

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Answer, End, Fate, Printed, Reading};

mod marks;
mod missing;

/// Whose fault a failed check is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Blame {
    /// The code's: somebody may mend it.
    Code,
    /// The environment's: no change of the code would help.
    Environment(Trouble),
}

/// What is wrong around the code, and the line that says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// What is wrong.
    pub kind: TroubleKind,
    /// The line of the output that shows it; empty where how the command ended shows it.
    pub line: String,
}

/// What can be wrong around the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TroubleKind {
    /// The command could not be started, or may not be executed (exit 126).
    NotStarted,
    /// A program that the check needs is not installed (exit 127), or is too old.
    ToolMissing,
    /// A package that the project declares is not installed.
    PackageMissing,
    /// A network was needed and did not answer.
    Network,
    /// A server refuses because too much was asked of it.
    Quota,
    /// No space is left on a disk.
    DiskFull,
    /// The system does not let the check do what it does.
    Forbidden,
    /// The check was ended from outside, and never yet ran to its end.
    NeverEnded,
}

/// What is known of a project beside its check's output.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// The packages that its manifests declare, as they are written there; `None` where no manifest
    /// was read. A package that is imported and not declared is a fault of the code.
    pub declared: Option<BTreeSet<String>>,
    /// The names of its own modules and packages, at their top level.
    pub own: BTreeSet<String>,
    /// Whether this check ran to an end before, in this run or another.
    pub ended_before: bool,
}

/// Says whose fault a failed check is (D22).
///
/// How the command ended comes first: not started, exit 126 and 127 are the environment's; being
/// ended from outside is the code's only if the check used to end. Then the output: what it says of
/// missing tools and packages, networks, quotas and disks counts only where it can explain every
/// failure that was read, since a failed test may print anything. In doubt it is the code's.
///
/// A check that did not fail is nobody's fault; the answer is then [`Blame::Code`].
pub fn blame(printed: &Printed<'_>, reading: &Reading, known: &Known) -> Blame {
    if reading.answer != Answer::Failed {
        return Blame::Code;
    }
    let text = printed.text();
    if let Some(kind) = of_end(printed.end, known) {
        let shown = text.lines().rev().find(|line| marks::kind(line) == Some(kind));
        return environment(kind, shown.unwrap_or_default());
    }
    let mut first: Option<(TroubleKind, &str)> = None;
    let mut explained = 0_u64;
    for line in text.lines() {
        let kind = match missing::module(line) {
            Some(module) if module.is_own(known) => return Blame::Code,
            Some(_) => Some(TroubleKind::PackageMissing),
            None => marks::kind(line),
        };
        let Some(kind) = kind else { continue };
        if kind == TroubleKind::DiskFull {
            return environment(kind, line);
        }
        explained += 1;
        first.get_or_insert((kind, line));
    }
    match first {
        Some((kind, line)) if explains(reading, explained) => environment(kind, line),
        Some(_) | None => Blame::Code,
    }
}

fn of_end(end: End, known: &Known) -> Option<TroubleKind> {
    const KILL: i32 = 9;
    match end {
        End::NotStarted | End::Exit(126) => Some(TroubleKind::NotStarted),
        End::Exit(127) => Some(TroubleKind::ToolMissing),
        End::TimedOut | End::Signal(KILL) | End::Exit(137) if !known.ended_before => {
            Some(TroubleKind::NeverEnded)
        }
        End::Exit(_) | End::Signal(_) | End::TimedOut => None,
    }
}

/// Whether so many lines about the environment can stand behind every failure: there is one for
/// each, or only whole files failed, none of whose tests ran.
fn explains(reading: &Reading, lines: u64) -> bool {
    let is_file = |name: &str| !name.contains([' ', ':']) && name.contains('.');
    let mut failed = reading.units.iter().filter(|unit| unit.fate == Fate::Failed);
    reading.counts.failed <= lines || failed.all(|unit| is_file(&unit.name))
}

fn environment(kind: TroubleKind, line: &str) -> Blame {
    Blame::Environment(Trouble { kind, line: line.trim().to_owned() })
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line.as_str() {
            "" => write!(f, "{}", self.kind),
            line => write!(f, "{}: {line}", self.kind),
        }
    }
}

impl fmt::Display for TroubleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NotStarted => "the command cannot be started",
            Self::ToolMissing => "a tool is missing",
            Self::PackageMissing => "a package is not installed",
            Self::Network => "the network does not answer",
            Self::Quota => "a quota is used up",
            Self::DiskFull => "no space is left on the disk",
            Self::Forbidden => "the system forbids it",
            Self::NeverEnded => "the check has never run to its end",
        })
    }
}

//! What was established, and may be built on.

use std::fmt;

use serde::{Deserialize, Serialize};
use tribunal_finding::{FindingId, Severity};

use crate::cycle::Decision;
use crate::goal::Learned;
use crate::{FrameId, SnapshotId};

/// One thing that an audit cycle knows.
///
/// Facts come from built-in native steps, from contract readers and from the plan machine itself,
/// never from a child's output (DESIGN §3, flow 5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// SEEK's findings of this cycle, filtered and renamed.
    Found {
        /// Those that go to the vote.
        sought: Vec<Sought>,
        /// Findings of earlier cycles that are still owed.
        carried: Vec<FindingId>,
    },
    /// What became of one validator.
    Balloted {
        /// Its position, from 1.
        validator: u8,
        /// What it gave.
        ballot: Balloted,
    },
    /// The votes were counted.
    Tallied {
        /// What the validators confirmed.
        confirmed: Vec<Rated>,
    },
    /// The tree was snapshotted before a fix.
    Snapped(SnapshotId),
    /// The fixer is about to start.
    FixerLaunched {
        /// Which call of it in this cycle, from 1.
        turn: u32,
    },
    /// The fixer's report was read, or could not be.
    Reported {
        /// Whether it could be read.
        readable: bool,
    },
    /// Claims were held against evidence.
    Judged {
        /// Ids fixed and verified.
        fixed: Vec<FindingId>,
        /// Ids skipped with a reason that counts.
        skipped: Vec<FindingId>,
        /// Ids that nobody accounted for, and phantoms.
        unaccounted: Vec<FindingId>,
        /// Whether the judgement is a pass.
        passed: bool,
    },
    /// Nobody was asked to fix anything (`--no-fix`).
    NotAsked,
    /// The cycle's findings were written into the history.
    Chronicled,
    /// Whether another cycle is due.
    Decided(Decision),
    /// The next cycle lies on this one.
    FramePushed(FrameId),
    /// Something that a goal loop goes by; an audit cycle has no place for it.
    Goal(Learned),
}

/// One finding that goes to the vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sought {
    /// Its id in this run.
    pub id: FindingId,
    /// Whether it is new (D18): reopened ones are, re-reports of open ones are not.
    pub new: bool,
}

/// One confirmed finding with the severity that decides (D8).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rated {
    /// Its id.
    pub id: FindingId,
    /// The threshold-th lowest severity among the yes votes.
    pub severity: Severity,
}

/// What one validator gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Balloted {
    /// A ballot that counts.
    Usable,
    /// Nothing at all.
    Empty,
    /// Something that holds no JSON object.
    Unparseable,
    /// An object that is no ballot.
    NoBallot,
    /// It ran and failed.
    Failed,
}

impl Balloted {
    /// Whether something was said that could not be counted: it is kept for people to look at (D10, D11).
    pub fn is_kept(self) -> bool {
        match self {
            Self::Unparseable | Self::NoBallot | Self::Failed => true,
            Self::Usable | Self::Empty => false,
        }
    }
}

/// A fact without what it says: enough to check an order before anything runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactKind {
    /// [`Fact::Found`].
    Found,
    /// [`Fact::Balloted`].
    Balloted,
    /// [`Fact::Tallied`].
    Tallied,
    /// [`Fact::Snapped`].
    Snapped,
    /// [`Fact::FixerLaunched`].
    FixerLaunched,
    /// [`Fact::Reported`].
    Reported,
    /// [`Fact::Judged`] and [`Fact::NotAsked`].
    Judged,
    /// [`Fact::Chronicled`].
    Chronicled,
    /// [`Fact::Decided`].
    Decided,
    /// [`Fact::FramePushed`].
    FramePushed,
    /// [`Fact::Goal`].
    Goal,
}

impl FactKind {
    /// The step that establishes it, in the words of the audit recipe.
    pub fn step(self) -> &'static str {
        match self {
            Self::Found => "seek (agent: seeker)",
            Self::Balloted => "validate-agent (agent: validator)",
            Self::Tallied => "merge-validations (uses: merge-ballots)",
            Self::Snapped => "the snapshot before a fix",
            Self::FixerLaunched => "fix (agent: fixer)",
            Self::Reported => "the fixer's report",
            Self::Judged => "verify-fixes (uses: verify-fixes)",
            Self::Chronicled => "accumulate-history (uses: accumulate-history)",
            Self::Decided => "recurse-decision (uses: decide)",
            Self::FramePushed => "run-recursive-cycle (uses: recurse)",
            Self::Goal => "a step of a goal loop",
        }
    }
}

impl fmt::Display for FactKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.step())
    }
}

impl Fact {
    /// The kind of this fact.
    pub fn kind(&self) -> FactKind {
        match self {
            Self::Found { .. } => FactKind::Found,
            Self::Balloted { .. } => FactKind::Balloted,
            Self::Tallied { .. } => FactKind::Tallied,
            Self::Snapped(_) => FactKind::Snapped,
            Self::FixerLaunched { .. } => FactKind::FixerLaunched,
            Self::Reported { .. } => FactKind::Reported,
            Self::Judged { .. } | Self::NotAsked => FactKind::Judged,
            Self::Chronicled => FactKind::Chronicled,
            Self::Decided(_) => FactKind::Decided,
            Self::FramePushed(_) => FactKind::FramePushed,
            Self::Goal(_) => FactKind::Goal,
        }
    }
}

//! The places that a goal loop comes to.

use super::Checked;
use crate::plan::Tree;
use crate::{CallId, Failure, Heard, SnapshotId};

/// What a goal loop is doing. Each place knows the tree that it builds on.
#[derive(Debug, Clone, PartialEq)]
pub enum At {
    /// Looking at the tree before something starts.
    Securing {
        /// The snapshot asked for.
        snapshot: SnapshotId,
        /// What starts then.
        due: Due,
    },
    /// The check runs.
    Checking(Open, Tree),
    /// What the check printed is read.
    Reading(CallId, Tree),
    /// Looking at the tree that the check left.
    Proving {
        /// The check.
        call: CallId,
        /// The tree that it looked at.
        tree: Tree,
        /// What it said.
        checked: Checked,
        /// The snapshot asked for.
        snapshot: SnapshotId,
    },
    /// The diagnostician is at work.
    Diagnosing(Open, Tree),
    /// Looking at the tree that the diagnostician left.
    Comparing {
        /// Its call.
        call: CallId,
        /// What came back.
        heard: Heard,
        /// The tree before it.
        tree: Tree,
        /// The snapshot asked for.
        snapshot: SnapshotId,
    },
    /// A second look at a tree that the diagnostician left changed.
    Settling {
        /// Its call.
        call: CallId,
        /// What came back.
        heard: Heard,
        /// The tree before it.
        tree: Tree,
        /// The tree that it left.
        left: Tree,
        /// The snapshot asked for.
        snapshot: SnapshotId,
    },
    /// The diagnosis is read.
    Interpreting(CallId, Tree),
    /// The worker is at work.
    Fixing(Open, Tree),
    /// Looking at the tree that the worker left.
    Measuring {
        /// Its call.
        call: CallId,
        /// The tree before it.
        tree: Tree,
        /// The snapshot asked for.
        snapshot: SnapshotId,
    },
    /// What the worker changed is held against its bounds.
    Weighing {
        /// Its call.
        call: CallId,
        /// The tree before it.
        tree: Tree,
        /// The tree that it left.
        left: Tree,
    },
    /// Keeping what a worker left that did not end well.
    Salvaging {
        /// Its call.
        call: CallId,
        /// The tree before it.
        tree: Tree,
        /// The snapshot asked for.
        snapshot: SnapshotId,
        /// What follows.
        then: Then,
    },
    /// The tree is put back.
    Restoring {
        /// To what.
        tree: Tree,
        /// What follows.
        then: Then,
    },
}

/// A call whose child runs, or is about to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// The call.
    pub call: CallId,
    /// Launches of it, from 1.
    pub attempt: u32,
    /// How far it is.
    pub launch: Launch,
}

/// How far a call's child is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Launch {
    /// Ordered; recorded before the spawn, so without that record no child was started.
    Ordered,
    /// Started.
    Started,
}

/// What starts once the tree is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Due {
    /// The check of the present cycle.
    Check {
        /// Which launch of it.
        attempt: u32,
    },
    /// A diagnosis.
    Diagnose {
        /// Which question of this cycle, from 1.
        turn: u32,
        /// Which launch of it.
        attempt: u32,
    },
}

/// What follows once the tree is put back.
#[derive(Debug, Clone, PartialEq)]
pub enum Then {
    /// The diagnostician is asked again.
    DiagnoseAgain,
    /// The worker is asked, with this turn and launch.
    Fix {
        /// Which question of this cycle, from 1.
        turn: u32,
        /// Which launch of it.
        attempt: u32,
    },
    /// The next cycle.
    Check,
    /// The loop fails.
    Fail(CallId, Failure),
}

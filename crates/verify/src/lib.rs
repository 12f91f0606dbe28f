//! Holds what a fix agent claims against what the repository shows.
//!
//! [`FixReport`] is what the agent says, [`Evidence`] is what changed between two snapshots,
//! [`Demand`] is what had to be accounted for; [`judge`] makes a [`Judgement`] of the three.
//!
//! The decision table of seed 000 ("verify-fixes: Git Diff Cross-Check"), as D13 reads it;
//! *claimed* is the number of distinct owed ids in `fixes_applied`:
//!
//! | claimed | evidence | outcome |
//! | --- | --- | --- |
//! | 0 | empty | the accounting decides |
//! | > 0 | empty | FAIL: nothing changed at all |
//! | > 0 | something | the accounting decides, and each claimed file must be in the evidence |
//! | 0 | something | the accounting decides; changes of other origin prove nothing |
//!
//! Pure: values in, values out; no clock, no files, no processes.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod claimed_file;
mod demand;
mod evidence;
mod excuse;
mod fix_report;
mod judge;
mod judgement;
mod one_line;
mod reach;
mod reason;
mod repo_path;
mod share;
mod warning;
mod weakening;

pub use demand::{Demand, Owed, Proof};
pub use evidence::{Change, ChangeKind, Evidence, Hunk, LineRange, Presence};
pub use excuse::is_bare_excuse;
pub use fix_report::{
    AppliedFix, FixReport, NotAFixReport, SkippedFix, fix_report_schema, is_fix_entry, union,
};
pub use judge::judge;
pub use judgement::{Claim, FixVerdict, Judged, Judgement, Outcome, judgement_schema};
pub use reach::Reach;
pub use repo_path::RepoPath;
pub use share::{Piece, Share, shares};
pub use weakening::{ChangedText, TestsCompared, Weakening};

//! What a fix may not do: make a check pass by weakening it, or change what nobody named (D24).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Reading;

mod marks;
mod settings;

use marks::{MARKS, Mark, is_test_file};
use settings::edits_check;

/// One file that a fix changed; no text where the file is not there, or is none.
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    /// Relative to the root of the project.
    pub path: &'a str,
    /// Its text before the fix.
    pub before: Option<&'a str>,
    /// Its text after it.
    pub after: Option<&'a str>,
}

/// Something that a fix did and may not do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overstep {
    /// A path changed that neither the failure nor the diagnosis names.
    OutOfScope {
        /// The path.
        path: String,
    },
    /// A file of tests is gone.
    TestsDeleted {
        /// The path.
        path: String,
    },
    /// Something that weakens a check is there more often, or something that strengthens it less
    /// often than before, over all changed files.
    Weakened {
        /// What.
        how: Weakening,
        /// The file where most of it happened.
        path: String,
        /// How often it was there before.
        before: usize,
        /// How often it is there now.
        after: usize,
    },
    /// What is checked, or how, was changed: scripts, settings of a tool, files of a CI.
    CheckEdited {
        /// The path.
        path: String,
    },
}

/// How a check was weakened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weakening {
    /// There are fewer tests.
    FewerTests,
    /// More tests are skipped, or expected to fail.
    MoreSkipped,
    /// Files of tests assert less.
    FewerAssertions,
    /// More complaints are silenced in place.
    MoreSilenced,
    /// More exit statuses are thrown away.
    MoreMasked,
}

/// Holds the files that a fix changed against its bounds (D24).
///
/// `told` is all that the fix was told: the output of the check and the diagnosis. A path counts as
/// named when it stands there, or when its last part does. Files are compared by what stands in them,
/// never by what somebody says of them; a test that moved from one changed file to another is none
/// the fewer.
pub fn oversteps(changes: &[Change<'_>], told: &str) -> Vec<Overstep> {
    let mut found = Vec::new();
    for change in changes {
        let path = || change.path.to_owned();
        if !is_named(change.path, told) {
            found.push(Overstep::OutOfScope { path: path() });
        }
        if change.after.is_none() && change.before.is_some() && is_test_file(change.path) {
            found.push(Overstep::TestsDeleted { path: path() });
        }
        if edits_check(change) {
            found.push(Overstep::CheckEdited { path: path() });
        }
    }
    found.extend(MARKS.iter().filter_map(|mark| weakened(changes, mark)));
    found
}

fn is_named(path: &str, told: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    told.contains(name)
}

fn weakened(changes: &[Change<'_>], mark: &Mark) -> Option<Overstep> {
    let mut total = (0, 0);
    let mut most: Option<(usize, &str)> = None;
    for change in changes {
        let before = mark.count(change.path, change.before.unwrap_or_default());
        let after = mark.count(change.path, change.after.unwrap_or_default());
        total = (total.0 + before, total.1 + after);
        let by =
            if mark.is_good { before.saturating_sub(after) } else { after.saturating_sub(before) };
        if by > most.map_or(0, |(by, _)| by) {
            most = Some((by, change.path));
        }
    }
    let (before, after) = total;
    let is_weaker = if mark.is_good { after < before } else { after > before };
    let (_, path) = most.filter(|_| is_weaker)?;
    Some(Overstep::Weakened { how: mark.how, path: path.to_owned(), before, after })
}

/// The numbers of tests that ran, where a check passes by running fewer of them than it did when it
/// failed. Only a failure that ran tests can be compared.
pub fn ran_fewer(failed: &Reading, passed: &Reading) -> Option<(u64, u64)> {
    let (before, after) = (failed.counts.ran(), passed.counts.ran());
    (failed.tools == passed.tools && after < before).then_some((before, after))
}

impl fmt::Display for Overstep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfScope { path } => {
                write!(f, "{path}: out of scope: neither the failure nor the diagnosis names it")
            }
            Self::TestsDeleted { path } => write!(f, "{path}: a file of tests was deleted"),
            Self::Weakened { how, path, before, after } => {
                write!(f, "{path}: {how} ({before} before, {after} now)")
            }
            Self::CheckEdited { path } => write!(f, "{path}: what is checked was edited"),
        }
    }
}

impl fmt::Display for Weakening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FewerTests => "fewer tests",
            Self::MoreSkipped => "more tests skipped",
            Self::FewerAssertions => "fewer assertions in tests",
            Self::MoreSilenced => "more complaints silenced",
            Self::MoreMasked => "more exit statuses thrown away",
        })
    }
}

//! What the repository shows: the difference of two snapshots.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{RepoPath, Weakening};

/// Every path that differs between the snapshot before a fix and the one after it (D12).
///
/// Dirt from before the fix never counts, since it stands in both snapshots; committed, staged and
/// new files do. Ordered by path, one change per path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// The changes, by path.
    pub changes: Vec<Change>,
}

impl Evidence {
    /// Whether nothing differs: git's "clean" in the decision table (D13).
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

/// One path that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// The path after the fix; for a deletion the path that was deleted.
    pub path: RepoPath,
    /// The path before the fix, for a rename.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<RepoPath>,
    /// What happened to it.
    pub kind: ChangeKind,
    /// Whether the content differs in line ends alone; only for [`ChangeKind::Modified`].
    #[serde(default)]
    pub eol_only: bool,
    /// How far git knows the change.
    pub presence: Presence,
    /// The lines that differ, in order; none for links, binary files and very large files.
    #[serde(default)]
    pub hunks: Vec<Hunk>,
    /// Tests in it that prove less than before; reported, and no reason to judge otherwise (D24).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weakened: Vec<Weakening>,
}

impl Change {
    /// Whether this can be the fix of a finding: mode-only and EOL-only changes cannot (D14).
    pub fn can_be_a_fix(&self) -> bool {
        match self.kind {
            ChangeKind::Added | ChangeKind::Deleted | ChangeKind::Renamed => true,
            ChangeKind::Modified => !self.eol_only,
            ChangeKind::ModeOnly => false,
        }
    }
}

/// What happened to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// Its content is another, or a file became a link or the other way round.
    Modified,
    /// It is gone.
    Deleted,
    /// It stands under another path, its content the same or similar.
    Renamed,
    /// Its executable bit alone is another.
    ModeOnly,
}

impl ChangeKind {
    /// The word used in records and reasons.
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Modified => "modified",
            Self::Deleted => "deleted",
            Self::Renamed => "renamed",
            Self::ModeOnly => "mode only",
        }
    }
}

/// How far git knows a change; the furthest it got counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// In the work tree only, on a path that git tracks.
    Tracked,
    /// The index entry changed too.
    Staged,
    /// In the work tree only, on a path that git does not track.
    Untracked,
    /// The commit that HEAD names changed there too.
    Committed,
}

impl Presence {
    /// The word used in records and reasons.
    pub fn word(self) -> &'static str {
        match self {
            Self::Tracked => "tracked",
            Self::Staged => "staged",
            Self::Untracked => "untracked",
            Self::Committed => "committed",
        }
    }
}

/// One run of lines that differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Hunk {
    /// The lines that were replaced; empty for a pure insertion.
    pub before: LineRange,
    /// The lines that stand there now; empty for a pure removal.
    pub after: LineRange,
}

/// A run of lines, as in a unified diff without context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct LineRange {
    /// The first line, from 1; where `count` is 0, the line after which the range lies, from 0.
    pub start: u32,
    /// How many lines.
    pub count: u32,
}

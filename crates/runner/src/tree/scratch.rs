//! Trees of the run, for a folder beside the work tree.

use std::path::Path;

use tribunal_phase::SnapshotId;
use tribunal_verify::Piece;
use tribunal_worktree::{TreeId, WorktreeError};

use super::{Tree, Trees};

impl Tree {
    /// The files of a snapshot.
    pub(crate) fn files(
        &self,
        snapshot: SnapshotId,
        recorded: &Trees,
    ) -> Result<TreeId, WorktreeError> {
        Ok(self.load(snapshot, recorded)?.tree())
    }

    /// The files of `after` with some of what changed since `before` taken back.
    pub(crate) fn without(
        &self,
        before: SnapshotId,
        after: SnapshotId,
        pieces: &[Piece],
        recorded: &Trees,
    ) -> Result<TreeId, WorktreeError> {
        let (before, after) = (self.load(before, recorded)?, self.load(after, recorded)?);
        self.worktree.without(&before, &after, pieces)
    }

    /// Writes files into a folder that holds `from` already, or nothing.
    pub(crate) fn write_to(
        &self,
        folder: &Path,
        from: Option<TreeId>,
        to: TreeId,
    ) -> Result<(), WorktreeError> {
        self.worktree.write_to(folder, from, to)
    }
}

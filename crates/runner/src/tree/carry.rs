//! Bringing changes into a tree that were made in another.

use tribunal_phase::SnapshotId;
use tribunal_verify::RepoPath;
use tribunal_worktree::{Merge, TreeId, WorktreeError};

use super::{Tree, Trees};

impl Tree {
    /// Merges what changed from `base` to `theirs` into `ours`; nothing is touched.
    pub(crate) fn merge(
        &self,
        base: SnapshotId,
        ours: SnapshotId,
        theirs: SnapshotId,
        recorded: &Trees,
    ) -> Result<Merge, WorktreeError> {
        let load = |number| self.load(number, recorded);
        self.worktree.merge(&load(base)?, &load(ours)?, &load(theirs)?)
    }

    /// What a merged tree cannot be written over.
    pub(crate) fn in_the_way(
        &self,
        from: SnapshotId,
        to: TreeId,
        recorded: &Trees,
    ) -> Result<Vec<RepoPath>, WorktreeError> {
        self.worktree.in_the_way(&self.load(from, recorded)?, to)
    }

    /// What was changed in a tree that is half way to a merged one.
    pub(crate) fn strayed(
        &self,
        from: SnapshotId,
        to: TreeId,
        present: SnapshotId,
        recorded: &Trees,
    ) -> Result<Vec<RepoPath>, WorktreeError> {
        self.worktree.strayed(&self.load(from, recorded)?, to, &self.load(present, recorded)?)
    }

    /// Writes a merged tree; gives the paths.
    pub(crate) fn carry(
        &self,
        from: SnapshotId,
        to: TreeId,
        theirs: SnapshotId,
        recorded: &Trees,
    ) -> Result<Vec<RepoPath>, WorktreeError> {
        self.worktree.carry(&self.load(from, recorded)?, to, &self.load(theirs, recorded)?)
    }
}

//! As changes in the files.

use tribunal_phase::SnapshotId;
use tribunal_record::Way;
use tribunal_report::ApplyResult;
use tribunal_verify::RepoPath;
use tribunal_worktree::{Merge, TreeId};

use super::Bringing;
use crate::error::RunError;
use crate::tree::{Tree, place};

impl Bringing<'_> {
    pub(super) fn patch(
        &mut self,
        tree: &Tree,
        before: SnapshotId,
        left: SnapshotId,
        broken_off: Option<SnapshotId>,
    ) -> Result<ApplyResult, RunError> {
        let present = self.snapshot(tree)?;
        let ours = broken_off.unwrap_or(present);
        let merged = tree.merge(before, ours, left, &self.trail.trees)?;
        let obstacles = match &merged {
            Merge::Conflicts(paths) => paths.clone(),
            Merge::Clean(to) if broken_off.is_some() => {
                tree.strayed(ours, *to, present, &self.trail.trees)?
            }
            Merge::Clean(to) => tree.in_the_way(ours, *to, &self.trail.trees)?,
        };
        let to = match merged {
            Merge::Clean(to) if obstacles.is_empty() => to,
            Merge::Clean(_) | Merge::Conflicts(_) => {
                tree.drop(present)?;
                return Err(self.conflicts(&obstacles));
            }
        };
        if broken_off.is_none() {
            self.begin(present, Way::Patch)?;
        } else {
            tree.drop(present)?;
            self.trail.trees.remove(&present);
        }
        let paths = self.carry(tree, ours, to, left)?;
        self.end(tree)?;
        Ok(ApplyResult::Patched {
            paths: paths.iter().map(RepoPath::to_string).collect(),
            kept: place(self.id.as_str(), ours),
        })
    }

    fn carry(
        &self,
        tree: &Tree,
        from: SnapshotId,
        to: TreeId,
        theirs: SnapshotId,
    ) -> Result<Vec<RepoPath>, RunError> {
        tree.carry(from, to, theirs, &self.trail.trees).map_err(|error| RunError::NotRestored {
            place: place(self.id.as_str(), theirs),
            error,
        })
    }
}

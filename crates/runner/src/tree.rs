//! The audited tree: where it is, its snapshots, what changed in it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use tribunal_finding::quote;
use tribunal_phase::{RunId, SnapshotId, TreeId};
use tribunal_verify::{Evidence, Piece, Proof, RepoPath};
use tribunal_worktree::{
    CommitId, Drift, Excluded, FileDiff, Head, LaterEdits, Limits, Restored, Snapshot,
    SnapshotName, Worktree, WorktreeError,
};

mod carry;
mod scratch;

/// States of the tree by the snapshots that hold them, as they were recorded.
pub(crate) type Trees = BTreeMap<SnapshotId, TreeId>;

/// A work tree with the snapshots of one run.
pub(crate) struct Tree {
    worktree: Worktree,
    run: RunId,
    excluded: Excluded,
}

impl Tree {
    /// Opens the tree; paths that never count are left out of every snapshot.
    pub(crate) fn new(worktree: Worktree, run: RunId, excluded: Vec<PathBuf>) -> Self {
        Self { worktree, run, excluded: Excluded { paths: excluded } }
    }

    /// Frees what a killed process of this run left locked.
    pub(crate) fn free(&self) -> Result<(), WorktreeError> {
        self.worktree.free_locks(self.run.as_str())
    }

    fn name(&self, snapshot: SnapshotId) -> Result<SnapshotName, WorktreeError> {
        SnapshotName::of_run(self.run.as_str(), snapshot.0)
    }

    /// A snapshot as it was recorded. Refs are within an agent's reach, records are not: a ref that is
    /// gone or leads elsewhere is put right first.
    fn load(&self, number: SnapshotId, recorded: &Trees) -> Result<Snapshot, WorktreeError> {
        // Equal states have one name, that of the first snapshot of them.
        let tree = recorded.get(&number);
        let first = recorded.iter().find(|(_, known)| Some(*known) == tree);
        let name = self.name(first.map_or(number, |(first, _)| *first))?;
        let commit = tree.and_then(|tree| tree.as_str().parse::<CommitId>().ok());
        match (self.worktree.load(&name), commit) {
            (Ok(snapshot), Some(commit)) if snapshot.commit() == commit => Ok(snapshot),
            (_, Some(commit)) => self.worktree.adopt(&name, &commit),
            (loaded, None) => loaded,
        }
    }

    /// Takes a snapshot and names its state: like an earlier one where files, HEAD and what a commit
    /// would take are the same, anew where any of them differs.
    pub(crate) fn snapshot(
        &self,
        number: SnapshotId,
        recorded: &Trees,
    ) -> Result<TreeId, WorktreeError> {
        self.take(number, recorded, Drift::is_none)
    }

    /// The same for one who asks about files alone: a commit or `git add` in between changes nothing.
    pub(crate) fn snapshot_of_files(
        &self,
        number: SnapshotId,
        recorded: &Trees,
    ) -> Result<TreeId, WorktreeError> {
        self.take(number, recorded, |drift| !drift.files)
    }

    fn take(
        &self,
        number: SnapshotId,
        recorded: &Trees,
        is_same: fn(Drift) -> bool,
    ) -> Result<TreeId, WorktreeError> {
        let name = self.name(number)?;
        let taken = self.worktree.snapshot(&name, &self.excluded, &Limits::default())?;
        let mut compared: Vec<&TreeId> = Vec::new();
        for (known, tree) in recorded.iter().rev() {
            if *known == number || compared.contains(&tree) {
                continue;
            }
            compared.push(tree);
            let known = self.load(*known, recorded)?;
            if is_same(self.worktree.drift(&known, &taken)?) {
                return Ok(tree.clone());
            }
        }
        Ok(TreeId::new(taken.commit().to_string()))
    }

    /// Puts the tree back to a snapshot; `left` is the one of the state that is replaced. Gives what
    /// stays as it is: paths that cannot be put back, and refs besides HEAD's branch.
    pub(crate) fn restore(
        &self,
        to: SnapshotId,
        left: SnapshotId,
        recorded: &Trees,
    ) -> Result<Vec<String>, WorktreeError> {
        let restored = self.restore_to(to, left, recorded)?;
        let paths = restored.not_restored.iter().map(|path| quote(&path.to_string()));
        Ok(paths.chain(restored.moved_refs.into_iter().map(|moved| quote(&moved.name))).collect())
    }

    /// The same, with all that was done.
    pub(crate) fn restore_to(
        &self,
        to: SnapshotId,
        left: SnapshotId,
        recorded: &Trees,
    ) -> Result<Restored, WorktreeError> {
        let to = self.load(to, recorded)?;
        let left = self.load(left, recorded)?;
        self.worktree.restore(&to, &left, &self.excluded)
    }

    /// Drops a snapshot that nothing was done about.
    pub(crate) fn drop(&self, number: SnapshotId) -> Result<(), WorktreeError> {
        self.worktree.drop_snapshot(&self.name(number)?)
    }

    /// What a restore to `to` would overwrite in `present` that was not there in `left`.
    pub(crate) fn later_edits(
        &self,
        to: SnapshotId,
        left: SnapshotId,
        present: SnapshotId,
        recorded: &Trees,
    ) -> Result<LaterEdits, WorktreeError> {
        let load = |number| self.load(number, recorded);
        self.worktree.later_edits(&load(to)?, &load(left)?, &load(present)?)
    }

    /// What changed between two snapshots: the paths, and a patch of them.
    pub(crate) fn patch(
        &self,
        before: SnapshotId,
        after: SnapshotId,
        recorded: &Trees,
    ) -> Result<(Vec<String>, Vec<u8>), WorktreeError> {
        let (before, after) = (self.load(before, recorded)?, self.load(after, recorded)?);
        let evidence = self.worktree.evidence(&before, &after)?;
        let changes = evidence.changes.into_iter();
        let paths: BTreeSet<RepoPath> =
            changes.flat_map(|change| change.was.into_iter().chain([change.path])).collect();
        let patch = self.worktree.patch(before.tree(), after.tree(), &paths)?;
        Ok((paths.iter().map(RepoPath::to_string).collect(), patch))
    }

    /// The same for some pieces of what changed.
    pub(crate) fn patch_of(
        &self,
        before: SnapshotId,
        after: SnapshotId,
        pieces: &[Piece],
        recorded: &Trees,
    ) -> Result<(Vec<String>, Vec<u8>), WorktreeError> {
        let (before, after) = (self.load(before, recorded)?, self.load(after, recorded)?);
        let paths: BTreeSet<RepoPath> = pieces.iter().map(|piece| piece.path.clone()).collect();
        let without = self.worktree.without(&before, &after, pieces)?;
        let patch = self.worktree.patch(without, after.tree(), &paths)?;
        Ok((paths.iter().map(RepoPath::to_string).collect(), patch))
    }

    /// Where HEAD stands in `to`, if it stands elsewhere in `from`.
    pub(crate) fn head_moved(
        &self,
        from: SnapshotId,
        to: SnapshotId,
        recorded: &Trees,
    ) -> Result<Option<Head>, WorktreeError> {
        let (from, to) = (self.load(from, recorded)?, self.load(to, recorded)?);
        Ok((from.head() != to.head()).then(|| to.head().clone()))
    }

    /// What changed between two snapshots; git that cannot be asked is no evidence (D15).
    pub(crate) fn proof(
        &self,
        between: Option<(SnapshotId, SnapshotId)>,
        recorded: &Trees,
    ) -> Proof {
        let Some((before, after)) = between else { return Proof::Evidence(Evidence::default()) };
        let evidence = || -> Result<Evidence, WorktreeError> {
            let before = self.load(before, recorded)?;
            let after = self.load(after, recorded)?;
            self.worktree.evidence(&before, &after)
        };
        match evidence() {
            Ok(evidence) => Proof::Evidence(evidence),
            Err(error) => Proof::Unasked { why: error.to_string() },
        }
    }

    /// What changed between two snapshots, with its lines.
    pub(crate) fn unified(
        &self,
        before: SnapshotId,
        after: SnapshotId,
        recorded: &Trees,
    ) -> Result<Vec<FileDiff>, WorktreeError> {
        self.worktree.unified(&self.load(before, recorded)?, &self.load(after, recorded)?)
    }

    /// Where git keeps what is no part of the tree.
    pub(crate) fn git_folders(&self) -> Result<Vec<PathBuf>, WorktreeError> {
        self.worktree.git_folders()
    }

    /// Whether git tracks anything at or below a path.
    pub(crate) fn tracks_below(&self, path: &Path) -> Result<bool, WorktreeError> {
        self.worktree.tracks_below(path)
    }
}

/// Where a snapshot of a run lives, for people.
pub(crate) fn place(run: &str, number: SnapshotId) -> String {
    format!("refs/tribunal/{run}/{number}")
}

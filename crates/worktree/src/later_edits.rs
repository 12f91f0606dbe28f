//! What somebody did to the tree after it was left, and would lose by a restore.

use std::collections::BTreeSet;

use tribunal_verify::RepoPath;

use crate::compare::Difference;
use crate::disk::is_unfinished;
use crate::index_file::{IndexFile, Staged};
use crate::open::Session;
use crate::{Snapshot, Worktree, WorktreeError};

/// What differs from the state that was left, and is not as it is to become either.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LaterEdits {
    /// Files and links, by path.
    pub paths: Vec<RepoPath>,
    /// What a commit would take from the index.
    pub index: bool,
    /// `HEAD`, or the branch to be moved, by its full name.
    pub head: Option<String>,
}

impl LaterEdits {
    /// Whether there are none in the files and the index; HEAD has a rule of its own (D46).
    pub fn can_be_lost(&self) -> bool {
        !self.paths.is_empty() || self.index
    }
}

impl Worktree {
    /// Says what a restore to `to` would overwrite that is not of the state `left`: paths that are
    /// neither as they were left nor as they are to become. So a restore that broke off half way has
    /// none.
    ///
    /// Derived from the snapshots alone. Permissions and empty folders do not count, nor do files
    /// that are in one snapshot alone because ignore rules changed.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::BrokenSnapshot`], [`WorktreeError::Git`].
    pub fn later_edits(
        &self,
        to: &Snapshot,
        left: &Snapshot,
        present: &Snapshot,
    ) -> Result<LaterEdits, WorktreeError> {
        self.session()?.later_edits(to, left, present)
    }
}

impl Session<'_> {
    fn later_edits(
        &self,
        to: &Snapshot,
        left: &Snapshot,
        present: &Snapshot,
    ) -> Result<LaterEdits, WorktreeError> {
        let objects = self.objects()?;
        let differing = |from: &Snapshot| {
            let files = Difference::between(&objects, from.stored.files, present.stored.files)?;
            let mut files = files.files;
            self.drop_newly_ignored(&objects, from, present, &mut files)?;
            Ok::<_, WorktreeError>(files.into_iter().map(|file| file.path).collect())
        };
        let (since_left, from_to): (BTreeSet<Vec<u8>>, BTreeSet<Vec<u8>>) =
            (differing(left)?, differing(to)?);
        let paths = since_left.intersection(&from_to).filter(|path| !is_unfinished(path));
        let paths = paths.map(|path| RepoPath::new(path.clone()));
        let mut index = true;
        let now = present.stored.read_index(&objects)?;
        for known in [left, to] {
            index &= present.stored.index != known.stored.index
                && staged(&now) != staged(&known.stored.read_index(&objects)?);
        }
        let (to_head, left_head) = (&to.stored.head, &left.stored.head);
        let head = &present.stored.head;
        let mut moved = None;
        if !head.points_like(left_head) && !head.points_like(to_head) {
            moved = Some("HEAD".to_owned());
        } else if let Some(branch) = to_head.branch() {
            let tip = present.stored.read_refs(&objects)?.get(branch);
            let was_left = left.stored.read_refs(&objects)?.get(branch);
            if tip != was_left && tip != to_head.commit().map(|commit| commit.0) {
                moved = Some(branch.to_owned());
            }
        }
        Ok(LaterEdits { paths: paths.collect(), index, head: moved })
    }
}

/// What a commit would take.
pub(crate) fn staged(index: &IndexFile) -> Vec<(&[u8], Staged)> {
    let entries = index.entries().iter();
    entries.map(|entry| (index.path_of(entry), entry.staged())).collect()
}

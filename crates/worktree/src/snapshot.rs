//! A kept state of the work tree.

use git2::{ErrorCode, Oid};

use crate::compare::{Difference, Differing};
use crate::head::tip;
use crate::later_edits::staged;
use crate::name::is_part;
use crate::stored_commit::Stored;
use crate::{CommitId, Excluded, Head, Limits, SnapshotName, TreeId, Worktree, WorktreeError};

/// The work tree at one moment: files, index and HEAD, kept under `refs/tribunal/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub(crate) name: SnapshotName,
    pub(crate) commit: Oid,
    pub(crate) stored: Stored,
}

/// In which respects two snapshots differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Drift {
    /// A file's path, mode or bytes; empty folders do not count, nor do files that were ignored
    /// before and are no longer.
    pub files: bool,
    /// HEAD, or the commit of its branch.
    pub head: bool,
    /// What a commit would take from the index; refreshed stat data do not count.
    pub index: bool,
}

impl Drift {
    /// Whether nothing differs.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }
}

impl Snapshot {
    /// Its name.
    pub fn name(&self) -> &SnapshotName {
        &self.name
    }

    /// All its files; equal ids mean an equal work tree.
    pub fn tree(&self) -> TreeId {
        TreeId(self.stored.files)
    }

    /// Where HEAD stood.
    pub fn head(&self) -> &Head {
        &self.stored.head
    }

    /// The commit that holds it; equal for equal states of the same name.
    pub fn commit(&self) -> CommitId {
        CommitId(self.commit)
    }
}

impl Worktree {
    /// Keeps the present state under a name; a snapshot that had the name is replaced.
    ///
    /// Files are read as raw bytes, links as links. Ignored files are left out unless git tracks
    /// them, and what cannot be read is left out nowhere but there; files of submodules and nested repositories are taken, their `.git` is not.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::TooLarge`] and [`WorktreeError::TooMuch`] for untracked files beyond the
    /// limits, [`WorktreeError::UnsupportedFormat`] for a split index, [`WorktreeError::Io`] and
    /// [`WorktreeError::Git`] with the path.
    pub fn snapshot(
        &self,
        name: &SnapshotName,
        excluded: &Excluded,
        limits: &Limits,
    ) -> Result<Snapshot, WorktreeError> {
        let session = self.session()?;
        let taken = session.take(name, &session.below(excluded)?, *limits);
        if taken.is_err() {
            session.forget();
        }
        taken
    }

    /// Reads a snapshot that was kept earlier.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::UnknownSnapshot`], [`WorktreeError::BrokenSnapshot`].
    pub fn load(&self, name: &SnapshotName) -> Result<Snapshot, WorktreeError> {
        let session = self.session()?;
        let Some(commit) = tip(&session.repository, &name.reference())? else {
            let path = self.root().to_owned();
            return Err(WorktreeError::UnknownSnapshot { path, name: name.to_string() });
        };
        let stored = Stored::read(&session.objects()?, commit)?;
        Ok(Snapshot { name: name.clone(), commit, stored })
    }

    /// Reads a snapshot by its commit and gives it its name again, whatever became of its ref: for
    /// one who has recorded [`Snapshot::commit`] and does not trust the refs.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::UnknownSnapshot`] when the commit was collected meanwhile,
    /// [`WorktreeError::BrokenSnapshot`] when it is no snapshot of that name.
    pub fn adopt(&self, name: &SnapshotName, commit: &CommitId) -> Result<Snapshot, WorktreeError> {
        // What no ref names may have been collected since it was stored.
        let session = self.session()?;
        session.forget();
        match session.repository.find_commit(commit.0) {
            Err(error) if error.code() == ErrorCode::NotFound => {
                let (path, name) = (self.root().to_owned(), format!("{name} ({commit})"));
                return Err(WorktreeError::UnknownSnapshot { path, name });
            }
            Ok(_) | Err(_) => {}
        }
        let stored = Stored::read_named(&session.objects()?, commit.0, name)?;
        session.point(name, commit.0)?;
        Ok(Snapshot { name: name.clone(), commit: commit.0, stored })
    }

    /// The snapshots of a run, in no particular order.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Git`], [`WorktreeError::InvalidName`].
    pub fn snapshots(&self, run: &str) -> Result<Vec<SnapshotName>, WorktreeError> {
        if !is_part(run) {
            return Err(WorktreeError::InvalidName { name: run.to_owned() });
        }
        let session = self.session()?;
        let refused = |error: git2::Error| session.refused(&error);
        let pattern = format!("refs/tribunal/{run}/*");
        let mut names = Vec::new();
        for reference in session.repository.references_glob(&pattern).map_err(refused)? {
            let reference = reference.map_err(refused)?;
            // A ref that is no name of ours, UTF-8 or not, was not made here.
            let name = std::str::from_utf8(reference.name_bytes()).ok();
            names.extend(name.and_then(SnapshotName::from_reference));
        }
        Ok(names)
    }

    /// Drops all snapshots of a run, and gives their number; git collects their objects later.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Git`], [`WorktreeError::InvalidName`].
    pub fn drop_snapshots(&self, run: &str) -> Result<usize, WorktreeError> {
        let names = self.snapshots(run)?;
        let session = self.session()?;
        let refused = |error: git2::Error| session.refused(&error);
        for name in &names {
            let mut reference =
                session.repository.find_reference(&name.reference()).map_err(refused)?;
            reference.delete().map_err(refused)?;
            session.kept.borrow_mut().remove(&name.reference());
        }
        session.forget();
        Ok(names.len())
    }

    /// Drops one snapshot, if it is there; git collects its objects later.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Git`].
    pub fn drop_snapshot(&self, name: &SnapshotName) -> Result<(), WorktreeError> {
        let session = self.session()?;
        match session.repository.find_reference(&name.reference()) {
            Ok(mut reference) => reference.delete().map_err(|error| session.refused(&error))?,
            Err(error) if error.code() == ErrorCode::NotFound => {}
            Err(error) => return Err(session.refused(&error)),
        }
        session.kept.borrow_mut().remove(&name.reference());
        session.forget();
        Ok(())
    }

    /// Says in which respects the tree changed between two snapshots (D43).
    ///
    /// # Errors
    ///
    /// [`WorktreeError::BrokenSnapshot`].
    pub fn drift(&self, before: &Snapshot, after: &Snapshot) -> Result<Drift, WorktreeError> {
        let session = self.session()?;
        let objects = session.objects()?;
        let (before, after) = (&before.stored, &after.stored);
        let difference = Difference::between(&objects, before.files, after.files)?;
        let (old_index, new_index) = (before.read_index(&objects)?, after.read_index(&objects)?);
        let beside = before.read_left_out(&objects)?;
        let was_ignored = |file: &Differing| {
            file.old.is_none()
                && new_index.find(&file.path).is_none()
                && beside.as_ref().is_some_and(|beside| beside.ignored(&file.path))
        };
        Ok(Drift {
            files: !difference.files.iter().all(was_ignored),
            head: before.head != after.head,
            index: before.index != after.index && staged(&old_index) != staged(&new_index),
        })
    }
}

//! A linked work tree of its own for a run: on a branch of its own, with the files of a snapshot.

use std::io;
use std::path::Path;

use git2::{ErrorCode, ObjectType, StatusOptions, WorktreeAddOptions, WorktreePruneOptions};

use crate::excluded::ExcludedBelow;
use crate::index_lock::IndexLock;
use crate::open::{Kind, Session};
use crate::{Excluded, Snapshot, Worktree, WorktreeError};

/// The branch of a run's own work tree.
pub fn branch_of(run: &str) -> String {
    format!("tribunal/{run}")
}

impl Worktree {
    /// Makes a linked work tree at `path` for a run, on the new branch `tribunal/RUN`, and gives it
    /// the files and the index of a snapshot of this one: uncommitted and untracked files too,
    /// ignored ones not. This work tree, its index and its HEAD are not touched. What an earlier
    /// attempt left is removed first.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::NoCommit`] where HEAD has none, [`WorktreeError::NotARepository`] without git,
    /// [`WorktreeError::Io`] and [`WorktreeError::Git`].
    pub fn isolate(
        &self,
        base: &Snapshot,
        run: &str,
        path: &Path,
    ) -> Result<Worktree, WorktreeError> {
        let session = self.session()?;
        if let Kind::OwnStore(_) = session.kind {
            return Err(WorktreeError::NotARepository { path: self.root().to_owned() });
        }
        let Some(commit) = base.head().commit() else {
            return Err(WorktreeError::NoCommit { path: self.root().to_owned() });
        };
        session.remove_isolated(run, path)?;
        session.add_linked(run, path, commit.0).map_err(|error| session.refused(&error))?;
        let linked = Self::open(path)?;
        linked.session()?.lay_out(base, run)?;
        Ok(linked)
    }

    /// Whether git sees nothing uncommitted, staged or untracked, excluded paths apart.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Git`].
    pub fn is_clean(&self, excluded: &Excluded) -> Result<bool, WorktreeError> {
        let session = self.session()?;
        let excluded = session.below(excluded)?;
        let mut options = StatusOptions::new();
        options.include_untracked(true).recurse_untracked_dirs(true).exclude_submodules(true);
        let statuses = session.repository.statuses(Some(&mut options));
        let statuses = statuses.map_err(|error| session.refused(&error))?;
        let clean = statuses.iter().all(|status| excluded.covers(status.path_bytes()));
        Ok(clean)
    }

    /// Removes a run's linked work tree with all that is in it, and its branch; what is not there is
    /// passed over.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Io`] and [`WorktreeError::Git`].
    pub fn remove_isolated(&self, run: &str, path: &Path) -> Result<(), WorktreeError> {
        self.session()?.remove_isolated(run, path)
    }
}

impl Session<'_> {
    fn add_linked(&self, run: &str, path: &Path, commit: git2::Oid) -> Result<(), git2::Error> {
        let commit = self.repository.find_commit(commit)?;
        let branch = self.repository.branch(&branch_of(run), &commit, false)?.into_reference();
        let mut options = WorktreeAddOptions::new();
        options.reference(Some(&branch));
        self.repository.worktree(&linked_name(run), path, Some(&options)).map(drop)
    }

    /// Puts files and index as they are in a snapshot of another work tree; HEAD stays.
    fn lay_out(&self, base: &Snapshot, run: &str) -> Result<(), WorktreeError> {
        let objects = self.objects()?;
        let lock = IndexLock::take(self.repository.path(), run)?;
        let index = base.stored.read_index(&objects)?;
        let excluded = ExcludedBelow::new(self.root, &Excluded::default(), &[])?;
        self.restore_files(&objects, base, &index, &excluded)?;
        match base.stored.index {
            Some((blob, mtime)) => {
                lock.replace(objects.read(blob, ObjectType::Blob)?.data(), mtime)?;
            }
            None => lock.remove()?,
        }
        self.forget();
        Ok(())
    }

    fn remove_isolated(&self, run: &str, path: &Path) -> Result<(), WorktreeError> {
        match std::fs::remove_dir_all(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(WorktreeError::io(path, "removing", error));
            }
            Ok(()) | Err(_) => {}
        }
        let absent = |error: &git2::Error| error.code() == ErrorCode::NotFound;
        // libgit2 has no code of its own for one that is not there.
        if let Ok(linked) = self.repository.find_worktree(&linked_name(run)) {
            let mut options = WorktreePruneOptions::new();
            options.valid(true).locked(true);
            linked.prune(Some(&mut options)).map_err(|error| self.refused(&error))?;
        }
        match self.repository.find_reference(&format!("refs/heads/{}", branch_of(run))) {
            Ok(mut branch) => branch.delete().map_err(|error| self.refused(&error)),
            Err(error) if absent(&error) => Ok(()),
            Err(error) => Err(self.refused(&error)),
        }
    }
}

/// The name under which git keeps the linked work tree.
fn linked_name(run: &str) -> String {
    format!("tribunal-{run}")
}

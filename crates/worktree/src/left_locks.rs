//! Locks that a killed process left.

use std::fs;
use std::io::ErrorKind;

use crate::index_lock::IndexLock;
use crate::name::{PREFIX, is_part};
use crate::{Worktree, WorktreeError};

impl Worktree {
    /// Frees what a process had locked that was killed while it kept a snapshot of a run or put one
    /// back: the snapshots' refs, and the index.
    ///
    /// For the one who alone may write the run's snapshots; what others have locked stays locked.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::InvalidName`], [`WorktreeError::Io`].
    pub fn free_locks(&self, run: &str) -> Result<(), WorktreeError> {
        if !is_part(run) {
            return Err(WorktreeError::InvalidName { name: run.to_owned() });
        }
        let repository = self.session()?.repository;
        IndexLock::free(repository.path(), run)?;
        let folder = repository.commondir().join(PREFIX).join(run);
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(WorktreeError::io(&folder, "listing", error)),
        };
        for entry in entries {
            let path = entry.map_err(|error| WorktreeError::io(&folder, "listing", error))?.path();
            if path.extension().is_some_and(|extension| extension == "lock") {
                fs::remove_file(&path)
                    .map_err(|error| WorktreeError::io(&path, "removing", error))?;
            }
        }
        Ok(())
    }
}

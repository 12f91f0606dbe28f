//! Who may write a run.

use std::fs::{File, TryLockError};
use std::path::Path;

use rustix::fs::OFlags;
use tribunal_phase::RunId;
use tribunal_record::Hash;

use crate::error::{JournalError, JournalErrorKind};
use crate::private;

const LOCK: &str = "lock";

/// The exclusive lock of a run's folder; free again when dropped, or when the process is gone.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing alone would leave it locked while a child of another thread, between fork and exec,
        // has the file open too. When it fails, closing still frees it a moment later.
        let _ = self.file.unlock();
    }
}

impl Lock {
    pub(crate) fn take(folder: &Path, id: &RunId) -> Result<Self, JournalError> {
        let taken = || JournalError::new(JournalErrorKind::Locked(id.clone()), folder);
        Self::take_file(&folder.join(LOCK), taken)
    }

    fn take_file(path: &Path, taken: impl FnOnce() -> JournalError) -> Result<Self, JournalError> {
        let file =
            private::open_file(path, OFlags::RDWR).map_err(JournalError::io("open", path))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file }),
            Err(TryLockError::WouldBlock) => Err(taken()),
            Err(TryLockError::Error(error)) => Err(JournalError::io("lock", path)(error)),
        }
    }
}

/// The exclusive lock of a work tree among the runs of one state folder; free again when dropped, or
/// when the process is gone.
///
/// Two runs on one tree would take each other's changes for those of their agents.
#[derive(Debug)]
pub struct TreeLock {
    _lock: Lock,
}

impl TreeLock {
    pub(crate) fn take(folder: &Path, root: &Path) -> Result<Self, JournalError> {
        private::ensure_folder(folder)?;
        let path = folder.join(Hash::of(root.as_os_str().as_encoded_bytes()).to_string());
        let taken = || JournalError::new(JournalErrorKind::TreeLocked, root);
        Ok(Self { _lock: Lock::take_file(&path, taken)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_one_run_at_a_time_and_other_trees_are_free() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let trees = folder.path().join("trees");
        let lock = TreeLock::take(&trees, Path::new("/srv/shop")).expect("free");
        let error = TreeLock::take(&trees, Path::new("/srv/shop")).expect_err("taken");
        assert_eq!(error.to_string(), "/srv/shop: another run is at work on this tree");
        TreeLock::take(&trees, Path::new("/srv/other")).expect("another tree");
        drop(lock);
        TreeLock::take(&trees, Path::new("/srv/shop")).expect("free again");
    }

    #[test]
    fn a_lock_is_free_at_once_although_its_file_is_still_open() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let id = RunId::new("r1");
        let lock = Lock::take(folder.path(), &id).expect("free");
        let as_a_child_has_it = lock.file.try_clone().expect("cloned");
        let error = Lock::take(folder.path(), &id).expect_err("taken");
        assert!(matches!(error.kind, JournalErrorKind::Locked(run) if run == id));
        drop(lock);
        Lock::take(folder.path(), &id).expect("free again");
        drop(as_a_child_has_it);
    }
}

//! Who may write a run.

use std::fs::{File, TryLockError};
use std::path::Path;

use rustix::fs::OFlags;
use tribunal_phase::RunId;

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
        let path = folder.join(LOCK);
        let file =
            private::open_file(&path, OFlags::RDWR).map_err(JournalError::io("open", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file }),
            Err(TryLockError::WouldBlock) => {
                Err(JournalError::new(JournalErrorKind::Locked(id.clone()), folder))
            }
            Err(TryLockError::Error(error)) => Err(JournalError::io("lock", &path)(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

//! Replaces the index file the way git does: a lock file beside it, renamed over it.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::WorktreeError;

/// git's lock on the index; given back when dropped.
pub(crate) struct IndexLock {
    file: Option<File>,
    lock: PathBuf,
    index: PathBuf,
}

impl IndexLock {
    /// # Errors
    ///
    /// [`WorktreeError::Locked`] while another git holds it.
    pub(crate) fn take(git_dir: &Path) -> Result<Self, WorktreeError> {
        let lock = git_dir.join("index.lock");
        match OpenOptions::new().write(true).create_new(true).open(&lock) {
            Ok(file) => Ok(Self { file: Some(file), lock, index: git_dir.join("index") }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Err(WorktreeError::Locked { path: lock })
            }
            Err(error) => Err(WorktreeError::io(&lock, "creating", error)),
        }
    }

    /// Writes the index and gives it the time it had, since git takes entries as young as the
    /// index for uncertain; a younger index would make them look certain.
    pub(crate) fn replace(mut self, bytes: &[u8], mtime: (i64, u32)) -> Result<(), WorktreeError> {
        let lock = self.lock.clone();
        let failed = |error| WorktreeError::io(&lock, "writing", error);
        let Some(mut file) = self.file.take() else { return Ok(()) };
        let written = file
            .write_all(bytes)
            .and_then(|()| match time(mtime) {
                Some(time) => file.set_modified(time),
                None => Ok(()),
            })
            .and_then(|()| file.sync_all())
            .and_then(|()| keep_permissions(&self.index, &file))
            .and_then(|()| fs::rename(&self.lock, &self.index));
        if written.is_err() {
            self.file = Some(file);
        }
        written.map_err(failed)
    }

    /// Removes the index, where there was none.
    pub(crate) fn remove(self) -> Result<(), WorktreeError> {
        match fs::remove_file(&self.index) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(WorktreeError::io(&self.index, "removing", error))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        if self.file.take().is_some()
            && let Err(error) = fs::remove_file(&self.lock)
        {
            tracing::warn!(path = %self.lock.display(), %error, "the index stays locked");
        }
    }
}

fn time((seconds, nanoseconds): (i64, u32)) -> Option<SystemTime> {
    UNIX_EPOCH.checked_add(Duration::new(u64::try_from(seconds).ok()?, nanoseconds))
}

fn keep_permissions(index: &Path, file: &File) -> std::io::Result<()> {
    match fs::metadata(index) {
        Ok(metadata) => file.set_permissions(metadata.permissions()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

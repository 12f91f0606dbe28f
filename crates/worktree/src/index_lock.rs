//! Replaces the index file the way git does: a lock file beside it, renamed over it.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::WorktreeError;

/// git's lock on the index; given back when dropped.
///
/// The lock has a second name that tells whose it is, so that one that a killed process left can be
/// told from another git's.
pub(crate) struct IndexLock {
    file: Option<File>,
    lock: PathBuf,
    own: PathBuf,
    index: PathBuf,
}

impl IndexLock {
    /// # Errors
    ///
    /// [`WorktreeError::Locked`] while another git holds it.
    pub(crate) fn take(git_dir: &Path, run: &str) -> Result<Self, WorktreeError> {
        let (lock, own) = (git_dir.join("index.lock"), own_name(git_dir, run));
        // One that is left has a lock or an index as its other name, which must not be written.
        remove(&own)?;
        let create = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
        let file = create(&own).map_err(|error| WorktreeError::io(&own, "creating", error))?;
        let locked = match fs::hard_link(&own, &lock) {
            Ok(()) => Ok(file),
            Err(error) => {
                remove(&own)?;
                match error.kind() {
                    ErrorKind::AlreadyExists => Err(error),
                    // Not every file system has second names.
                    _ => create(&lock),
                }
            }
        };
        match locked {
            Ok(file) => Ok(Self { file: Some(file), lock, own, index: git_dir.join("index") }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Err(WorktreeError::Locked { path: lock })
            }
            Err(error) => Err(WorktreeError::io(&lock, "creating", error)),
        }
    }

    /// Gives back a lock of this run that a killed process left.
    pub(crate) fn free(git_dir: &Path, run: &str) -> Result<(), WorktreeError> {
        let (lock, own) = (git_dir.join("index.lock"), own_name(git_dir, run));
        if let (Ok(left), Ok(lock_file)) = (fs::symlink_metadata(&own), fs::symlink_metadata(&lock))
            && (left.dev(), left.ino()) == (lock_file.dev(), lock_file.ino())
        {
            remove(&lock)?;
        }
        remove(&own)
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
        remove(&self.index)
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        if self.file.take().is_some()
            && let Err(error) = fs::remove_file(&self.lock)
        {
            tracing::warn!(path = %self.lock.display(), %error, "the index stays locked");
        }
        if let Err(error) = remove(&self.own) {
            tracing::warn!(%error, "a second name of the lock stays");
        }
    }
}

fn own_name(git_dir: &Path, run: &str) -> PathBuf {
    git_dir.join(format!("tribunal-{run}.index"))
}

fn remove(path: &Path) -> Result<(), WorktreeError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(WorktreeError::io(path, "removing", error))
        }
        Ok(()) | Err(_) => Ok(()),
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

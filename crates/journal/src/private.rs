//! Files and folders that nobody else may read.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags};

use crate::error::{JournalError, JournalErrorKind};

/// Makes a folder with mode 0700 unless it is there, with the folders above it; refuses a link.
pub(crate) fn ensure_folder(path: &Path) -> Result<(), JournalError> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => Err(JournalError::new(JournalErrorKind::Link, path)),
        Ok(found) if !found.is_dir() => Err(JournalError::new(JournalErrorKind::NotAFolder, path)),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .map_err(JournalError::io("create", path)),
        Err(error) => Err(JournalError::io("look at", path)(error)),
    }
}

/// Makes a folder that must not be there yet.
pub(crate) fn new_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// Opens or makes a file with mode 0600; its content stays. Refuses a link.
pub(crate) fn open_file(path: &Path, flags: OFlags) -> io::Result<File> {
    let flags = flags | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?;
    Ok(File::from(file))
}

/// Opens a regular file for reading; refuses a link, and never waits for a pipe's other end.
pub(crate) fn open_regular(path: &Path) -> Result<File, JournalError> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(rustix::io::Errno::LOOP) => {
            return Err(JournalError::new(JournalErrorKind::Link, path));
        }
        Err(error) => return Err(JournalError::io("open", path)(error)),
    };
    let found = file.metadata().map_err(JournalError::io("look at", path))?;
    if !found.is_file() {
        return Err(JournalError::new(JournalErrorKind::NotAFile, path));
    }
    Ok(file)
}

/// Puts a file with this content at `path`: written beside it as `part`, synced, renamed, the folder
/// synced. Whoever looks sees the old file or the whole new one.
pub(crate) fn put_file(path: &Path, part: &Path, bytes: &[u8]) -> Result<(), JournalError> {
    put(path, part, bytes, File::sync_all)?;
    sync_folder_of(path)
}

/// The same without syncing: whole for every process, and after a loss of power perhaps not there.
pub(crate) fn put_unsynced(path: &Path, part: &Path, bytes: &[u8]) -> Result<(), JournalError> {
    put(path, part, bytes, |_| Ok(()))
}

fn put(
    path: &Path,
    part: &Path,
    bytes: &[u8],
    finish: impl FnOnce(&File) -> io::Result<()>,
) -> Result<(), JournalError> {
    let written = open_file(part, OFlags::WRONLY | OFlags::EXCL).and_then(|mut file| {
        file.write_all(bytes)?;
        finish(&file)
    });
    let done = written
        .map_err(JournalError::io("write", part))
        .and_then(|()| fs::rename(part, path).map_err(JournalError::io("rename to", path)));
    if done.is_err() {
        // The first error is the one to tell; a part that stays is cleared when the run is opened.
        let _ = fs::remove_file(part);
    }
    done
}

/// Makes names that appeared in the folder of `path` last.
pub(crate) fn sync_folder_of(path: &Path) -> Result<(), JournalError> {
    sync_folder(path.parent().unwrap_or(Path::new("/")))
}

/// Makes names that appeared in a folder last.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), JournalError> {
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(JournalError::io("sync", folder))
}

/// Removes a folder with all it holds; one that is not there is as good. Links in it are removed,
/// never followed.
pub(crate) fn remove_folder(path: &Path) -> Result<(), JournalError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(JournalError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Leaves an empty folder with mode 0700 at `path`.
pub(crate) fn fresh_folder(path: &Path) -> Result<(), JournalError> {
    remove_folder(path)?;
    new_folder(path).map_err(JournalError::io("create", path))
}

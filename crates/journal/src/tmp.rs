//! A run's own temporary folder.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use uuid::Uuid;

use crate::error::JournalError;
use crate::private;

/// Names the temporary folder, so that the next who opens the run can remove one that was left.
const PLACE: &str = "tmp-place";
const PREFIX: &str = "tribunal-";

/// Makes a fresh folder below `parent`; its name is noted in the run's folder first.
pub(crate) fn make(run_folder: &Path, parent: &Path) -> Result<PathBuf, JournalError> {
    // Short, since sockets made in it have room for about a hundred bytes of path.
    let name = Uuid::new_v4().simple().to_string();
    let path = parent.join(format!("{PREFIX}{}", &name[..12]));
    // Not synced: what is lost with the power is a folder in a place that is emptied at times.
    let place = run_folder.join(PLACE);
    private::open_file(&place, OFlags::WRONLY | OFlags::TRUNC)
        .and_then(|mut file| file.write_all(path.as_os_str().as_bytes()))
        .map_err(JournalError::io("write", &place))?;
    private::new_folder(&path).map_err(JournalError::io("create", &path))?;
    Ok(path)
}

/// Removes the folder that the run's note names, and the note.
///
/// Only a folder of ours: named as we name them, owned by us, no link.
pub(crate) fn clear(run_folder: &Path) -> Result<(), JournalError> {
    let place = run_folder.join(PLACE);
    let bytes = match fs::read(&place) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(JournalError::io("read", &place)(error)),
    };
    let path = Path::new(OsStr::from_bytes(&bytes));
    if is_ours(path) {
        private::remove_folder(path)?;
    }
    fs::remove_file(&place).map_err(JournalError::io("remove", &place))
}

fn is_ours(path: &Path) -> bool {
    let is_named_so =
        path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()));
    is_named_so
        && path.is_absolute()
        && fs::symlink_metadata(path)
            .is_ok_and(|found| found.is_dir() && found.uid() == rustix::process::geteuid().as_raw())
}

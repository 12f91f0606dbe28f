//! One folder on disk, read without ever following a link.

use std::ffi::CStr;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::WorktreeError;

/// A name in a folder and what stands there.
pub(crate) struct Listed {
    pub(crate) name: std::ffi::CString,
    pub(crate) kind: FileType,
}

/// What a folder holds, by name; `.git` is left out.
pub(crate) struct Listing {
    /// The folder itself, still open.
    pub(crate) folder: fs::Dir,
    pub(crate) entries: Vec<Listed>,
    /// Whether a `.git` stands in it: the root of a repository.
    pub(crate) has_git: bool,
}

/// Opens the root of a work tree.
pub(crate) fn open_root(root: &Path) -> Result<OwnedFd, WorktreeError> {
    fs::open(root, folder_flags(), Mode::empty())
        .map_err(|error| WorktreeError::io(root, "opening", error))
}

/// Opens a folder below another; links are refused with `ELOOP` or `ENOTDIR`.
pub(crate) fn open(above: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd, Errno> {
    fs::openat(above, name, folder_flags() | OFlags::NOFOLLOW, Mode::empty())
}

fn folder_flags() -> OFlags {
    OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC
}

/// Opens a file for reading; never waits for the other end of a pipe.
pub(crate) fn open_file(above: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    fs::openat(above, name, flags, Mode::empty())
}

/// Reads the stat data of what stands there itself; `None` when nothing does (any more).
pub(crate) fn stat(above: BorrowedFd<'_>, name: &CStr) -> Result<Option<Stat>, Errno> {
    match fs::statat(above, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(stat)),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Lists a folder, sorted by name.
pub(crate) fn list(folder: OwnedFd) -> Result<Listing, Errno> {
    let mut folder = fs::Dir::new(folder)?;
    let (mut entries, mut has_git) = (Vec::new(), false);
    while let Some(entry) = folder.read() {
        let entry = entry?;
        let name = entry.file_name();
        match name.to_bytes() {
            b"." | b".." => continue,
            b".git" => {
                has_git = true;
                continue;
            }
            _ => {}
        }
        let kind = match entry.file_type() {
            FileType::Unknown => match stat(folder.fd()?, name)? {
                Some(stat) => FileType::from_raw_mode(stat.st_mode),
                None => continue,
            },
            known => known,
        };
        entries.push(Listed { name: name.to_owned(), kind });
    }
    entries.sort_unstable_by(|left, right| left.name.cmp(&right.name));
    Ok(Listing { folder, entries, has_git })
}

//! Changes to the work tree that never follow a link.

use std::ffi::CString;
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{self, AtFlags, Mode, OFlags};
use rustix::io::Errno;

use crate::excluded::os_path;
use crate::{WorktreeError, folder};

/// How a file is called that is being written, before it gets its name: what a restore leaves that is
/// killed, and the next one removes.
const UNFINISHED: &str = ".tribunal-restore-";

/// Whether a path is of a file that a restore did not finish.
pub(crate) fn is_unfinished(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    name.starts_with(UNFINISHED.as_bytes())
}

/// The work tree, open for restoring. Paths are relative to its root.
pub(crate) struct Disk {
    root: PathBuf,
    at: OwnedFd,
    /// The folder used last; most changes come folder by folder.
    last: Option<(Vec<u8>, OwnedFd)>,
}

impl Disk {
    pub(crate) fn open(root: &Path) -> Result<Self, WorktreeError> {
        Ok(Self { root: root.to_owned(), at: folder::open_root(root)?, last: None })
    }

    /// Removes a file or link; one that is gone is fine.
    pub(crate) fn remove_file(&mut self, path: &[u8]) -> Result<(), WorktreeError> {
        let full = self.full(path);
        let Some((above, name)) = self.above(path, Missing::Leave)? else { return Ok(()) };
        match fs::unlinkat(above, &name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(WorktreeError::io(&full, "removing", error)),
        }
    }

    /// Removes a folder, unless something that no snapshot holds lies in it.
    pub(crate) fn remove_empty_folder(&mut self, path: &[u8]) -> Result<(), WorktreeError> {
        self.last = None;
        let full = self.full(path);
        let Some((above, name)) = self.above(path, Missing::Leave)? else { return Ok(()) };
        match fs::unlinkat(above, &name, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT | Errno::NOTDIR | Errno::NOTEMPTY | Errno::EXIST) => Ok(()),
            Err(error) => Err(WorktreeError::io(&full, "removing", error)),
        }
    }

    /// Makes a folder and those above it.
    pub(crate) fn make_folder(&mut self, path: &[u8]) -> Result<(), WorktreeError> {
        let inside = [path, b"/"].concat();
        self.above(&inside, Missing::Make).map(drop)
    }

    /// Puts a regular file in place, whatever file or link stands there.
    pub(crate) fn write_file(
        &mut self,
        path: &[u8],
        content: &[u8],
        bits: u32,
    ) -> Result<(), WorktreeError> {
        let full = self.full(path);
        let failed = |error: Errno| WorktreeError::io(&full, "writing", error);
        let Some((above, name)) = self.above(path, Missing::Make)? else { return Ok(()) };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let make = |name: &CString| fs::openat(above, name, flags, Mode::RUSR | Mode::WUSR);
        let (scratch, file) = under_scratch_name(make).map_err(failed)?;
        let mut file = File::from(file);
        let written = file
            .write_all(content)
            .and_then(|()| Ok(fs::fchmod(&file, Mode::from_raw_mode(bits))?));
        if let Err(error) = written {
            discard(above, &scratch, &full)?;
            return Err(WorktreeError::io(&full, "writing", error));
        }
        rename_into_place(above, &scratch, &name, &full)
    }

    /// Puts a link in place.
    pub(crate) fn write_link(&mut self, path: &[u8], target: &[u8]) -> Result<(), WorktreeError> {
        let full = self.full(path);
        let failed = |error: Errno| WorktreeError::io(&full, "linking", error);
        let Some((above, name)) = self.above(path, Missing::Make)? else { return Ok(()) };
        let make = |name: &CString| fs::symlinkat(target, above, name);
        let (scratch, ()) = under_scratch_name(make).map_err(failed)?;
        rename_into_place(above, &scratch, &name, &full)
    }

    /// Sets the permission bits of a regular file.
    pub(crate) fn set_permissions(&mut self, path: &[u8], bits: u32) -> Result<(), WorktreeError> {
        let full = self.full(path);
        let Some((above, name)) = self.above(path, Missing::Leave)? else { return Ok(()) };
        fs::chmodat(above, &name, Mode::from_raw_mode(bits), AtFlags::empty())
            .map_err(|error| WorktreeError::io(&full, "changing the mode of", error))
    }

    /// Opens the folder of a path, each part without following links, and gives it with the last
    /// part of the path. `None` when it is missing and may stay so.
    pub(crate) fn above(
        &mut self,
        path: &[u8],
        missing: Missing,
    ) -> Result<Option<(BorrowedFd<'_>, CString)>, WorktreeError> {
        let (folder_path, name) = match path.iter().rposition(|byte| *byte == b'/') {
            Some(at) => (&path[..at], &path[at + 1..]),
            None => (&[][..], path),
        };
        let name = c_name(name);
        if folder_path.is_empty() {
            return Ok(Some((self.at.as_fd(), name)));
        }
        if self.last.as_ref().is_none_or(|(last, _)| last != folder_path) {
            match self.open_folder(folder_path, missing)? {
                Some(folder) => self.last = Some((folder_path.to_vec(), folder)),
                None => return Ok(None),
            }
        }
        Ok(self.last.as_ref().map(|(_, folder)| (folder.as_fd(), name)))
    }

    fn open_folder(&self, path: &[u8], missing: Missing) -> Result<Option<OwnedFd>, WorktreeError> {
        let full = self.full(path);
        let mut at: Option<OwnedFd> = None;
        for part in path.split(|byte| *byte == b'/') {
            let name = c_name(part);
            let above = at.as_ref().unwrap_or(&self.at).as_fd();
            let opened = match (folder::open(above, &name), missing) {
                (Err(Errno::NOENT), Missing::Make) => {
                    match fs::mkdirat(above, &name, Mode::from_raw_mode(0o777)) {
                        Ok(()) | Err(Errno::EXIST) => folder::open(above, &name),
                        Err(error) => Err(error),
                    }
                }
                (opened, Missing::Make | Missing::Leave) => opened,
            };
            match (opened, missing) {
                (Ok(folder), _) => at = Some(folder),
                (Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP), Missing::Leave) => {
                    return Ok(None);
                }
                (Err(Errno::NOTDIR | Errno::LOOP), Missing::Make) => {
                    return Err(WorktreeError::Occupied { path: full });
                }
                (Err(error), _) => return Err(WorktreeError::io(&full, "opening", error)),
            }
        }
        Ok(at)
    }

    pub(crate) fn full(&self, path: &[u8]) -> PathBuf {
        self.root.join(os_path(path))
    }
}

/// What to do about a folder that is not there.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Missing {
    Make,
    Leave,
}

/// Makes something under a name that nothing in the folder has.
///
/// What an interrupted restore leaves behind is in no snapshot, so the next one removes it.
fn under_scratch_name<T>(
    mut make: impl FnMut(&CString) -> Result<T, Errno>,
) -> Result<(CString, T), Errno> {
    let mut number = 0_u32;
    loop {
        let name = c_name(format!("{UNFINISHED}{number}").as_bytes());
        match make(&name) {
            Err(Errno::EXIST) if number < u32::MAX => number += 1,
            made => return made.map(|made| (name, made)),
        }
    }
}

fn rename_into_place(
    above: BorrowedFd<'_>,
    scratch: &CString,
    name: &CString,
    full: &Path,
) -> Result<(), WorktreeError> {
    match fs::renameat(above, scratch, above, name) {
        Ok(()) => Ok(()),
        Err(error) => {
            let occupied = matches!(error, Errno::ISDIR | Errno::NOTEMPTY | Errno::EXIST);
            discard(above, scratch, full)?;
            if occupied {
                return Err(WorktreeError::Occupied { path: full.to_owned() });
            }
            Err(WorktreeError::io(full, "writing", error))
        }
    }
}

fn discard(above: BorrowedFd<'_>, scratch: &CString, full: &Path) -> Result<(), WorktreeError> {
    fs::unlinkat(above, scratch, AtFlags::empty())
        .map_err(|error| WorktreeError::io(full, "removing", error))
}

pub(crate) fn c_name(part: &[u8]) -> CString {
    CString::new(part).expect("names in a stored tree end at their first NUL")
}

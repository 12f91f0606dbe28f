//! Folders and files that an agent closed with their permissions: opened before a restore, and
//! given the recorded permissions after it.

use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{self, AtFlags, FileType, Mode};
use rustix::io::Errno;

use crate::compare::Difference;
use crate::disk::Disk;
use crate::excluded::{ExcludedBelow, os_path};
use crate::folder::Listing;
use crate::left_out::LeftOut;
use crate::modes::Modes;
use crate::objects::Objects;
use crate::{Snapshot, WorktreeError, folder};

const FOLDER_OPEN: u32 = 0o700;
const FILE_OPEN: u32 = 0o400;

/// Opens what we own and may neither enter nor read; what was ignored or is excluded stays.
///
/// What cannot be opened is left for the walk, which names it.
pub(crate) fn open_up(
    root: &Path,
    beside: &LeftOut,
    excluded: &ExcludedBelow,
) -> Result<(), WorktreeError> {
    let at = folder::open_root(root)?;
    let failed = |error: Errno| WorktreeError::io(root, "reading", error);
    let bits = fs::fstat(&at).map_err(failed)?.st_mode & 0o7777;
    if bits & FOLDER_OPEN != FOLDER_OPEN {
        leave_to_the_walk(fs::fchmod(&at, Mode::from_raw_mode(bits | FOLDER_OPEN)))
            .map_err(failed)?;
    }
    Opening { root, beside, excluded }.below(at, &mut Vec::new())
}

struct Opening<'o> {
    root: &'o Path,
    beside: &'o LeftOut,
    excluded: &'o ExcludedBelow,
}

impl Opening<'_> {
    /// `path` is empty or ends in `/`.
    fn below(&self, opened: OwnedFd, path: &mut Vec<u8>) -> Result<(), WorktreeError> {
        let failed = |path: &[u8], error| {
            WorktreeError::io(&self.root.join(os_path(path)), "opening up", error)
        };
        let Listing { folder, entries, .. } =
            folder::list(opened).map_err(|error| failed(path, error))?;
        let at = folder.fd().map_err(|error| failed(path, error))?;
        for listed in entries {
            let length = path.len();
            path.extend_from_slice(listed.name.to_bytes());
            let excluded = self.excluded.covers(path);
            let wanted = match listed.kind {
                FileType::Directory => FOLDER_OPEN,
                FileType::RegularFile => FILE_OPEN,
                _ => 0,
            };
            if wanted == FOLDER_OPEN {
                path.push(b'/');
            }
            if wanted != 0 && !excluded && !self.beside.ignored(path) {
                self.open(at, &listed.name, wanted).map_err(|error| failed(path, error))?;
                if wanted == FOLDER_OPEN
                    && let Ok(inside) = folder::open(at, &listed.name)
                {
                    self.below(inside, path)?;
                }
            }
            path.truncate(length);
        }
        Ok(())
    }

    fn open(&self, at: BorrowedFd<'_>, name: &std::ffi::CStr, wanted: u32) -> Result<(), Errno> {
        let Some(stat) = folder::stat(at, name)? else { return Ok(()) };
        let bits = stat.st_mode & 0o7777;
        if bits & wanted == wanted || FileType::from_raw_mode(stat.st_mode) == FileType::Symlink {
            return Ok(());
        }
        let mode = Mode::from_raw_mode(bits | wanted);
        leave_to_the_walk(fs::chmodat(at, name, mode, AtFlags::empty()))
    }
}

/// Only the owner may change permissions, and what others own no agent of ours has closed.
fn leave_to_the_walk(changed: Result<(), Errno>) -> Result<(), Errno> {
    match changed {
        Err(Errno::PERM | Errno::NOENT | Errno::ROFS) => Ok(()),
        changed => changed,
    }
}

/// Gives the folders of a snapshot their permissions back, inner ones first, and gives those that
/// belong to someone else and have others.
pub(crate) fn close_again(
    root: &Path,
    objects: &Objects<'_>,
    to: &Snapshot,
    target: &Modes,
    excluded: &ExcludedBelow,
) -> Result<Vec<Vec<u8>>, WorktreeError> {
    let mut disk = Disk::open(root)?;
    let mut refused = Vec::new();
    let folders = Difference::from_nothing(objects, to.stored.files)?.folders_new;
    let inner_first = folders.into_iter().rev().filter(|path| !excluded.covers(path));
    for path in inner_first.chain([Vec::new()]) {
        let Some(bits) = target.of_folder(&path) else { continue };
        if !disk.set_folder_permissions(&path, bits)? {
            refused.push(path);
        }
    }
    Ok(refused)
}

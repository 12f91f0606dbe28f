//! Changes on disk to what is no file and no link.

use rustix::fs::{self, AtFlags, FileType, Mode};
use rustix::io::Errno;

use crate::disk::{Disk, Missing};
use crate::{WorktreeError, folder};

impl Disk {
    /// Sets the permission bits of a folder where they differ; says whether they are right now.
    /// One that is gone, or that is no folder any more, is right.
    pub(crate) fn set_folder_permissions(
        &mut self,
        path: &[u8],
        bits: u32,
    ) -> Result<bool, WorktreeError> {
        let full = self.full(path);
        let failed = |error: Errno| WorktreeError::io(&full, "changing the mode of", error);
        let inside = if path.is_empty() { Vec::new() } else { [path, b"/"].concat() };
        let Some((folder, _)) = self.above(&inside, Missing::Leave)? else { return Ok(true) };
        if fs::fstat(folder).map_err(failed)?.st_mode & 0o7777 == bits {
            return Ok(true);
        }
        match fs::fchmod(folder, Mode::from_raw_mode(bits)) {
            Ok(()) => Ok(true),
            Err(Errno::PERM | Errno::ROFS) => Ok(false),
            Err(error) => Err(failed(error)),
        }
    }

    /// Removes a pipe or socket; says whether the place is free of special files now.
    pub(crate) fn remove_special(&mut self, path: &[u8]) -> Result<bool, WorktreeError> {
        let full = self.full(path);
        let failed = |error: Errno| WorktreeError::io(&full, "removing", error);
        let Some((above, name)) = self.above(path, Missing::Leave)? else { return Ok(true) };
        let Some(stat) = folder::stat(above, &name).map_err(failed)? else { return Ok(true) };
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Fifo | FileType::Socket => {
                fs::unlinkat(above, &name, AtFlags::empty()).map(|()| true).map_err(failed)
            }
            FileType::RegularFile | FileType::Directory | FileType::Symlink => Ok(true),
            FileType::CharacterDevice | FileType::BlockDevice | FileType::Unknown => Ok(false),
        }
    }
}

//! What the walk does with one file or link.

use std::ffi::CStr;

use git2::{ObjectType, Oid};
use rustix::fs::{FileType, Stat};
use rustix::io::Errno;

use crate::left_out::Why;
use crate::modes::is_program;
use crate::stored_tree::{FILE, LINK, PROGRAM};
use crate::walk::{Here, Taken, Walk};
use crate::{WorktreeError, folder};

/// A regular file on the way of the walk.
struct Regular<'f> {
    name: &'f CStr,
    path: &'f [u8],
    stat: &'f Stat,
    /// Its place in the index, where git tracks it.
    position: Option<usize>,
}

impl Regular<'_> {
    fn size(&self) -> u64 {
        u64::try_from(self.stat.st_size).unwrap_or(0)
    }
}

impl Walk<'_> {
    /// Takes a file or a link; pipes, sockets and devices are no content.
    pub(crate) fn file(
        &mut self,
        here: &Here<'_>,
        name: &CStr,
        path: &[u8],
    ) -> Result<Taken, WorktreeError> {
        let position = here.territory.position(path);
        if position.is_none() && here.territory.ignores(path)? {
            self.left_out.note(path, Why::Ignored);
            return Ok(None);
        }
        let stat = folder::stat(here.at, name)
            .map_err(|error| WorktreeError::io(&self.full(path), "reading", error))?;
        let Some(stat) = stat else { return Ok(None) };
        let taken = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => {
                self.regular(here, &Regular { name, path, stat: &stat, position })?
            }
            FileType::Symlink => self.link(here, name, path)?,
            _ => {
                self.left_out.note(path, Why::Special);
                None
            }
        };
        if let (Some(position), Some((_, id)), true) = (position, taken, here.territory.is_outer())
        {
            self.as_staged[position] = here.territory.index.entries()[position].id == id;
        }
        Ok(taken)
    }

    fn regular(&mut self, here: &Here<'_>, file: &Regular<'_>) -> Result<Taken, WorktreeError> {
        if file.position.is_none() {
            self.count_untracked(file)?;
        }
        let id = match self.unread(here, file) {
            Some(id) => id,
            None => match self.blobs.read(here.at, file.name, file.path, file.stat) {
                Ok(Some(id)) => id,
                Ok(None) => return Ok(None),
                Err(error) => return Err(error),
            },
        };
        let bits = file.stat.st_mode & 0o7777;
        self.modes.note(file.path, bits);
        Ok(Some((if is_program(bits) { PROGRAM } else { FILE }, id)))
    }

    /// The id of a file that need not be read: an earlier walk did, or its index entry holds.
    fn unread(&self, here: &Here<'_>, file: &Regular<'_>) -> Option<Oid> {
        if let Some(id) = self.blobs.remembered(file.path, file.stat) {
            return Some(id);
        }
        // A nested repository keeps its blobs in a store of its own.
        if !here.territory.is_outer() {
            return None;
        }
        let index = here.territory.index;
        let entry = &index.entries()[file.position?];
        let (repository, objects) = (here.territory.repository, self.blobs.objects);
        let holds = index.still_holds(entry, file.stat)
            && here.conversion.leaves_alone(repository, objects, file.path, entry, file.size());
        holds.then_some(entry.id)
    }

    fn link(&self, here: &Here<'_>, name: &CStr, path: &[u8]) -> Result<Taken, WorktreeError> {
        let target = match rustix::fs::readlinkat(here.at, name, Vec::new()) {
            Ok(target) => target,
            Err(Errno::NOENT | Errno::INVAL) => return Ok(None),
            Err(error) => return Err(WorktreeError::io(&self.full(path), "reading", error)),
        };
        let id = self.blobs.objects.write(ObjectType::Blob, target.to_bytes())?;
        Ok(Some((LINK, id)))
    }

    fn count_untracked(&mut self, file: &Regular<'_>) -> Result<(), WorktreeError> {
        let size = file.size();
        if size > self.limits.untracked_file {
            let limit = self.limits.untracked_file;
            return Err(WorktreeError::TooLarge { path: self.full(file.path), size, limit });
        }
        self.untracked = self.untracked.saturating_add(size);
        if self.untracked > self.limits.untracked_in_all {
            let limit = self.limits.untracked_in_all;
            return Err(WorktreeError::TooMuch { path: self.full(file.path), limit });
        }
        Ok(())
    }
}

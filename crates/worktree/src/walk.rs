//! The walk over the work tree: raw bytes in, a stored tree out.

use std::ffi::CStr;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use git2::{ObjectType, Oid};
use rustix::fs::{FileType, Stat};
use rustix::io::Errno;

use crate::blob_ids::BlobIds;
use crate::conversion::Conversion;
use crate::excluded::{ExcludedBelow, os_path};
use crate::folder::{self, Listed};
use crate::modes::{Modes, is_program};
use crate::nested::{Nested, Territory};
use crate::stored_tree::{self, FILE, FOLDER, LINK, PROGRAM, TreeEntry};
use crate::{Limits, WorktreeError};

/// What a walk needs to know.
pub(crate) struct Walk<'w> {
    pub(crate) root: &'w Path,
    pub(crate) excluded: &'w ExcludedBelow,
    pub(crate) limits: Limits,
    pub(crate) blobs: BlobIds<'w>,
    untracked: u64,
    modes: Modes,
    as_staged: Vec<bool>,
}

/// What a walk found.
pub(crate) struct Walked {
    /// The tree of all files.
    pub(crate) files: Oid,
    /// Their permissions.
    pub(crate) modes: Modes,
    /// Per entry of the outer index: whether the file on disk is the very blob it names.
    pub(crate) as_staged: Vec<bool>,
}

impl<'w> Walk<'w> {
    pub(crate) fn new(
        root: &'w Path,
        excluded: &'w ExcludedBelow,
        limits: Limits,
        blobs: BlobIds<'w>,
    ) -> Self {
        let (modes, as_staged) = (Modes::default(), Vec::new());
        Self { root, excluded, limits, blobs, untracked: 0, modes, as_staged }
    }

    /// Walks everything below the root.
    pub(crate) fn run(mut self, outer: Territory<'_>) -> Result<Walked, WorktreeError> {
        self.as_staged = vec![false; outer.index.entries().len()];
        let conversion = Conversion::of_repository(outer.repository)?;
        let root = folder::open_root(self.root)?;
        let mut path = Vec::new();
        let files = self.folder(&root, &mut path, outer, conversion)?;
        Ok(Walked { files, modes: self.modes, as_staged: self.as_staged })
    }

    /// Walks one folder; `path` is empty or ends in `/`.
    fn folder(
        &mut self,
        at: &OwnedFd,
        path: &mut Vec<u8>,
        territory: Territory<'_>,
        conversion: Conversion,
    ) -> Result<Oid, WorktreeError> {
        let listing = folder::list(at)
            .map_err(|error| WorktreeError::io(&self.full(path), "listing", error))?;
        let nested =
            if listing.has_git && !path.is_empty() { Nested::open(&self.full(path)) } else { None };
        let territory = match &nested {
            Some(nested) => Territory {
                repository: &nested.repository,
                index: &nested.index,
                prefix: path.len(),
            },
            None => territory,
        };
        let conversion = if territory.is_outer() {
            let on_disk = listing.entries.iter().any(is_attributes);
            let objects = self.blobs.objects;
            let (full, index) = (self.full(path), territory.index);
            conversion.max(Conversion::of_folder(&full, on_disk, index, path, objects)?)
        } else {
            conversion
        };
        let mut entries = Vec::with_capacity(listing.entries.len());
        for listed in &listing.entries {
            let length = path.len();
            path.extend_from_slice(listed.name.to_bytes());
            if !self.excluded.covers(path) {
                let entry = match listed.kind {
                    FileType::Directory => self.below(at, listed, path, territory, conversion)?,
                    _ => self.file(at, &listed.name, path, territory, conversion)?,
                };
                entries.extend(entry.map(|(mode, id)| TreeEntry {
                    name: listed.name.to_bytes().to_vec(),
                    mode,
                    id,
                }));
            }
            path.truncate(length);
        }
        stored_tree::write(self.blobs.objects, &mut entries)
    }

    /// Goes into a folder, unless it is ignored and holds nothing tracked.
    fn below(
        &mut self,
        at: &OwnedFd,
        listed: &Listed,
        path: &mut Vec<u8>,
        territory: Territory<'_>,
        conversion: Conversion,
    ) -> Result<Option<(u32, Oid)>, WorktreeError> {
        let tracked = territory.tracks_folder(path);
        path.push(b'/');
        if !tracked && territory.ignores(path)? {
            return Ok(None);
        }
        match folder::open(at.as_fd(), &listed.name) {
            Ok(inside) => {
                let id = self.folder(&inside, path, territory, conversion)?;
                Ok(Some((FOLDER, id)))
            }
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
            Err(Errno::ACCESS) if !tracked => Ok(self.left_out(path)),
            Err(error) => Err(WorktreeError::io(&self.full(path), "opening", error)),
        }
    }

    /// Takes a file or a link; pipes, sockets and devices are no content.
    fn file(
        &mut self,
        at: &OwnedFd,
        name: &CStr,
        path: &[u8],
        territory: Territory<'_>,
        conversion: Conversion,
    ) -> Result<Option<(u32, Oid)>, WorktreeError> {
        let position = territory.position(path);
        if position.is_none() && territory.ignores(path)? {
            return Ok(None);
        }
        let stat = folder::stat(at.as_fd(), name)
            .map_err(|error| WorktreeError::io(&self.full(path), "reading", error))?;
        let Some(stat) = stat else { return Ok(None) };
        let found = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => self.regular(at, name, path, &stat, territory, conversion)?,
            FileType::Symlink => self.link(at, name, path)?,
            _ => None,
        };
        if let (Some(position), Some((_, id)), true) = (position, found, territory.is_outer()) {
            self.as_staged[position] = territory.index.entries()[position].id == id;
        }
        Ok(found)
    }

    fn regular(
        &mut self,
        at: &OwnedFd,
        name: &CStr,
        path: &[u8],
        stat: &Stat,
        territory: Territory<'_>,
        conversion: Conversion,
    ) -> Result<Option<(u32, Oid)>, WorktreeError> {
        let position = territory.position(path);
        let size = u64::try_from(stat.st_size).unwrap_or(0);
        if position.is_none() {
            self.count_untracked(path, size)?;
        }
        let id = match self.unread(path, stat, territory, conversion) {
            Some(id) => id,
            None => match self.blobs.read(at.as_fd(), name, path, stat) {
                Ok(Some(id)) => id,
                Ok(None) => return Ok(None),
                Err(WorktreeError::Io { source, .. })
                    if position.is_none()
                        && source.kind() == std::io::ErrorKind::PermissionDenied =>
                {
                    return Ok(self.left_out(path));
                }
                Err(error) => return Err(error),
            },
        };
        let bits = stat.st_mode & 0o7777;
        self.modes.note(path, bits);
        Ok(Some((if is_program(bits) { PROGRAM } else { FILE }, id)))
    }

    /// The id of a file that need not be read: an earlier walk did, or its index entry holds.
    fn unread(
        &self,
        path: &[u8],
        stat: &Stat,
        territory: Territory<'_>,
        conversion: Conversion,
    ) -> Option<Oid> {
        if let Some(id) = self.blobs.remembered(path, stat) {
            return Some(id);
        }
        // A nested repository keeps its blobs in a store of its own.
        if !territory.is_outer() {
            return None;
        }
        let entry = territory.index.find(path)?;
        let size = u64::try_from(stat.st_size).unwrap_or(0);
        let (repository, objects) = (territory.repository, self.blobs.objects);
        let holds = territory.index.still_holds(entry, stat)
            && conversion.leaves_alone(repository, objects, path, entry, size);
        holds.then_some(entry.id)
    }

    fn link(
        &self,
        at: &OwnedFd,
        name: &CStr,
        path: &[u8],
    ) -> Result<Option<(u32, Oid)>, WorktreeError> {
        let target = match rustix::fs::readlinkat(at, name, Vec::new()) {
            Ok(target) => target,
            Err(Errno::NOENT | Errno::INVAL) => return Ok(None),
            Err(error) => return Err(WorktreeError::io(&self.full(path), "reading", error)),
        };
        let id = self.blobs.objects.write(ObjectType::Blob, target.to_bytes())?;
        Ok(Some((LINK, id)))
    }

    fn count_untracked(&mut self, path: &[u8], size: u64) -> Result<(), WorktreeError> {
        if size > self.limits.untracked_file {
            let limit = self.limits.untracked_file;
            return Err(WorktreeError::TooLarge { path: self.full(path), size, limit });
        }
        self.untracked = self.untracked.saturating_add(size);
        if self.untracked > self.limits.untracked_in_all {
            let limit = self.limits.untracked_in_all;
            return Err(WorktreeError::TooMuch { path: self.full(path), limit });
        }
        Ok(())
    }

    /// What we may not read, an agent of the same user cannot have changed.
    fn left_out(&self, path: &[u8]) -> Option<(u32, Oid)> {
        tracing::warn!(path = %self.full(path).display(), "unreadable and untracked, left out");
        None
    }

    fn full(&self, path: &[u8]) -> std::path::PathBuf {
        self.root.join(os_path(path))
    }
}

fn is_attributes(listed: &Listed) -> bool {
    listed.name.to_bytes() == b".gitattributes"
}

//! The walk over the work tree: raw bytes in, a stored tree out.

use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use git2::Oid;
use rustix::fs::FileType;
use rustix::io::Errno;

use crate::blob_ids::BlobIds;
use crate::conversion::Conversion;
use crate::excluded::{ExcludedBelow, os_path};
use crate::folder::{self, Listed, Listing};
use crate::left_out::{LeftOut, Why};
use crate::modes::Modes;
use crate::nested::{Nested, Territory};
use crate::stored_tree::{self, FOLDER, TreeEntry};
use crate::{Limits, WorktreeError};

/// What a walk needs to know, and what it has found so far.
pub(crate) struct Walk<'w> {
    root: &'w Path,
    excluded: &'w ExcludedBelow,
    pub(crate) limits: Limits,
    pub(crate) blobs: BlobIds<'w>,
    /// Bytes of all untracked files so far.
    pub(crate) untracked: u64,
    pub(crate) modes: Modes,
    folder_modes: Modes,
    /// The nested repositories that count as such; `None` where all do.
    repositories: Option<&'w LeftOut>,
    pub(crate) left_out: LeftOut,
    pub(crate) as_staged: Vec<bool>,
}

/// What a walk found.
pub(crate) struct Walked {
    /// The tree of all files.
    pub(crate) files: Oid,
    /// Their permissions.
    pub(crate) modes: Modes,
    /// The permissions of all folders.
    pub(crate) folder_modes: Modes,
    /// What stands beside them.
    pub(crate) left_out: LeftOut,
    /// Per entry of the outer index: whether the file on disk is the very blob it names.
    pub(crate) as_staged: Vec<bool>,
}

/// The folder that the walk is in.
pub(crate) struct Here<'h> {
    pub(crate) at: BorrowedFd<'h>,
    pub(crate) territory: &'h Territory<'h>,
    pub(crate) conversion: Conversion,
}

/// Mode and id of what was taken; `None` for what is left out.
pub(crate) type Taken = Option<(u32, Oid)>;

impl<'w> Walk<'w> {
    pub(crate) fn new(
        root: &'w Path,
        excluded: &'w ExcludedBelow,
        limits: Limits,
        blobs: BlobIds<'w>,
        repositories: Option<&'w LeftOut>,
    ) -> Self {
        Self {
            root,
            excluded,
            limits,
            blobs,
            untracked: 0,
            modes: Modes::default(),
            folder_modes: Modes::default(),
            repositories,
            left_out: LeftOut::default(),
            as_staged: Vec::new(),
        }
    }

    /// Walks everything below the root.
    pub(crate) fn run(mut self, outer: &Territory<'_>) -> Result<Walked, WorktreeError> {
        self.as_staged = vec![false; outer.index.entries().len()];
        let conversion = Conversion::of_repository(outer.repository)?;
        let root = folder::open_root(self.root)?;
        let files = self.folder(root, outer, conversion, &mut Vec::new())?;
        let Self { modes, folder_modes, left_out, as_staged, .. } = self;
        Ok(Walked { files, modes, folder_modes, left_out, as_staged })
    }

    /// Walks one folder; `path` is empty or ends in `/`.
    fn folder(
        &mut self,
        opened: OwnedFd,
        territory: &Territory<'_>,
        conversion: Conversion,
        path: &mut Vec<u8>,
    ) -> Result<Oid, WorktreeError> {
        let failed = |error| WorktreeError::io(&self.full(path), "listing", error);
        let bits = rustix::fs::fstat(&opened).map_err(failed)?.st_mode & 0o7777;
        let Listing { folder, entries, has_git } = folder::list(opened).map_err(failed)?;
        let at = folder.fd().map_err(failed)?;
        self.folder_modes.note_folder(path.strip_suffix(b"/").unwrap_or(path), bits);
        let nested = if has_git && !path.is_empty() { self.nested(path) } else { None };
        match &nested {
            Some(nested) => {
                let (repository, index) = (&nested.repository, &nested.index);
                let territory = &Territory::new(repository, index, path.len());
                self.entries(&Here { at, territory, conversion }, entries, path)
            }
            None if territory.is_outer() => {
                let conversion = conversion.max(self.conversion(territory, &entries, path)?);
                self.entries(&Here { at, territory, conversion }, entries, path)
            }
            None => self.entries(&Here { at, territory, conversion }, entries, path),
        }
    }

    fn nested(&mut self, path: &[u8]) -> Option<Nested> {
        let own = [path, b".git"].concat();
        self.left_out.note(&own, Why::Repository);
        let counts = self.repositories.is_none_or(|known| known.has(&own, Why::Repository));
        if counts { Nested::open(&self.full(path)) } else { None }
    }

    fn conversion(
        &self,
        territory: &Territory<'_>,
        entries: &[Listed],
        path: &[u8],
    ) -> Result<Conversion, WorktreeError> {
        let on_disk = entries.iter().any(|listed| listed.name.to_bytes() == b".gitattributes");
        let (objects, index) = (self.blobs.objects, territory.index);
        Conversion::of_folder(&self.full(path), on_disk, index, path, objects)
    }

    fn entries(
        &mut self,
        here: &Here<'_>,
        listed: Vec<Listed>,
        path: &mut Vec<u8>,
    ) -> Result<Oid, WorktreeError> {
        let mut entries = Vec::with_capacity(listed.len());
        for listed in listed {
            let length = path.len();
            path.extend_from_slice(listed.name.to_bytes());
            if !self.excluded.covers(path) {
                let taken = match listed.kind {
                    FileType::Directory => self.below(here, &listed, path)?,
                    _ => self.file(here, &listed.name, path)?,
                };
                let name = listed.name.into_bytes();
                entries.extend(taken.map(|(mode, id)| TreeEntry { name, mode, id }));
            }
            path.truncate(length);
        }
        stored_tree::write(self.blobs.objects, &mut entries)
    }

    /// Goes into a folder, unless it is ignored and holds nothing tracked.
    fn below(
        &mut self,
        here: &Here<'_>,
        listed: &Listed,
        path: &mut Vec<u8>,
    ) -> Result<Taken, WorktreeError> {
        let is_submodule = here.territory.position(path).is_some();
        path.push(b'/');
        let territory = &here.territory.inside(path);
        let tracked = is_submodule || territory.has_tracked();
        if !tracked && territory.ignores(path)? {
            self.left_out.note(path, Why::Ignored);
            return Ok(None);
        }
        match folder::open(here.at, &listed.name) {
            Ok(inside) => {
                Ok(Some((FOLDER, self.folder(inside, territory, here.conversion, path)?)))
            }
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
            Err(error) => Err(WorktreeError::io(&self.full(path), "opening", error)),
        }
    }

    pub(crate) fn full(&self, path: &[u8]) -> PathBuf {
        self.root.join(os_path(path))
    }
}

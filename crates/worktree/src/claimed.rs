//! Whether a few paths differ from a snapshot, without a walk.

use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};

use git2::{ObjectType, Oid};
use rustix::fs::FileType;
use rustix::io::Errno;
use tribunal_verify::RepoPath;

use crate::disk::c_name;
use crate::excluded::{ExcludedBelow, os_path};
use crate::modes::is_program;
use crate::nested::read_index;
use crate::objects::Objects;
use crate::open::{Kind, Session};
use crate::stored_tree::{self, FILE, LINK, PROGRAM};
use crate::{Excluded, Snapshot, Worktree, WorktreeError, folder};

impl Worktree {
    /// Gives those of some paths whose file or link differs from a snapshot's, in bytes, kind or
    /// executable bit; in their order.
    ///
    /// Costs as much as the paths do, however large the tree is: only they are read, and nothing is
    /// stored. As in [`Worktree::evidence`], dirt of before the snapshot does not count; what was
    /// staged, committed or is new since does; excluded and ignored files do not. Folders, paths out
    /// of the tree and what no snapshot holds never differ. A first look at claims: what else
    /// changed, only two snapshots say.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Io`] with the path, [`WorktreeError::BrokenSnapshot`],
    /// [`WorktreeError::Git`].
    pub fn changed_among(
        &self,
        paths: &[RepoPath],
        since: &Snapshot,
        excluded: &Excluded,
    ) -> Result<Vec<RepoPath>, WorktreeError> {
        let session = self.session()?;
        let objects = session.objects()?;
        let now = Now {
            root: folder::open_root(self.root())?,
            trusts_modes: session.trusts_modes()?,
            excluded: session.below(excluded)?,
            session: &session,
            objects: &objects,
        };
        let mut changed = Vec::new();
        for path in paths {
            if now.differs(path.as_bytes(), since)? {
                changed.push(path.clone());
            }
        }
        Ok(changed)
    }
}

/// The present tree.
struct Now<'n> {
    root: OwnedFd,
    trusts_modes: bool,
    excluded: ExcludedBelow,
    session: &'n Session<'n>,
    objects: &'n Objects<'n>,
}

/// What stands at a path.
enum Standing {
    Nothing,
    Link(Vec<u8>),
    File { mode: u32, size: usize, file: OwnedFd },
}

impl Now<'_> {
    fn differs(&self, path: &[u8], since: &Snapshot) -> Result<bool, WorktreeError> {
        let is_inside = |part: &[u8]| !matches!(part, b"" | b"." | b".." | b".git");
        if !path.split(|byte| *byte == b'/').all(is_inside) || self.excluded.covers(path) {
            return Ok(false);
        }
        let was = stored_tree::find(self.objects, since.stored.files, path)?;
        let is = self.standing(path).map_err(|error| {
            WorktreeError::io(&self.session.root.join(os_path(path)), "reading", error)
        })?;
        match (was.filter(|entry| !entry.is_folder()), is) {
            (None, Standing::Nothing) => Ok(false),
            (None, Standing::Link(_) | Standing::File { .. }) => self.is_seen(path),
            (Some(_), Standing::Nothing) => Ok(true),
            (Some(was), Standing::Link(target)) => {
                Ok(was.mode != LINK || was.id != self.hashed(&target)?)
            }
            (Some(was), Standing::File { mode, size, file }) => {
                let same_kind = was.mode == mode || !self.trusts_modes && was.mode != LINK;
                if !same_kind || self.objects.size(was.id) != Some(size) {
                    return Ok(true);
                }
                let mut bytes = Vec::with_capacity(size + 1);
                File::from(file).read_to_end(&mut bytes).map_err(|error| {
                    WorktreeError::io(&self.session.root.join(os_path(path)), "reading", error)
                })?;
                Ok(was.id != self.hashed(&bytes)?)
            }
        }
    }

    /// Opens each folder of the path without following links.
    fn standing(&self, path: &[u8]) -> Result<Standing, Errno> {
        let mut parts: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
        let Some(name) = parts.pop().map(c_name) else { return Ok(Standing::Nothing) };
        let mut above: Option<OwnedFd> = None;
        for part in parts {
            match folder::open(above.as_ref().unwrap_or(&self.root).as_fd(), &c_name(part)) {
                Ok(folder) => above = Some(folder),
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(Standing::Nothing),
                Err(error) => return Err(error),
            }
        }
        let above = above.as_ref().unwrap_or(&self.root).as_fd();
        let Some(stat) = folder::stat(above, &name)? else { return Ok(Standing::Nothing) };
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => {
                let mode = if is_program(stat.st_mode) { PROGRAM } else { FILE };
                let size = usize::try_from(stat.st_size).unwrap_or(0);
                Ok(Standing::File { mode, size, file: folder::open_file(above, &name)? })
            }
            FileType::Symlink => {
                let target = rustix::fs::readlinkat(above, &name, Vec::new())?;
                Ok(Standing::Link(target.into_bytes()))
            }
            _ => Ok(Standing::Nothing),
        }
    }

    /// Whether a file that no snapshot holds counts: ignored ones do not, unless git tracks them.
    fn is_seen(&self, path: &[u8]) -> Result<bool, WorktreeError> {
        let repository = &self.session.repository;
        let ignored = repository.is_path_ignored(os_path(path));
        if !ignored.map_err(|error| self.session.refused(&error))? {
            return Ok(true);
        }
        let Kind::Git(_) = self.session.kind else { return Ok(false) };
        Ok(read_index(repository)?.is_some_and(|index| index.file.find(path).is_some()))
    }

    fn hashed(&self, bytes: &[u8]) -> Result<Oid, WorktreeError> {
        Oid::hash_object(ObjectType::Blob, bytes).map_err(|error| self.session.refused(&error))
    }
}

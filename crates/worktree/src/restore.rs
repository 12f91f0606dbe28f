//! The way back to a snapshot.

use std::collections::BTreeSet;

use git2::ObjectType;
use tribunal_verify::RepoPath;

use crate::closed::{close_again, open_up};
use crate::compare::{Difference, Differing};
use crate::disk::Disk;
use crate::excluded::ExcludedBelow;
use crate::head::{MovedRef, Refs};
use crate::index_file::IndexFile;
use crate::index_lock::IndexLock;
use crate::modes::Modes;
use crate::objects::Objects;
use crate::open::{Kind, Session};
use crate::stored_tree::{LINK, PROGRAM};
use crate::{Excluded, Snapshot, Worktree, WorktreeError};

/// What a restore did, and what it left alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restored {
    /// The files and links that were written, removed or given their permissions back.
    pub paths: Vec<RepoPath>,
    /// Refs that moved since the snapshot and stay where they are (D46).
    pub moved_refs: Vec<MovedRef>,
    /// What is not as it was: the `.git` of nested repositories and the devices that were made or
    /// removed since, pipes and sockets that were removed, and folders of another owner with other
    /// permissions.
    pub not_restored: Vec<RepoPath>,
}

impl Worktree {
    /// Brings the tree back to a snapshot: files, links, deletions, empty folders, permissions of
    /// files and folders, the index byte for byte, HEAD and its branch. Pipes and sockets made since
    /// are removed.
    ///
    /// `left` is the snapshot of the state that is replaced. HEAD and the branch move by
    /// compare-and-swap: they must stand where `left` has them, or where `to` has them already.
    /// Nothing is followed out of the tree. Files are never touched that are excluded, ignored now
    /// or were ignored when `to` was taken; ignore rules outside of the tree (`info/exclude`,
    /// settings) stay as they are. Files that are right already keep their time stamps.
    /// Interrupted, it can be called again.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::RefMoved`] and [`WorktreeError::Locked`] before anything was changed,
    /// [`WorktreeError::Occupied`] where an ignored file stands in the place of a folder or file.
    pub fn restore(
        &self,
        to: &Snapshot,
        left: &Snapshot,
        excluded: &Excluded,
    ) -> Result<Restored, WorktreeError> {
        let session = self.session()?;
        let restored = session.restore(to, left, &session.below(excluded)?);
        // The walk stored objects that no ref names.
        session.forget();
        restored
    }
}

impl Session<'_> {
    fn restore(
        &self,
        to: &Snapshot,
        left: &Snapshot,
        excluded: &ExcludedBelow,
    ) -> Result<Restored, WorktreeError> {
        let objects = self.objects()?;
        match self.kind {
            Kind::OwnStore(_) => self.restore_files(&objects, to, &IndexFile::default(), excluded),
            Kind::Git(_) => self.restore_repository(&objects, to, left, excluded),
        }
    }

    fn restore_repository(
        &self,
        objects: &Objects<'_>,
        to: &Snapshot,
        left: &Snapshot,
        excluded: &ExcludedBelow,
    ) -> Result<Restored, WorktreeError> {
        let lock = IndexLock::take(self.repository.path(), to.name.run())?;
        let move_head = self.plan_head(objects, to, left)?;
        let index = to.stored.read_index(objects)?;
        let restored = self.restore_files(objects, to, &index, excluded)?;
        match to.stored.index {
            Some((blob, mtime)) => {
                lock.replace(objects.read(blob, ObjectType::Blob)?.data(), mtime)?;
            }
            None => lock.remove()?,
        }
        self.move_head(move_head)?;
        let now = Refs::read(&self.repository)?;
        let branch = to.stored.head.branch();
        let moved_refs = to.stored.read_refs(objects)?.moved(&now, branch);
        Ok(Restored { moved_refs, ..restored })
    }

    /// What is tracked is what the restored index says, and the restored ignore rules hold: they
    /// come first, so that no file which they hide is taken for the agent's and removed.
    pub(crate) fn restore_files(
        &self,
        objects: &Objects<'_>,
        to: &Snapshot,
        index: &IndexFile,
        excluded: &ExcludedBelow,
    ) -> Result<Restored, WorktreeError> {
        let target = to.stored.read_modes(objects)?;
        let beside = to.stored.read_left_out(objects)?;
        let beside = beside.as_ref();
        let folders = to.stored.read_folders(objects)?;
        if let (Some(beside), true) = (beside, folders.is_some()) {
            open_up(self.root, beside, excluded)?;
        }
        let mut touched = BTreeSet::new();
        let mut plan = self.plan(objects, to, index, beside, excluded)?;
        let rules = plan.rules_alone();
        if !rules.files.is_empty() {
            self.carry_out(objects, &rules, &target, &mut touched)?;
            plan = self.plan(objects, to, index, beside, excluded)?;
        }
        self.carry_out(objects, &plan.difference, &target, &mut touched)?;
        for (path, bits) in plan.permissions(objects, to, &target)? {
            Disk::open(self.root)?.set_permissions(&path, bits)?;
            touched.insert(path);
        }
        let mut stay = BTreeSet::new();
        if let Some(beside) = beside {
            self.restore_beside(beside, &plan.left_out, &mut touched, &mut stay)?;
        }
        // Folders that only a pipe held are empty now.
        let mut disk = Disk::open(self.root)?;
        for folder in plan.difference.folders_gone.iter().rev() {
            disk.remove_empty_folder(folder)?;
        }
        if let Some(folders) = &folders {
            stay.extend(close_again(self.root, objects, to, folders, excluded)?);
        }
        let paths = |set: BTreeSet<Vec<u8>>| set.into_iter().map(RepoPath::new).collect();
        Ok(Restored { paths: paths(touched), not_restored: paths(stay), moved_refs: Vec::new() })
    }

    /// Removes first, since a removed link or file may stand where a folder must be.
    fn carry_out(
        &self,
        objects: &Objects<'_>,
        difference: &Difference,
        modes: &Modes,
        touched: &mut BTreeSet<Vec<u8>>,
    ) -> Result<(), WorktreeError> {
        let mut disk = Disk::open(self.root)?;
        for file in difference.files.iter().filter(|file| file.new.is_none()) {
            disk.remove_file(&file.path)?;
        }
        for folder in difference.folders_gone.iter().rev() {
            disk.remove_empty_folder(folder)?;
        }
        for folder in &difference.folders_new {
            disk.make_folder(folder)?;
        }
        for file in &difference.files {
            put_back(objects, &mut disk, file, modes)?;
            touched.insert(file.path.clone());
        }
        Ok(())
    }
}

pub(crate) fn put_back(
    objects: &Objects<'_>,
    disk: &mut Disk,
    file: &Differing,
    modes: &Modes,
) -> Result<(), WorktreeError> {
    let Some(new) = file.new else { return Ok(()) };
    let bits = modes.of(&file.path, new.mode == PROGRAM);
    match file.old {
        Some(old) if old.id == new.id && old.mode != LINK && new.mode != LINK => {
            return disk.set_permissions(&file.path, bits);
        }
        Some(_) | None => {}
    }
    let content = objects.read(new.id, ObjectType::Blob)?;
    if new.mode == LINK {
        disk.write_link(&file.path, content.data())
    } else {
        disk.write_file(&file.path, content.data(), bits)
    }
}

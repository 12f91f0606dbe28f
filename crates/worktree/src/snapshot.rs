//! A kept state of the work tree.

use std::collections::BTreeSet;

use git2::{ObjectType, Oid};

use crate::blob_ids::BlobIds;
use crate::compare::Difference;
use crate::excluded::ExcludedBelow;
use crate::head::{Refs, tip};
use crate::index_file::{GITLINK, IndexFile, Staged};
use crate::modes::Modes;
use crate::name::is_part;
use crate::nested::{Territory, bad_index, read_index};
use crate::objects::Objects;
use crate::open::{Kind, Session};
use crate::stored_commit::Stored;
use crate::stored_tree::{self, FILE, FOLDER, TreeEntry};
use crate::walk::{Walk, Walked};
use crate::{CommitId, Excluded, Head, Limits, SnapshotName, TreeId, Worktree, WorktreeError};

/// The work tree at one moment: files, index and HEAD, kept under `refs/tribunal/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub(crate) name: SnapshotName,
    pub(crate) commit: Oid,
    pub(crate) stored: Stored,
}

/// In which respects two snapshots differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Drift {
    /// A file's path, mode or bytes; empty folders do not count.
    pub files: bool,
    /// HEAD, or the commit of its branch.
    pub head: bool,
    /// What a commit would take from the index; refreshed stat data do not count.
    pub index: bool,
}

impl Drift {
    /// Whether nothing differs.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }
}

impl Snapshot {
    /// Its name.
    pub fn name(&self) -> &SnapshotName {
        &self.name
    }

    /// All its files; equal ids mean an equal work tree.
    pub fn tree(&self) -> TreeId {
        TreeId(self.stored.files)
    }

    /// Where HEAD stood.
    pub fn head(&self) -> &Head {
        &self.stored.head
    }

    /// The commit that holds it; equal for equal states of the same name.
    pub fn commit(&self) -> CommitId {
        CommitId(self.commit)
    }
}

impl Worktree {
    /// Keeps the present state under a name; a snapshot that had the name is replaced.
    ///
    /// Files are read as raw bytes, links as links. Ignored files are left out unless git tracks
    /// them; files of submodules and nested repositories are taken, their `.git` is not.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::TooLarge`] and [`WorktreeError::TooMuch`] for untracked files beyond the
    /// limits, [`WorktreeError::UnsupportedFormat`] for a split index, [`WorktreeError::Io`] and
    /// [`WorktreeError::Git`] with the path.
    pub fn snapshot(
        &self,
        name: &SnapshotName,
        excluded: &Excluded,
        limits: &Limits,
    ) -> Result<Snapshot, WorktreeError> {
        let session = self.session()?;
        let taken = session.take(name, &session.below(excluded)?, *limits);
        if taken.is_err() {
            session.forget();
        }
        taken
    }

    /// Reads a snapshot that was kept earlier.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::UnknownSnapshot`], [`WorktreeError::BrokenSnapshot`].
    pub fn load(&self, name: &SnapshotName) -> Result<Snapshot, WorktreeError> {
        let session = self.session()?;
        let Some(commit) = tip(&session.repository, &name.reference())? else {
            let path = self.root().to_owned();
            return Err(WorktreeError::UnknownSnapshot { path, name: name.to_string() });
        };
        let stored = Stored::read(&session.objects()?, commit)?;
        Ok(Snapshot { name: name.clone(), commit, stored })
    }

    /// The snapshots of a run, in no particular order.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Git`], [`WorktreeError::InvalidName`].
    pub fn snapshots(&self, run: &str) -> Result<Vec<SnapshotName>, WorktreeError> {
        if !is_part(run) {
            return Err(WorktreeError::InvalidName { name: run.to_owned() });
        }
        let session = self.session()?;
        let refused = |error: git2::Error| session.refused(&error);
        let pattern = format!("refs/tribunal/{run}/*");
        let mut names = Vec::new();
        for reference in session.repository.references_glob(&pattern).map_err(refused)? {
            let reference = reference.map_err(refused)?;
            let name = std::str::from_utf8(reference.name_bytes()).ok();
            names.extend(name.and_then(SnapshotName::from_reference));
        }
        Ok(names)
    }

    /// Drops all snapshots of a run, and gives their number; git collects their objects later.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Git`], [`WorktreeError::InvalidName`].
    pub fn drop_snapshots(&self, run: &str) -> Result<usize, WorktreeError> {
        let names = self.snapshots(run)?;
        let session = self.session()?;
        let refused = |error: git2::Error| session.refused(&error);
        for name in &names {
            let mut reference =
                session.repository.find_reference(&name.reference()).map_err(refused)?;
            reference.delete().map_err(refused)?;
        }
        session.forget();
        Ok(names.len())
    }

    /// Says in which respects the tree changed between two snapshots (D43).
    ///
    /// # Errors
    ///
    /// [`WorktreeError::BrokenSnapshot`].
    pub fn drift(&self, before: &Snapshot, after: &Snapshot) -> Result<Drift, WorktreeError> {
        let session = self.session()?;
        let objects = session.objects()?;
        let (before, after) = (&before.stored, &after.stored);
        let difference = Difference::between(&objects, before.files, after.files)?;
        Ok(Drift {
            files: !difference.files.is_empty(),
            head: before.head != after.head,
            index: before.index != after.index
                && staged(&before.read_index(&objects)?) != staged(&after.read_index(&objects)?),
        })
    }
}

impl Session<'_> {
    fn take(
        &self,
        name: &SnapshotName,
        excluded: &ExcludedBelow,
        limits: Limits,
    ) -> Result<Snapshot, WorktreeError> {
        let objects = self.objects()?;
        let read = match self.kind {
            Kind::Git(_) => read_index(&self.repository)?,
            Kind::OwnStore(_) => None,
        };
        let index_blob = match &read {
            Some(read) => Some(objects.write(ObjectType::Blob, &read.bytes)?),
            None => None,
        };
        let index = read.map_or_else(IndexFile::default, |read| read.file);
        let walked = self.walk(&objects, excluded, limits, &index)?;
        let (head, refs) = match self.kind {
            Kind::Git(_) => (Head::read(&self.repository)?, Refs::read(&self.repository)?),
            Kind::OwnStore(_) => (Head::Absent, Refs::default()),
        };
        let stored = Stored {
            files: walked.files,
            index: index_blob.map(|blob| (blob, index.mtime)),
            modes: objects.write(ObjectType::Blob, &walked.modes.encode())?,
            refs: objects.write(ObjectType::Blob, &refs.encode())?,
            head,
        };
        let kept = self.keep_staged(&objects, &index, &walked.as_staged, &stored.head)?;
        let commit = stored.write(&objects, name, kept)?;
        self.repository
            .reference(&name.reference(), commit, true, "snapshot")
            .map_err(|error| self.refused(&error))?;
        Ok(Snapshot { name: name.clone(), commit, stored })
    }

    pub(crate) fn walk(
        &self,
        objects: &Objects<'_>,
        excluded: &ExcludedBelow,
        limits: Limits,
        index: &IndexFile,
    ) -> Result<Walked, WorktreeError> {
        let blobs = BlobIds::new(self.root, objects, self.remembered);
        let outer = Territory::new(&self.repository, index, 0);
        Walk::new(self.root, excluded, limits, blobs).run(&outer)
    }

    /// Makes a tree that names the staged blobs which neither a file on disk nor the commit holds,
    /// so that the restored index never points to something that was collected meanwhile.
    fn keep_staged(
        &self,
        objects: &Objects<'_>,
        index: &IndexFile,
        as_staged: &[bool],
        head: &Head,
    ) -> Result<Oid, WorktreeError> {
        let committed = head
            .commit()
            .and_then(|commit| self.repository.find_commit(commit.0).and_then(|it| it.tree()).ok());
        let is_committed = |path: &[u8], id: Oid| {
            let path = crate::excluded::os_path(path);
            let entry = committed.as_ref().and_then(|tree| tree.get_path(path).ok());
            entry.is_some_and(|entry| entry.id() == id)
        };
        let mut kept = BTreeSet::new();
        for (entry, as_staged) in index.entries().iter().zip(as_staged) {
            let stands_elsewhere = *as_staged || entry.skip_worktree;
            let is_blob = entry.mode != GITLINK && entry.mode != FOLDER;
            if is_blob
                && !stands_elsewhere
                && !is_committed(index.path_of(entry), entry.id)
                && objects.has(entry.id)
            {
                kept.insert(entry.id);
            }
        }
        let mut entries: Vec<TreeEntry> = kept
            .into_iter()
            .map(|id| TreeEntry { name: id.to_string().into_bytes(), mode: FILE, id })
            .collect();
        stored_tree::write(objects, &mut entries)
    }
}

fn staged(index: &IndexFile) -> Vec<(&[u8], Staged)> {
    let entries = index.entries().iter();
    entries.map(|entry| (index.path_of(entry), entry.staged())).collect()
}

impl Stored {
    /// The index as it was; empty when there was none.
    pub(crate) fn read_index(&self, objects: &Objects<'_>) -> Result<IndexFile, WorktreeError> {
        let Some((blob, mtime)) = self.index else { return Ok(IndexFile::default()) };
        let bytes = objects.read(blob, ObjectType::Blob)?;
        IndexFile::read(bytes.data(), mtime)
            .map_err(|bad| bad_index(std::path::Path::new("index"), bad))
    }

    /// The permissions of its files.
    pub(crate) fn read_modes(&self, objects: &Objects<'_>) -> Result<Modes, WorktreeError> {
        let bytes = objects.read(self.modes, ObjectType::Blob)?;
        Modes::decode(bytes.data()).ok_or_else(|| objects.broken(self.modes, "no permissions"))
    }

    /// Where all refs stood.
    pub(crate) fn read_refs(&self, objects: &Objects<'_>) -> Result<Refs, WorktreeError> {
        let bytes = objects.read(self.refs, ObjectType::Blob)?;
        Refs::decode(bytes.data()).ok_or_else(|| objects.broken(self.refs, "no list of refs"))
    }
}

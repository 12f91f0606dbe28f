//! Takes a snapshot.

use std::collections::BTreeSet;

use git2::{ObjectType, Oid};

use crate::blob_ids::BlobIds;
use crate::excluded::{ExcludedBelow, os_path};
use crate::head::Refs;
use crate::index_file::{GITLINK, IndexFile};
use crate::left_out::LeftOut;
use crate::nested::{Territory, read_index};
use crate::objects::Objects;
use crate::open::{Kind, Session};
use crate::stored_commit::Stored;
use crate::stored_tree::{self, FILE, FOLDER, TreeEntry};
use crate::walk::{Walk, Walked};
use crate::{Head, Limits, Snapshot, SnapshotName, WorktreeError};

impl Session<'_> {
    pub(crate) fn take(
        &self,
        name: &SnapshotName,
        excluded: &ExcludedBelow,
        limits: Limits,
    ) -> Result<Snapshot, WorktreeError> {
        self.forget_what_was_lost()?;
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
        let walked = self.walk(&objects, excluded, limits, &index, None)?;
        let (head, refs) = match self.kind {
            Kind::Git(_) => (Head::read(&self.repository)?, Refs::read(&self.repository)?),
            Kind::OwnStore(_) => (Head::Absent, Refs::default()),
        };
        let stored = Stored {
            files: walked.files,
            index: index_blob.map(|blob| (blob, index.mtime)),
            modes: objects.write(ObjectType::Blob, &walked.modes.encode())?,
            folders: Some(objects.write(ObjectType::Blob, &walked.folder_modes.encode())?),
            left_out: Some(objects.write(ObjectType::Blob, &walked.left_out.encode())?),
            refs: objects.write(ObjectType::Blob, &refs.encode())?,
            head,
        };
        let kept = self.keep_staged(&objects, &index, &walked.as_staged, &stored.head)?;
        let commit = stored.write(&objects, name, kept)?;
        self.point(name, commit)?;
        Ok(Snapshot { name: name.clone(), commit, stored })
    }

    pub(crate) fn walk(
        &self,
        objects: &Objects<'_>,
        excluded: &ExcludedBelow,
        limits: Limits,
        index: &IndexFile,
        repositories: Option<&LeftOut>,
    ) -> Result<Walked, WorktreeError> {
        let blobs = BlobIds::new(self.root, objects, self.remembered);
        let outer = Territory::new(&self.repository, index, 0);
        Walk::new(self.root, excluded, limits, blobs, repositories).run(&outer)
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
            let entry = committed.as_ref().and_then(|tree| tree.get_path(os_path(path)).ok());
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

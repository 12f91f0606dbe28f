//! How far git knows a change.

use git2::{Oid, Repository, Tree};
use tribunal_verify::Presence;

use crate::excluded::os_path;
use crate::index_file::{GITLINK, IndexFile};
use crate::objects::Objects;
use crate::{Snapshot, WorktreeError};

/// Index and commit of both snapshots.
pub(crate) struct GitSides<'r> {
    repository: &'r Repository,
    before: Side<'r>,
    after: Side<'r>,
}

struct Side<'r> {
    index: IndexFile,
    committed: Option<Tree<'r>>,
}

impl<'r> GitSides<'r> {
    pub(crate) fn new(
        repository: &'r Repository,
        objects: &Objects<'_>,
        before: &Snapshot,
        after: &Snapshot,
    ) -> Result<Self, WorktreeError> {
        let side = |snapshot: &Snapshot| {
            let commit = snapshot.stored.head.commit();
            let committed = commit.map(|it| repository.find_commit(it.0).and_then(|it| it.tree()));
            let committed = committed
                .transpose()
                .map_err(|error| WorktreeError::git(repository.path(), &error))?;
            Ok(Side { index: snapshot.stored.read_index(objects)?, committed })
        };
        Ok(Self { repository, before: side(before)?, after: side(after)? })
    }

    /// The furthest that a change at the path got.
    pub(crate) fn presence(&self, path: &[u8]) -> Presence {
        if self.before.committed_at(path) != self.after.committed_at(path) {
            Presence::Committed
        } else if self.before.staged_at(self.repository, path)
            != self.after.staged_at(self.repository, path)
        {
            Presence::Staged
        } else if self.after.tracks(path) || self.before.tracks(path) {
            Presence::Tracked
        } else {
            Presence::Untracked
        }
    }
}

impl Side<'_> {
    fn committed_at(&self, path: &[u8]) -> Option<(Oid, i32)> {
        let entry = self.committed.as_ref()?.get_path(os_path(path)).ok()?;
        Some((entry.id(), entry.filemode()))
    }

    /// A sparse index names a whole folder in one entry, whose tree says the rest; git may write
    /// the same index with the folder's files one by one at any time.
    fn staged_at(&self, repository: &Repository, path: &[u8]) -> Option<(Oid, u32)> {
        if let Some(entry) = self.index.find(path) {
            return Some((entry.id, entry.mode));
        }
        let (folder, end) = self.index.sparse_folder_of(path)?;
        let tree = repository.find_tree(folder.id).ok()?;
        let entry = tree.get_path(os_path(&path[end..])).ok()?;
        Some((entry.id(), u32::try_from(entry.filemode()).ok()?))
    }

    /// A file of a submodule counts as tracked.
    fn tracks(&self, path: &[u8]) -> bool {
        if self.index.find(path).is_some() || self.index.sparse_folder_of(path).is_some() {
            return true;
        }
        let folders = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let mut folders = folders.map(|(at, _)| &path[..at]);
        folders.any(|folder| self.index.find(folder).is_some_and(|entry| entry.mode == GITLINK))
    }
}

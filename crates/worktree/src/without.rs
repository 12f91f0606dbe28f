//! The tree as it would be without some of the changes.

use std::collections::BTreeMap;

use git2::{ObjectType, Oid};
use tribunal_verify::{Hunk, Piece};

use crate::compare::{Difference, Stored};
use crate::hunks::{hunks, without_hunks};
use crate::objects::Objects;
use crate::open::Session;
use crate::stored_tree::{self, FOLDER, TreeEntry};
use crate::{Snapshot, TreeId, Worktree, WorktreeError};

/// A path, and what becomes of it; nothing removes it.
type Edit = (Vec<u8>, Option<Stored>);

impl Worktree {
    /// Makes the tree of `after` with some of the changes since `before` taken back, and gives it. No
    /// ref names it, so that git may collect it after some days.
    ///
    /// A piece without hunks is taken back as a whole path: what is new goes, what is gone returns.
    /// Hunks are those of [`Worktree::evidence`] between the same snapshots; one that is not there is
    /// passed over.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::BrokenSnapshot`], [`WorktreeError::Git`].
    pub fn without(
        &self,
        before: &Snapshot,
        after: &Snapshot,
        pieces: &[Piece],
    ) -> Result<TreeId, WorktreeError> {
        let session = self.session()?;
        let objects = session.objects()?;
        let difference = Difference::between(&objects, before.stored.files, after.stored.files)?;
        let mut edits: Vec<Edit> = Vec::new();
        for piece in pieces {
            let path = piece.path.as_bytes();
            let differing = difference.files.iter().find(|file| file.path == path);
            let Some(differing) = differing else { continue };
            let back = match (differing.old, differing.new, &piece.hunks) {
                (Some(old), Some(new), Some(taken)) => {
                    Some(session.hunks_back(&objects, old, new, taken)?)
                }
                (old, _, _) => old,
            };
            edits.push((path.to_vec(), back));
        }
        let tree = edited(&objects, Some(after.stored.files), &edits)?;
        Ok(TreeId(match tree {
            Some(tree) => tree,
            None => stored_tree::write(&objects, &mut [])?,
        }))
    }
}

impl Session<'_> {
    fn hunks_back(
        &self,
        objects: &Objects<'_>,
        old: Stored,
        new: Stored,
        taken: &[Hunk],
    ) -> Result<Stored, WorktreeError> {
        let read = |side: Stored| objects.read(side.id, ObjectType::Blob);
        let (before, after) = (read(old)?, read(new)?);
        let (before, after) = (before.data(), after.data());
        let all = hunks(before, after).map_err(|error| self.refused(&error))?;
        let there: Vec<Hunk> = all.into_iter().filter(|hunk| taken.contains(hunk)).collect();
        let bytes = without_hunks(before, after, &there);
        Ok(Stored { mode: new.mode, id: objects.write(ObjectType::Blob, &bytes)? })
    }
}

/// A tree with these paths changed, which are relative to it; `None` when nothing is left in it.
fn edited(
    objects: &Objects<'_>,
    tree: Option<Oid>,
    edits: &[Edit],
) -> Result<Option<Oid>, WorktreeError> {
    let mut entries: BTreeMap<Vec<u8>, TreeEntry> = BTreeMap::new();
    if let Some(tree) = tree {
        let read = stored_tree::read(objects, tree)?.into_iter();
        entries.extend(read.map(|entry| (entry.name.clone(), entry)));
    }
    let mut below: BTreeMap<Vec<u8>, Vec<Edit>> = BTreeMap::new();
    for (path, becomes) in edits {
        match path.iter().position(|byte| *byte == b'/') {
            Some(end) => {
                let rest = (path[end + 1..].to_vec(), *becomes);
                below.entry(path[..end].to_vec()).or_default().push(rest);
            }
            None => {
                // A folder that took the file's name goes with what is in it, path by path.
                entries.retain(|name, entry| name != path || entry.is_folder());
                if let Some(Stored { mode, id }) = *becomes {
                    entries.insert(path.clone(), TreeEntry { name: path.clone(), mode, id });
                }
            }
        }
    }
    for (name, edits) in below {
        let inside = entries.get(&name).filter(|entry| entry.is_folder()).map(|entry| entry.id);
        match edited(objects, inside, &edits)? {
            Some(id) => {
                entries.insert(name.clone(), TreeEntry { name, mode: FOLDER, id });
            }
            // A file that took the folder's name stays.
            None => entries.retain(|known, entry| *known != name || !entry.is_folder()),
        }
    }
    if entries.is_empty() {
        return Ok(None);
    }
    let mut entries: Vec<TreeEntry> = entries.into_values().collect();
    stored_tree::write(objects, &mut entries).map(Some)
}

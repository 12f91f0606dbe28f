//! Brings changes that were made in one work tree over to another.

use std::collections::BTreeSet;
use std::path::Path;

use git2::{MergeOptions, Oid};
use tribunal_verify::RepoPath;

use crate::compare::{Difference, Differing};
use crate::disk::Disk;
use crate::excluded::os_path;
use crate::modes::Modes;
use crate::objects::Objects;
use crate::open::Session;
use crate::restore::put_back;
use crate::{Snapshot, TreeId, Worktree, WorktreeError};

/// Whether changes can be brought over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merge {
    /// They can; this is the tree with both sides' changes.
    Clean(TreeId),
    /// Both sides changed these paths in ways that exclude each other.
    Conflicts(Vec<RepoPath>),
}

impl Worktree {
    /// Merges raw files, three ways: what changed from `base` to `theirs` is brought into `ours`.
    /// Changes nothing; hunks of one file that do not touch each other are no conflict.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Git`], [`WorktreeError::BrokenSnapshot`].
    pub fn merge(
        &self,
        base: &Snapshot,
        ours: &Snapshot,
        theirs: &Snapshot,
    ) -> Result<Merge, WorktreeError> {
        let session = self.session()?;
        session.merged(base, ours, theirs).map_err(|error| session.refused(&error))
    }

    /// The paths to be made where something stands that no snapshot holds, such as an ignored file.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::BrokenSnapshot`].
    pub fn in_the_way(&self, from: &Snapshot, to: TreeId) -> Result<Vec<RepoPath>, WorktreeError> {
        self.session()?.in_the_way(from, to)
    }

    /// Writes what differs between `from`, as the work tree stands, and a tree that [`Self::merge`]
    /// gave; permissions are those of `theirs`. Index, HEAD and all other paths stay. Broken off, it
    /// can be called again. Gives the paths.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Io`] with the path.
    pub fn carry(
        &self,
        from: &Snapshot,
        to: TreeId,
        theirs: &Snapshot,
    ) -> Result<Vec<RepoPath>, WorktreeError> {
        let session = self.session()?;
        let objects = session.objects()?;
        let modes = theirs.stored.read_modes(&objects)?;
        let files = Difference::between(&objects, from.stored.files, to.0)?.files;
        write(session.root, &objects, &files, &modes)?;
        session.forget();
        Ok(files.into_iter().map(|file| RepoPath::new(file.path)).collect())
    }

    /// Writes a tree into a folder of its own, which holds `from` already, or nothing; files that do
    /// not differ keep their time stamps. What else lies there stays.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Io`] with the path.
    pub fn write_to(
        &self,
        folder: &Path,
        from: Option<TreeId>,
        to: TreeId,
    ) -> Result<(), WorktreeError> {
        let session = self.session()?;
        let objects = session.objects()?;
        let files = match from {
            Some(from) => Difference::between(&objects, from.0, to.0)?.files,
            None => Difference::from_nothing(&objects, to.0)?.files,
        };
        write(folder, &objects, &files, &Modes::default())
    }

    /// The paths in which a work tree that was half way from `from` to `to` differs from both.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::BrokenSnapshot`].
    pub fn strayed(
        &self,
        from: &Snapshot,
        to: TreeId,
        present: &Snapshot,
    ) -> Result<Vec<RepoPath>, WorktreeError> {
        let session = self.session()?;
        let objects = session.objects()?;
        let differing = |tree: Oid| {
            let files = Difference::between(&objects, tree, present.stored.files)?.files;
            Ok::<BTreeSet<Vec<u8>>, WorktreeError>(
                files.into_iter().map(|file| file.path).collect(),
            )
        };
        let (since, left) = (differing(from.stored.files)?, differing(to.0)?);
        let strayed = since.intersection(&left).filter(|path| !crate::disk::is_unfinished(path));
        Ok(strayed.map(|path| RepoPath::new(path.clone())).collect())
    }
}

impl Session<'_> {
    fn merged(
        &self,
        base: &Snapshot,
        ours: &Snapshot,
        theirs: &Snapshot,
    ) -> Result<Merge, git2::Error> {
        let tree = |snapshot: &Snapshot| self.repository.find_tree(snapshot.stored.files);
        let mut options = MergeOptions::new();
        options.fail_on_conflict(false).find_renames(true);
        let (base, ours, theirs) = (tree(base)?, tree(ours)?, tree(theirs)?);
        let mut index = self.repository.merge_trees(&base, &ours, &theirs, Some(&options))?;
        if !index.has_conflicts() {
            return Ok(Merge::Clean(TreeId(index.write_tree_to(&self.repository)?)));
        }
        let mut paths = BTreeSet::new();
        for conflict in index.conflicts()? {
            let conflict = conflict?;
            let sides = [conflict.our, conflict.their, conflict.ancestor];
            paths.extend(sides.into_iter().flatten().next().map(|entry| RepoPath::new(entry.path)));
        }
        Ok(Merge::Conflicts(paths.into_iter().collect()))
    }

    fn in_the_way(&self, ours: &Snapshot, to: TreeId) -> Result<Vec<RepoPath>, WorktreeError> {
        let objects = self.objects()?;
        let files = Difference::between(&objects, ours.stored.files, to.0)?.files;
        let gone: BTreeSet<&[u8]> = files
            .iter()
            .filter(|file| file.new.is_none())
            .map(|file| file.path.as_slice())
            .collect();
        let mut occupied = Vec::new();
        for file in files.iter().filter(|file| file.old.is_none()) {
            let full = self.root.join(os_path(&file.path));
            let is_there = std::fs::symlink_metadata(&full).is_ok();
            // A folder that empties to make room is no obstacle.
            let makes_room = gone.iter().any(|path| {
                path.strip_prefix(file.path.as_slice()).is_some_and(|rest| rest.starts_with(b"/"))
            });
            if is_there && !makes_room {
                occupied.push(RepoPath::new(file.path.clone()));
            }
        }
        Ok(occupied)
    }
}

/// Removes first, since a removed file may stand where a folder must be; folders that are empty then
/// go, as git has them go.
fn write(
    folder: &Path,
    objects: &Objects<'_>,
    files: &[Differing],
    modes: &Modes,
) -> Result<(), WorktreeError> {
    let mut disk = Disk::open(folder)?;
    for file in files.iter().filter(|file| file.new.is_none()) {
        disk.remove_file(&file.path)?;
        let mut above = file.path.as_slice();
        while let Some(end) = above.iter().rposition(|byte| *byte == b'/') {
            above = &above[..end];
            disk.remove_empty_folder(above)?;
        }
    }
    for file in files {
        put_back(objects, &mut disk, file, modes)?;
    }
    Ok(())
}

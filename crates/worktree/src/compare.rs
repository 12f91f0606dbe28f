//! Path by path, what differs between two stored trees.

use std::collections::BTreeMap;

use git2::Oid;

use crate::WorktreeError;
use crate::objects::Objects;
use crate::stored_tree::{self, TreeEntry};

/// The difference of two stored trees.
#[derive(Debug, Default)]
pub(crate) struct Difference {
    /// Files and links that differ, by path.
    pub(crate) files: Vec<Differing>,
    /// Folders of the old tree alone, outer ones first.
    pub(crate) folders_gone: Vec<Vec<u8>>,
    /// Folders of the new tree alone, outer ones first.
    pub(crate) folders_new: Vec<Vec<u8>>,
}

/// A file or link that is not the same in both.
#[derive(Debug, Clone)]
pub(crate) struct Differing {
    pub(crate) path: Vec<u8>,
    pub(crate) old: Option<Stored>,
    pub(crate) new: Option<Stored>,
}

/// Mode and blob of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) mode: u32,
    pub(crate) id: Oid,
}

impl Difference {
    pub(crate) fn between(
        objects: &Objects<'_>,
        old: Oid,
        new: Oid,
    ) -> Result<Self, WorktreeError> {
        let mut difference = Self::default();
        let mut path = Vec::new();
        difference.compare(objects, Some(old), Some(new), &mut path)?;
        difference.files.sort_by(|left, right| left.path.cmp(&right.path));
        Ok(difference)
    }

    /// Every file of a tree as if it were new.
    pub(crate) fn from_nothing(objects: &Objects<'_>, new: Oid) -> Result<Self, WorktreeError> {
        let mut difference = Self::default();
        difference.compare(objects, None, Some(new), &mut Vec::new())?;
        Ok(difference)
    }

    /// Only trees with different ids are read.
    fn compare(
        &mut self,
        objects: &Objects<'_>,
        old: Option<Oid>,
        new: Option<Oid>,
        path: &mut Vec<u8>,
    ) -> Result<(), WorktreeError> {
        if old == new {
            return Ok(());
        }
        let mut names: BTreeMap<Vec<u8>, [Option<TreeEntry>; 2]> = BTreeMap::new();
        for (side, tree) in [old, new].into_iter().enumerate() {
            let Some(tree) = tree else { continue };
            for entry in stored_tree::read(objects, tree)? {
                let name = entry.name.clone();
                names.entry(name).or_default()[side] = Some(entry);
            }
        }
        for (name, [old, new]) in names {
            let length = path.len();
            path.extend_from_slice(&name);
            self.file(path, old.as_ref(), new.as_ref());
            self.folder(objects, path, old.as_ref(), new.as_ref())?;
            path.truncate(length);
        }
        Ok(())
    }

    fn file(&mut self, path: &[u8], old: Option<&TreeEntry>, new: Option<&TreeEntry>) {
        let stored = |entry: Option<&TreeEntry>| {
            let entry = entry.filter(|entry| !entry.is_folder())?;
            Some(Stored { mode: entry.mode, id: entry.id })
        };
        let (old, new) = (stored(old), stored(new));
        if old != new {
            self.files.push(Differing { path: path.to_vec(), old, new });
        }
    }

    fn folder(
        &mut self,
        objects: &Objects<'_>,
        path: &mut Vec<u8>,
        old: Option<&TreeEntry>,
        new: Option<&TreeEntry>,
    ) -> Result<(), WorktreeError> {
        let folder = |entry: Option<&TreeEntry>| entry.filter(|it| it.is_folder()).map(|it| it.id);
        let (old, new) = (folder(old), folder(new));
        match (old, new) {
            (None, None) => return Ok(()),
            (Some(_), None) => self.folders_gone.push(path.clone()),
            (None, Some(_)) => self.folders_new.push(path.clone()),
            (Some(_), Some(_)) => {}
        }
        path.push(b'/');
        self.compare(objects, old, new, path)
    }
}

//! Files that appear or vanish only because the ignore rules changed.

use std::collections::HashMap;

use git2::{ObjectType, Oid};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::compare::Differing;
use crate::excluded::os_path;
use crate::left_out::LeftOut;
use crate::objects::Objects;
use crate::open::Session;
use crate::stored_tree;
use crate::{Snapshot, WorktreeError};

pub(crate) const RULES: &[u8] = b".gitignore";

/// Whether a path is a file of ignore rules.
pub(crate) fn is_rules(path: &[u8]) -> bool {
    path.strip_suffix(RULES).is_some_and(|above| above.is_empty() || above.ends_with(b"/"))
}

impl Session<'_> {
    /// Leaves out what one snapshot could not see: an untracked file that the other side's rules
    /// ignore was there, or may have been there, all the time. Rules outside of the tree are in no
    /// snapshot; of them the other side's list of ignored paths tells.
    pub(crate) fn drop_newly_ignored(
        &self,
        objects: &Objects<'_>,
        before: &Snapshot,
        after: &Snapshot,
        differing: &mut Vec<Differing>,
    ) -> Result<(), WorktreeError> {
        let [old_beside, new_beside] = [before, after].map(|it| it.stored.read_left_out(objects));
        let (old_beside, new_beside) = (old_beside?, new_beside?);
        let is_in = |beside: &Option<LeftOut>, path: &[u8]| {
            beside.as_ref().is_some_and(|beside| beside.ignored(path))
        };
        let rules_changed = differing.iter().any(|file| is_rules(&file.path));
        let mut old_rules = StoredRules::new(objects, before.stored.files);
        let mut new_rules = StoredRules::new(objects, after.stored.files);
        let old_index = before.stored.read_index(objects)?;
        let new_index = after.stored.read_index(objects)?;
        let mut kept = Vec::with_capacity(differing.len());
        for file in differing.drain(..) {
            let hidden = match (file.old, file.new) {
                (None, Some(_)) => {
                    new_index.find(&file.path).is_none()
                        && (is_in(&old_beside, &file.path)
                            || rules_changed && old_rules.ignore(&file.path)?)
                }
                (Some(_), None) => {
                    old_index.find(&file.path).is_none()
                        && (is_in(&new_beside, &file.path)
                            || rules_changed && new_rules.ignore(&file.path)?)
                }
                (Some(_), Some(_)) | (None, None) => false,
            };
            if !hidden {
                kept.push(file);
            }
        }
        *differing = kept;
        Ok(())
    }
}

/// The `.gitignore` files of a snapshot.
struct StoredRules<'o> {
    objects: &'o Objects<'o>,
    files: Oid,
    folders: HashMap<Vec<u8>, Gitignore>,
}

impl<'o> StoredRules<'o> {
    fn new(objects: &'o Objects<'o>, files: Oid) -> Self {
        Self { objects, files, folders: HashMap::new() }
    }

    /// Whether the rules cover a path or a folder above it.
    fn ignore(&mut self, path: &[u8]) -> Result<bool, WorktreeError> {
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let ends: Vec<usize> = slashes.map(|(at, _)| at).chain([path.len()]).collect();
        for end in ends {
            if self.ignore_itself(&path[..end], end < path.len())? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The nearest rule file that says anything decides.
    fn ignore_itself(&mut self, path: &[u8], is_folder: bool) -> Result<bool, WorktreeError> {
        let mut above = path;
        loop {
            let end = above.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
            let rules = self.rules_in(&path[..end])?;
            match rules.matched(os_path(&path[end..]), is_folder) {
                Match::Ignore(_) => return Ok(true),
                Match::Whitelist(_) => return Ok(false),
                Match::None if end == 0 => return Ok(false),
                Match::None => above = &path[..end - 1],
            }
        }
    }

    /// `folder` is empty or ends in `/`.
    fn rules_in(&mut self, folder: &[u8]) -> Result<&Gitignore, WorktreeError> {
        if !self.folders.contains_key(folder) {
            let text = match stored_tree::find(self.objects, self.files, &[folder, RULES].concat())?
            {
                Some(rules) if !rules.is_folder() => {
                    self.objects.read(rules.id, ObjectType::Blob)?.data().to_vec()
                }
                Some(_) | None => Vec::new(),
            };
            let mut builder = GitignoreBuilder::new("");
            for line in String::from_utf8_lossy(&text).lines() {
                // A line that is no pattern ignores nothing, as in git.
                let _unreadable = builder.add_line(None, line);
            }
            let rules = builder.build().unwrap_or_else(|_| Gitignore::empty());
            self.folders.insert(folder.to_vec(), rules);
        }
        Ok(&self.folders[folder])
    }
}

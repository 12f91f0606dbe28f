//! What a restore has to do.

use std::collections::BTreeSet;

use crate::compare::Difference;
use crate::excluded::ExcludedBelow;
use crate::ignoring::is_rules;
use crate::index_file::IndexFile;
use crate::left_out::LeftOut;
use crate::modes::Modes;
use crate::objects::Objects;
use crate::open::Session;
use crate::stored_tree::{LINK, PROGRAM};
use crate::{Limits, Snapshot, WorktreeError};

/// The way from the present tree to the snapshot's.
pub(crate) struct Plan {
    pub(crate) difference: Difference,
    modes: Modes,
    /// What stands beside the present files.
    pub(crate) left_out: LeftOut,
}

impl Plan {
    /// The files of ignore rules among them.
    pub(crate) fn rules_alone(&self) -> Difference {
        let rules = self.difference.files.iter().filter(|file| is_rules(&file.path));
        Difference { files: rules.cloned().collect(), ..Difference::default() }
    }

    /// Files of equal content whose permission bits must change.
    pub(crate) fn permissions(
        &self,
        objects: &Objects<'_>,
        to: &Snapshot,
        target: &Modes,
    ) -> Result<Vec<(Vec<u8>, u32)>, WorktreeError> {
        let put_back: BTreeSet<&[u8]> =
            self.difference.files.iter().map(|file| file.path.as_slice()).collect();
        let suspects: Option<BTreeSet<&[u8]>> =
            self.modes.suspects(target).map(|paths| paths.into_iter().collect());
        if suspects.as_ref().is_some_and(BTreeSet::is_empty) {
            return Ok(Vec::new());
        }
        let mut changes = Vec::new();
        for file in Difference::from_nothing(objects, to.stored.files)?.files {
            let Some(stored) = file.new.filter(|stored| stored.mode != LINK) else { continue };
            let is_suspect =
                suspects.as_ref().is_none_or(|paths| paths.contains(file.path.as_slice()));
            let program = stored.mode == PROGRAM;
            let bits = target.of(&file.path, program);
            if is_suspect
                && !put_back.contains(file.path.as_slice())
                && self.modes.of(&file.path, program) != bits
            {
                changes.push((file.path, bits));
            }
        }
        Ok(changes)
    }
}

impl Session<'_> {
    /// Compares the present tree with a snapshot's; what is tracked is what `index` says.
    ///
    /// What stood there as ignored when the snapshot was taken is not removed, although the ignore
    /// rules outside of the tree may no longer say so; repositories made since are folders.
    pub(crate) fn plan(
        &self,
        objects: &Objects<'_>,
        to: &Snapshot,
        index: &IndexFile,
        beside: Option<&LeftOut>,
        excluded: &ExcludedBelow,
    ) -> Result<Plan, WorktreeError> {
        let present = self.walk(objects, excluded, Limits::NONE, index, beside)?;
        let mut difference = Difference::between(objects, present.files, to.stored.files)?;
        let was_ignored = |path: &[u8]| beside.is_some_and(|beside| beside.ignored(path));
        difference.files.retain(|file| {
            !excluded.covers(&file.path) && (file.new.is_some() || !was_ignored(&file.path))
        });
        difference.folders_new.retain(|path| !excluded.covers(path));
        difference.folders_gone.retain(|path| {
            !excluded.covers(path) && !was_ignored(&[path.as_slice(), b"/"].concat())
        });
        Ok(Plan { difference, modes: present.modes, left_out: present.left_out })
    }
}

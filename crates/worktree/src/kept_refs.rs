//! The refs that keep snapshots from being collected.

use std::cell::RefCell;
use std::collections::BTreeMap;

use git2::Oid;

use crate::head::tip;
use crate::name::PREFIX;
use crate::open::Session;
use crate::{SnapshotName, WorktreeError};

/// The refs that this [`crate::Worktree`] has written, and where they must stand.
pub(crate) type KeptRefs = RefCell<BTreeMap<String, Oid>>;

impl Session<'_> {
    /// Lets a snapshot's ref name its commit, whatever stands in its way below `refs/tribunal/`.
    pub(crate) fn point(&self, name: &SnapshotName, commit: Oid) -> Result<(), WorktreeError> {
        let reference = name.reference();
        let write = || self.repository.reference(&reference, commit, true, "snapshot").map(drop);
        let written = write().or_else(|_| {
            self.make_room(name)?;
            write()
        });
        written.map_err(|error| self.refused(&error))?;
        self.kept.borrow_mut().insert(reference, commit);
        Ok(())
    }

    /// Removes refs that are named like a folder above the snapshot's, or lie below it.
    fn make_room(&self, name: &SnapshotName) -> Result<(), git2::Error> {
        let own = PREFIX.trim_end_matches('/');
        for above in [own.to_owned(), format!("{own}/{}", name.run())] {
            // What is not there, or is a folder as it should be, is not in the way.
            if let Ok(mut reference) = self.repository.find_reference(&above) {
                reference.delete()?;
            }
        }
        for below in self.repository.references_glob(&format!("{}/*", name.reference()))? {
            below?.delete()?;
        }
        Ok(())
    }

    /// What a lost ref held may have been collected, so nothing is known to be stored any more.
    pub(crate) fn forget_what_was_lost(&self) -> Result<(), WorktreeError> {
        let mut lost = false;
        for (reference, commit) in self.kept.borrow().iter() {
            lost |= tip(&self.repository, reference)? != Some(*commit);
        }
        if lost {
            self.forget();
        }
        Ok(())
    }
}

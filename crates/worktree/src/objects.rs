//! git objects, written only when they are missing.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::Path;

use git2::{ObjectType, Odb, OdbLookupFlags, OdbObject, Oid};

use crate::WorktreeError;

/// Ids of objects that are known to be stored, so that nothing is looked up twice.
pub(crate) type Known = RefCell<HashSet<Oid>>;

/// The object store of a repository.
pub(crate) struct Objects<'r> {
    odb: Odb<'r>,
    known: &'r Known,
    place: &'r Path,
}

impl<'r> Objects<'r> {
    pub(crate) fn new(
        repository: &'r git2::Repository,
        known: &'r Known,
    ) -> Result<Self, WorktreeError> {
        let place = repository.path();
        let odb = repository.odb().map_err(|error| WorktreeError::git(place, &error))?;
        Ok(Self { odb, known, place })
    }

    /// Stores an object and gives its id.
    pub(crate) fn write(&self, kind: ObjectType, bytes: &[u8]) -> Result<Oid, WorktreeError> {
        let id = Oid::hash_object(kind, bytes).map_err(|error| self.refused(&error))?;
        if self.has(id) {
            return Ok(id);
        }
        self.odb.write(kind, bytes).map_err(|error| self.refused(&error))?;
        self.known.borrow_mut().insert(id);
        Ok(id)
    }

    /// Whether an object is stored.
    pub(crate) fn has(&self, id: Oid) -> bool {
        if self.known.borrow().contains(&id) {
            return true;
        }
        let stored = self.odb.exists_ext(id, OdbLookupFlags::NO_REFRESH);
        if stored {
            self.known.borrow_mut().insert(id);
        }
        stored
    }

    /// Stores a blob of a known size piece by piece; `fill` is given a place to write to.
    pub(crate) fn write_stream(
        &self,
        size: usize,
        fill: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
        path: &Path,
    ) -> Result<Oid, WorktreeError> {
        let mut writer =
            self.odb.writer(size, ObjectType::Blob).map_err(|error| self.refused(&error))?;
        fill(&mut writer).map_err(|error| WorktreeError::io(path, "reading", error))?;
        let id = writer.finalize().map_err(|error| self.refused(&error))?;
        self.known.borrow_mut().insert(id);
        Ok(id)
    }

    /// Reads an object of the kind.
    pub(crate) fn read(&self, id: Oid, kind: ObjectType) -> Result<OdbObject<'_>, WorktreeError> {
        let object = self.odb.read(id).map_err(|error| self.refused(&error))?;
        if object.kind() == kind { Ok(object) } else { Err(self.broken(id, "of another kind")) }
    }

    /// The size of a blob in bytes; `None` when it is not stored.
    pub(crate) fn size(&self, id: Oid) -> Option<usize> {
        self.odb.read_header(id).ok().map(|(size, _)| size)
    }

    pub(crate) fn broken(&self, id: Oid, why: &str) -> WorktreeError {
        WorktreeError::BrokenSnapshot {
            path: self.place.to_owned(),
            name: id.to_string(),
            why: why.to_owned(),
        }
    }

    fn refused(&self, error: &git2::Error) -> WorktreeError {
        WorktreeError::git(self.place, error)
    }
}

//! Where HEAD and the other refs stand.

use std::collections::BTreeMap;

use git2::{Oid, Repository};

use crate::{CommitId, WorktreeError, name};

/// What HEAD says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// A branch, with its commit unless it is unborn.
    Branch {
        /// The full name of its ref.
        reference: String,
        /// The commit; `None` before the first one.
        commit: Option<CommitId>,
    },
    /// A commit itself.
    Detached {
        /// The commit.
        commit: CommitId,
    },
    /// There is no repository (`--no-git`).
    Absent,
}

impl Head {
    /// The commit that HEAD leads to.
    pub fn commit(&self) -> Option<CommitId> {
        match self {
            Self::Branch { commit, .. } => *commit,
            Self::Detached { commit } => Some(*commit),
            Self::Absent => None,
        }
    }

    pub(crate) fn read(repository: &Repository) -> Result<Self, WorktreeError> {
        let place = repository.path();
        let refused = |error: git2::Error| WorktreeError::git(place, &error);
        let head = repository.find_reference("HEAD").map_err(refused)?;
        if let Some(commit) = head.target() {
            return Ok(Self::Detached { commit: CommitId(commit) });
        }
        let target = head.symbolic_target_bytes().unwrap_or_default();
        let reference = String::from_utf8(target.to_vec()).map_err(|_| WorktreeError::Git {
            path: place.to_owned(),
            why: "HEAD names a branch that is no UTF-8".to_owned(),
        })?;
        let commit = tip(repository, &reference)?.map(CommitId);
        Ok(Self::Branch { reference, commit })
    }
}

/// The object that a direct ref names; `None` when there is no such ref.
pub(crate) fn tip(repository: &Repository, reference: &str) -> Result<Option<Oid>, WorktreeError> {
    match repository.refname_to_id(reference) {
        Ok(id) => Ok(Some(id)),
        Err(error) if error.code() == git2::ErrorCode::NotFound => Ok(None),
        Err(error) => Err(WorktreeError::git(repository.path(), &error)),
    }
}

/// A ref that a restore leaves where it is, although it moved since the snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedRef {
    /// Its full name, such as `refs/heads/topic` or `refs/stash`.
    pub name: String,
    /// Where it stood; `None` when it is new.
    pub was: Option<CommitId>,
    /// Where it stands; `None` when it is gone.
    pub is: Option<CommitId>,
}

/// All direct refs but our own, by name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Refs(BTreeMap<Vec<u8>, Oid>);

impl Refs {
    pub(crate) fn read(repository: &Repository) -> Result<Self, WorktreeError> {
        let refused = |error: git2::Error| WorktreeError::git(repository.path(), &error);
        let mut refs = BTreeMap::new();
        for reference in repository.references().map_err(refused)? {
            // A ref that cannot be read is broken already; it is not ours to judge.
            let Ok(reference) = reference else { continue };
            let name = reference.name_bytes();
            if let (Some(id), false) =
                (reference.target(), name.starts_with(name::PREFIX.as_bytes()))
            {
                refs.insert(name.to_vec(), id);
            }
        }
        Ok(Self(refs))
    }

    pub(crate) fn get(&self, name: &str) -> Option<Oid> {
        self.0.get(name.as_bytes()).copied()
    }

    /// The refs that differ, except one.
    pub(crate) fn moved(&self, now: &Self, except: Option<&str>) -> Vec<MovedRef> {
        let names: std::collections::BTreeSet<&Vec<u8>> =
            self.0.keys().chain(now.0.keys()).collect();
        let mut moved = Vec::new();
        for name in names {
            let (was, is) = (self.0.get(name).copied(), now.0.get(name).copied());
            if was != is && except.is_none_or(|except| except.as_bytes() != name.as_slice()) {
                let name = String::from_utf8_lossy(name).into_owned();
                moved.push(MovedRef { name, was: was.map(CommitId), is: is.map(CommitId) });
            }
        }
        moved
    }

    /// One `ID NAME` line each; no ref name holds a line end.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (name, id) in &self.0 {
            bytes.extend_from_slice(format!("{id} ").as_bytes());
            bytes.extend_from_slice(name);
            bytes.push(b'\n');
        }
        bytes
    }

    /// Reads what [`Self::encode`] wrote.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut refs = BTreeMap::new();
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let id = Oid::from_str(std::str::from_utf8(line.get(..40)?).ok()?).ok()?;
            refs.insert(line.get(41..)?.to_vec(), id);
        }
        Some(Self(refs))
    }
}

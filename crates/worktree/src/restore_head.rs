//! Moves HEAD and its branch back, only from where they were left.

use git2::{ErrorCode, Oid};

use crate::head::tip;
use crate::objects::Objects;
use crate::open::Session;
use crate::{Head, Snapshot, WorktreeError};

/// The moves that lead from the present HEAD to a snapshot's.
pub(crate) struct HeadMoves {
    present: Head,
    branch: Option<BranchMove>,
    to: Head,
}

struct BranchMove {
    reference: String,
    from: Option<Oid>,
    to: Option<Oid>,
}

const REASON: &str = "tribunal: restored";

impl Head {
    /// The full name of its branch.
    pub(crate) fn branch(&self) -> Option<&str> {
        match self {
            Self::Branch { reference, .. } => Some(reference),
            Self::Detached { .. } | Self::Absent => None,
        }
    }

    /// Whether HEAD itself says the same, wherever its branch stands.
    pub(crate) fn points_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Branch { reference: left, .. }, Self::Branch { reference: right, .. }) => {
                left == right
            }
            (Self::Detached { commit: left }, Self::Detached { commit: right }) => left == right,
            (Self::Absent, Self::Absent) => true,
            (Self::Branch { .. } | Self::Detached { .. } | Self::Absent, _) => false,
        }
    }
}

impl Session<'_> {
    /// Refuses when HEAD or the branch stands neither where `left` nor where `to` has it.
    pub(crate) fn plan_head(
        &self,
        objects: &Objects<'_>,
        to: &Snapshot,
        left: &Snapshot,
    ) -> Result<HeadMoves, WorktreeError> {
        let present = Head::read(&self.repository)?;
        let (to_head, left_head) = (&to.stored.head, &left.stored.head);
        if !present.points_like(left_head) && !present.points_like(to_head) {
            return Err(self.moved("HEAD"));
        }
        let branch = match to_head {
            Head::Branch { reference, commit } => {
                let from = tip(&self.repository, reference)?;
                let to = commit.map(|commit| commit.0);
                let was_left = left.stored.read_refs(objects)?.get(reference);
                if from != was_left && from != to {
                    return Err(self.moved(reference));
                }
                Some(BranchMove { reference: reference.clone(), from, to })
            }
            Head::Detached { .. } | Head::Absent => None,
        };
        Ok(HeadMoves { present, branch, to: to_head.clone() })
    }

    pub(crate) fn move_head(&self, moves: HeadMoves) -> Result<(), WorktreeError> {
        if let Some(branch) = moves.branch.filter(|branch| branch.from != branch.to) {
            self.move_branch(&branch).map_err(|error| self.lost_race(&branch.reference, &error))?;
        }
        if moves.present.points_like(&moves.to) {
            return Ok(());
        }
        let repository = &self.repository;
        let moved = match (&moves.to, &moves.present) {
            (Head::Branch { reference, .. }, Head::Branch { reference: from, .. }) => repository
                .reference_symbolic_matching("HEAD", reference, true, from, REASON)
                .map(drop),
            (Head::Branch { reference, .. }, Head::Detached { .. } | Head::Absent) => {
                repository.reference_symbolic("HEAD", reference, true, REASON).map(drop)
            }
            (Head::Detached { commit }, Head::Detached { commit: from }) => {
                repository.reference_matching("HEAD", commit.0, true, from.0, REASON).map(drop)
            }
            (Head::Detached { commit }, Head::Branch { .. } | Head::Absent) => {
                repository.set_head_detached(commit.0)
            }
            (Head::Absent, _) => Ok(()),
        };
        moved.map_err(|error| self.lost_race("HEAD", &error))
    }

    fn move_branch(&self, branch: &BranchMove) -> Result<(), git2::Error> {
        let (name, repository) = (&branch.reference, &self.repository);
        match (branch.from, branch.to) {
            (Some(from), Some(to)) => {
                repository.reference_matching(name, to, true, from, REASON).map(drop)
            }
            (None, Some(to)) => repository.reference(name, to, false, REASON).map(drop),
            (Some(from), None) => {
                let mut reference = repository.find_reference(name)?;
                if reference.target() == Some(from) {
                    reference.delete()
                } else {
                    Err(git2::Error::from_str("moved meanwhile"))
                }
            }
            (None, None) => Ok(()),
        }
    }

    fn lost_race(&self, reference: &str, error: &git2::Error) -> WorktreeError {
        match error.code() {
            ErrorCode::Modified | ErrorCode::Exists => self.moved(reference),
            _ => self.refused(error),
        }
    }

    fn moved(&self, reference: &str) -> WorktreeError {
        WorktreeError::RefMoved { path: self.root.to_owned(), name: reference.to_owned() }
    }
}

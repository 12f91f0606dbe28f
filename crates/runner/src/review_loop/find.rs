//! Which loop is meant.

use std::path::Path;

use tribunal_journal::{JournalError, JournalErrorKind, StateDir};
use tribunal_phase::RunId;
use tribunal_phase::review_loop::State;
use tribunal_worktree::Worktree;

use super::definition::LoopDefinition;
use super::fold::fold;
use super::loops::Loops;
use crate::error::RunError;

impl Loops {
    /// The run that is meant: the one that is named, else the last loop that began on this work tree.
    pub(super) fn find(
        &self,
        state_dir: &StateDir,
        run: Option<&str>,
    ) -> Result<Option<RunId>, RunError> {
        if let Some(prefix) = run {
            return Ok(Some(state_dir.resolve(prefix)?));
        }
        let worktree = Worktree::open(&self.surroundings.current_dir)?;
        let Some(id) = state_dir.last_loop(worktree.root())? else { return Ok(None) };
        Ok((self.state(state_dir, &id)? != State::Idle).then_some(id))
    }

    /// The last loop of a work tree, unless it has ended, or was never answered to anybody.
    pub(super) fn active(
        &self,
        state_dir: &StateDir,
        root: &Path,
    ) -> Result<Option<RunId>, RunError> {
        let Some(id) = state_dir.last_loop(root)? else { return Ok(None) };
        Ok(match self.state(state_dir, &id)? {
            State::Idle | State::Starting(_) | State::Done(..) => None,
            State::Open(..) | State::Weighing(..) => Some(id),
        })
    }

    fn state(&self, state_dir: &StateDir, id: &RunId) -> Result<State, RunError> {
        let past = match state_dir.read(id) {
            Ok(past) => past,
            // Its folder was removed by hand.
            Err(JournalError { kind: JournalErrorKind::NoSuchRun { .. }, .. }) => {
                return Ok(State::Idle);
            }
            Err(error) => return Err(error.into()),
        };
        let Some(definition) = LoopDefinition::of(past.records(), &past)? else {
            return Ok(State::Idle);
        };
        let machine = (self.machine)(definition.machine());
        Ok(fold(&*machine, past.records(), id)?.state)
    }
}

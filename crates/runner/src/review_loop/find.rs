//! Which loop is meant, and where its journal leads.

use std::path::{Path, PathBuf};

use tribunal_journal::{JournalError, JournalErrorKind, Past, StateDir};
use tribunal_phase::RunId;
use tribunal_phase::review_loop::State;
use tribunal_worktree::Worktree;

use super::definition::LoopDefinition;
use super::fold::{Folded, fold};
use super::loops::Loops;
use crate::error::RunError;

/// A loop as it is recorded.
pub(super) struct Recorded {
    pub(super) past: Past,
    pub(super) definition: LoopDefinition,
    pub(super) folded: Folded,
}

impl Loops {
    /// The run that is meant: the one that is named, else the last loop that began on this work tree.
    pub(super) fn find(
        &self,
        state_dir: &StateDir,
        run: Option<&str>,
    ) -> Result<Option<Recorded>, RunError> {
        if let Some(prefix) = run {
            let id = state_dir.resolve(prefix)?;
            return self.recorded(state_dir.read(&id)?).map(Some);
        }
        let last = self.last(state_dir, self.root()?)?;
        // One that was never answered to anybody is none.
        Ok(last.filter(|recorded| recorded.folded.state != State::Idle))
    }

    /// The last loop of a work tree, unless it has ended, or was never answered to anybody.
    pub(super) fn active(
        &self,
        state_dir: &StateDir,
        root: &Path,
    ) -> Result<Option<RunId>, RunError> {
        let Some(recorded) = self.last(state_dir, root)? else { return Ok(None) };
        Ok(match recorded.folded.state {
            State::Idle | State::Starting(_) | State::Done(..) => None,
            State::Open(..) | State::Weighing(..) => Some(recorded.past.id().clone()),
        })
    }

    /// The root of the work tree around the current folder.
    fn root(&self) -> Result<&PathBuf, RunError> {
        if let Some(root) = self.root.get() {
            return Ok(root);
        }
        let found = Worktree::open(&self.surroundings.current_dir)?.root().to_owned();
        Ok(self.root.get_or_init(|| found))
    }

    fn last(&self, state_dir: &StateDir, root: &Path) -> Result<Option<Recorded>, RunError> {
        let Some(id) = state_dir.last_loop(root)? else { return Ok(None) };
        match state_dir.read(&id) {
            Ok(past) => self.recorded(past).map(Some),
            // Its folder was removed by hand.
            Err(JournalError { kind: JournalErrorKind::NoSuchRun { .. }, .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn recorded(&self, past: Past) -> Result<Recorded, RunError> {
        let definition = LoopDefinition::of_loop(past.records(), &past, past.id())?;
        let machine = (self.machine)(definition.machine());
        let folded = fold(&*machine, past.records(), past.id())?;
        Ok(Recorded { past, definition, folded })
    }
}

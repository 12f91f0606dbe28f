//! A loop begins.

use std::path::Path;

use tribunal_journal::StateDir;
use tribunal_phase::review_loop::{Ask, Call, HunkShown, StartCall};
use tribunal_record::{Body, Note};
use tribunal_worktree::Worktree;

use super::definition::{LoopDefinition, Terms};
use super::loops::{Answered, Loops};
use super::patience::when_free;
use super::show;
use crate::drive::wall_clock;
use crate::error::RunError;
use crate::place_fault::PlaceFault;
use crate::prepare::{clear_leftovers, state_dir};

impl Loops {
    /// Begins a loop, unless one is active on the work tree: that one answers then.
    pub(super) async fn start(&self, start: StartCall) -> Result<Answered, RunError> {
        let worktree = Worktree::open(&self.surroundings.current_dir)?;
        let root = worktree.root().to_owned();
        let state_dir = state_dir(&self.surroundings)?;
        if let Some(id) = self.active(&state_dir, &root)? {
            return self.on(&state_dir, &id, Call::Start(start), Ask::Start).await;
        }
        clear_leftovers(&state_dir)?;
        let alone = when_free(|| state_dir.lock_tree(&root)).await?;
        // Somebody else may have begun one while this call waited.
        if let Some(id) = self.active(&state_dir, &root)? {
            drop(alone);
            return self.on(&state_dir, &id, Call::Start(start), Ask::Start).await;
        }
        let text = root.to_str().ok_or_else(|| RunError::Target {
            path: root.display().to_string(),
            fault: PlaceFault::NotUtf8,
        })?;
        let id = StateDir::new_id();
        let mut run = state_dir.create(&id)?;
        let range = match self.range(&worktree, &start.scope)? {
            Some(hunks) => {
                Some(run.keep(&serde_json::to_vec(&hunks).expect("hunks are plain data"))?)
            }
            None => None,
        };
        let definition = LoopDefinition::new(Terms {
            root: text.to_owned(),
            scope: start.scope.clone(),
            range,
            test_command: start.test_command.clone(),
            test_timeout: self.limits.test_timeout,
            max_rounds: start.max_rounds.unwrap_or(self.limits.max_rounds),
        });
        let bytes = serde_json::to_vec(&definition).expect("a definition is plain data");
        let artifact = run.keep(&bytes)?;
        run.append(Body::Note(Note::Defined { definition: artifact }), wall_clock())?;
        state_dir.set_last_loop(&root, &id)?;
        let mut session = self.session(run, definition, alone)?;
        let answer = session.call(Call::Start(start), Ask::Start).await?;
        self.answered(session, answer)
    }

    /// What a range of commits changes; a path that exists wins over a range of the same name.
    fn range(&self, worktree: &Worktree, scope: &str) -> Result<Option<Vec<HunkShown>>, RunError> {
        let is_path = [&self.surroundings.current_dir, worktree.root()]
            .iter()
            .any(|folder: &&Path| folder.join(scope).exists());
        if is_path {
            return Ok(None);
        }
        Ok(worktree.range(scope)?.map(show::hunks))
    }
}

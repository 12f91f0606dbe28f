//! Bringing what an isolated run changed over to the user's work tree.

use std::path::{Path, PathBuf};

use tribunal_journal::{Run, StateDir};
use tribunal_phase::{RunId, SnapshotId};
use tribunal_record::{Body, Note, Way};
use tribunal_report::{Apply, ApplyResult};
use tribunal_verify::RepoPath;

use crate::definition::Loaded;
use crate::drive::wall_clock;
use crate::error::RunError;
use crate::isolation::remove;
use crate::native::AddedSteps;
use crate::prepare::{state_dir, users_tree};
use crate::review_loop::is_no_loop;
use crate::runs::{definition, is_finished};
use crate::surroundings::Surroundings;
use crate::trail::{Applying, Trail, Undoing};
use crate::tree::Tree;

mod merge;
mod patch;

/// Which run is applied, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplyRequest {
    /// Its id, or the beginning of it.
    pub run: String,
    /// As a merged commit, instead of changes in the files.
    pub merge: bool,
}

/// Brings what an isolated run changed over to the user's work tree, and removes the run's own and its
/// branch.
///
/// As a patch (the default) raw files are merged three ways into what stands there, uncommitted work
/// included; the index stays. With `merge` the run's branch gets a commit and is merged. The tree
/// before is kept as a snapshot, on record before anything is touched, and `undo` leads back to it;
/// broken off, it is finished by the next call.
///
/// # Errors
/// No such run, or one that is not isolated, has not ended or was undone;
/// [`RunError::Conflicts`] where both sides changed the same, and [`RunError::NotClean`] where a merge
/// needs a tree that began clean: nothing was changed then. [`RunError::Git`].
pub async fn apply(request: &ApplyRequest, surroundings: &Surroundings) -> Result<Apply, RunError> {
    let state_dir = state_dir(surroundings)?;
    let id = state_dir.resolve(&request.run)?;
    let run = state_dir.open_run(&id)?;
    is_no_loop(run.records(), &run, &id)?;
    let loaded = Loaded::new(definition(run.records(), &run, &id)?, AddedSteps::default())?;
    let Some(users_root) = loaded.definition.isolated_from.as_deref().map(PathBuf::from) else {
        return Err(RunError::NotIsolated(id.to_string()));
    };
    let trail = Trail::of(run.records(), &loaded.plan);
    if trail.undoing != Undoing::No {
        return Err(RunError::Undone(id.to_string()));
    }
    if !is_finished(run.records()) {
        return Err(RunError::NotEnded(id.to_string()));
    }
    let _alone = state_dir.lock_tree(&users_root)?;
    let _own = state_dir.lock_tree(Path::new(&loaded.definition.root))?;
    let mut bringing = Bringing { state_dir, id, loaded, users_root, trail, run, surroundings };
    let result = bringing.bring(request.merge).await?;
    remove(&bringing.loaded.definition, &bringing.state_dir, &bringing.id)?;
    bringing.run.close()?;
    Ok(Apply { run: bringing.id.to_string(), result })
}

/// Everything that bringing changes over needs.
struct Bringing<'a> {
    state_dir: StateDir,
    id: RunId,
    loaded: Loaded,
    users_root: PathBuf,
    trail: Trail,
    run: Run,
    surroundings: &'a Surroundings,
}

impl Bringing<'_> {
    async fn bring(&mut self, merge: bool) -> Result<ApplyResult, RunError> {
        let broken_off = match self.trail.applying {
            Applying::Done { .. } => return Ok(ApplyResult::AlreadyApplied),
            Applying::HalfWay { replaced, way } => Some((replaced, way)),
            Applying::No => None,
        };
        let Some((before, last)) = self.trail.written() else {
            return Ok(ApplyResult::NothingWritten);
        };
        let left = last.left;
        let tree = users_tree(&self.loaded, &self.id, self.surroundings)?;
        tree.free()?;
        let way = broken_off.map_or(if merge { Way::Merge } else { Way::Patch }, |(_, way)| way);
        match way {
            Way::Patch => self.patch(&tree, before, left, broken_off.map(|(replaced, _)| replaced)),
            Way::Merge => self.merge(&tree, broken_off.map(|(replaced, _)| replaced)).await,
        }
    }

    fn snapshot(&mut self, tree: &Tree) -> Result<SnapshotId, RunError> {
        let number = self.trail.next_snapshot();
        let state = tree.snapshot(number, &self.trail.trees)?;
        self.trail.trees.insert(number, state);
        Ok(number)
    }

    fn begin(&mut self, replaced: SnapshotId, way: Way) -> Result<(), RunError> {
        let tree = self.trail.trees[&replaced].clone();
        self.run.append(Body::Note(Note::Applying { replaced, tree, way }), wall_clock())?;
        Ok(self.run.sync()?)
    }

    fn end(&mut self, tree: &Tree) -> Result<(), RunError> {
        let left = self.snapshot(tree)?;
        let state = self.trail.trees[&left].clone();
        self.run.append(Body::Note(Note::Applied { left, tree: state }), wall_clock())?;
        Ok(self.run.sync()?)
    }

    fn conflicts(&self, paths: &[RepoPath]) -> RunError {
        let paths = paths.iter().map(RepoPath::to_string).collect();
        RunError::Conflicts { run: self.id.to_string(), paths }
    }
}

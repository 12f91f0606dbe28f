//! A work tree of its own for a run: made before it begins, removed when it is applied or undone.

use std::path::{Path, PathBuf};

use tribunal_journal::{Run, StateDir};
use tribunal_phase::RunId;
use tribunal_recipe::{Datum, Fields};
use tribunal_record::{Body, Note, Record};
use tribunal_worktree::{Excluded, Limits, Snapshot, SnapshotName, Worktree};

use crate::definition::Definition;
use crate::drive::wall_clock;
use crate::error::RunError;

/// Where an isolated run works.
pub(crate) struct Place {
    /// The root of its work tree.
    pub(crate) root: PathBuf,
    /// The folder that its results go to.
    results: PathBuf,
}

impl Place {
    /// The tree is called like the user's: tools take names from it.
    pub(crate) fn of(state_dir: &StateDir, id: &RunId, users_root: &Path) -> Self {
        let name = users_root.file_name().unwrap_or("repository".as_ref());
        let results = state_dir.isolated_folder(id).join("results");
        Self { root: state_dir.isolated_tree_folder(id).join(name), results }
    }

    /// Leads the variables of a run there: nothing of it goes to the user's work tree.
    pub(crate) fn redirect(&self, values: &mut Fields) {
        let absolute = |path: &Path| Datum::from(path.to_string_lossy().as_ref());
        if values.contains_key("repo_path") {
            values.insert("repo_path".to_owned(), absolute(&self.root));
        }
        let is_elsewhere = |value: &Datum| Path::new(&value.render()).is_absolute();
        if values.get("output_dir").is_some_and(|value| !is_elsewhere(value)) {
            values.insert("output_dir".to_owned(), absolute(&self.results));
        }
    }
}

/// What an isolated run begins with.
pub(crate) struct Base {
    worktree: Worktree,
    snapshot: Snapshot,
    clean: bool,
}

impl Base {
    /// Looks at the user's work tree; nothing of it is touched.
    ///
    /// # Errors
    /// HEAD has no commit yet, or the tree cannot be read.
    pub(crate) fn of(
        users_root: &Path,
        id: &RunId,
        state_dir: &Path,
        output_dir: Option<&Path>,
    ) -> Result<Self, RunError> {
        let worktree = Worktree::open(users_root)?;
        let mut paths = vec![state_dir.to_owned()];
        paths.extend(output_dir.map(|folder| users_root.join(folder)));
        let excluded = Excluded { paths };
        let name = SnapshotName::new(&format!("{id}/base"))?;
        let snapshot = worktree.snapshot(&name, &excluded, &Limits::default())?;
        let clean = worktree.is_clean(&excluded)?;
        if snapshot.head().commit().is_none() {
            worktree.drop_snapshot(&name)?;
            let path = users_root.to_owned();
            return Err(tribunal_worktree::WorktreeError::NoCommit { path }.into());
        }
        Ok(Self { worktree, snapshot, clean })
    }

    /// Makes the run's work tree, and records that it is complete.
    pub(crate) fn isolate(
        &self,
        state_dir: &StateDir,
        run: &mut Run,
        root: &Path,
    ) -> Result<(), RunError> {
        state_dir.make_isolated_folder(run.id())?;
        self.worktree.isolate(&self.snapshot, run.id().as_str(), root)?;
        run.append(Body::Note(Note::Isolated { clean: self.clean }), wall_clock())?;
        Ok(())
    }
}

/// Whether the run's own work tree is complete, and was clean.
pub(crate) fn isolated(records: &[Record]) -> Option<bool> {
    records.iter().find_map(|record| match record.body {
        Body::Note(Note::Isolated { clean }) => Some(clean),
        _ => None,
    })
}

/// Removes a run's own work tree and branch; its snapshots and results stay.
pub(crate) fn remove(
    definition: &Definition,
    state_dir: &StateDir,
    id: &RunId,
) -> Result<(), RunError> {
    let Some(users_root) = &definition.isolated_from else { return Ok(()) };
    let users_root = Path::new(users_root);
    let place = Place::of(state_dir, id, users_root);
    Worktree::open(users_root)?.remove_isolated(id.as_str(), &place.root)?;
    Ok(())
}

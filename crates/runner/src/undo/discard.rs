//! Undoing an isolated run that was not applied.

use tribunal_journal::{Run, StateDir};
use tribunal_record::{Body, Note};
use tribunal_report::UndoResult;

use crate::definition::Loaded;
use crate::drive::wall_clock;
use crate::error::RunError;
use crate::isolation::remove;
use crate::prepare::tree;
use crate::surroundings::Surroundings;
use crate::trail::{Trail, Undoing};
use crate::tree::place;

/// Removes the work tree of an isolated run that was not applied; its last state is kept.
pub(super) fn discard(
    loaded: &Loaded,
    state_dir: &StateDir,
    mut run: Run,
    trail: &Trail,
    surroundings: &Surroundings,
) -> Result<UndoResult, RunError> {
    let id = run.id().clone();
    let kept = match trail.undoing {
        Undoing::HalfWay { replaced, .. } | Undoing::Done { replaced } => Some(replaced),
        // Somebody may have removed it by hand: what the run knew of it is kept anyway.
        Undoing::No => match tree(loaded, &id, surroundings) {
            Ok(tree) => {
                let present = trail.next_snapshot();
                let state = tree.snapshot(present, &trail.trees)?;
                let note = Note::Undoing { to: present, replaced: present, tree: state };
                run.append(Body::Note(note), wall_clock())?;
                Some(present)
            }
            Err(_) => trail.writes.last().map(|write| write.left),
        },
    };
    run.sync()?;
    remove(&loaded.definition, state_dir, &id)?;
    if let Some(to) = kept {
        run.append(Body::Note(Note::Undone { to }), wall_clock())?;
    }
    run.close()?;
    Ok(UndoResult::Removed {
        worktree: loaded.definition.root.clone(),
        kept: kept.map(|kept| place(id.as_str(), kept)),
    })
}

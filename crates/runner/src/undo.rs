//! Undoing a run: the tree as it was before the run's first write (D46).

use std::path::Path;

use tribunal_phase::{RunId, SnapshotId};
use tribunal_record::{Body, Note};
use tribunal_report::{MovedRef, PutBack, Undo, UndoResult};
use tribunal_worktree::{Head, LaterEdits, Restored};

use crate::definition::Loaded;
use crate::drive::wall_clock;
use crate::error::RunError;
use crate::isolation::remove;
use crate::native::AddedSteps;
use crate::prepare::{end_children, state_dir, tree, users_tree};
use crate::review_loop::is_no_loop;
use crate::runs::definition;
use crate::surroundings::Surroundings;
use crate::trail::{Applying, Trail, Undoing};
use crate::tree::{Tree, place};

mod discard;

use discard::discard;

/// Which run is undone, and how much may be lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoRequest {
    /// Its id, or the beginning of it.
    pub run: String,
    /// Edits that are not the run's are undone too.
    pub force: bool,
}

/// A state to be put back, and the one that is replaced.
struct Way {
    to: SnapshotId,
    /// What the run left: from there HEAD and its branch are moved, and nothing else is.
    left: SnapshotId,
    /// The call that was at work when the run stopped.
    interrupted: Option<String>,
    /// An earlier undo broke off; this snapshot keeps what it began to replace.
    broken_off: Option<SnapshotId>,
}

/// Puts the tree back to before the run's first write: files, links, permissions, the index byte for
/// byte, HEAD and its branch. What is replaced is kept as another snapshot, on record before anything
/// is touched; broken off, it is finished by the next undo. The run cannot be resumed then.
///
/// Ignored files, the results in `output_dir` and other refs stay.
///
/// # Errors
/// No such run, or somebody is at work on it or its tree; [`RunError::LaterEdits`] where the tree
/// holds edits that are not the run's and `force` does not say to lose them; [`RunError::HeadMoved`].
/// Nothing was changed then. [`RunError::NotRestored`] where the way back broke off.
pub fn undo(request: &UndoRequest, surroundings: &Surroundings) -> Result<Undo, RunError> {
    let state_dir = state_dir(surroundings)?;
    let id = state_dir.resolve(&request.run)?;
    let mut run = state_dir.open_run(&id)?;
    is_no_loop(run.records(), &run, &id)?;
    // They would go on writing.
    end_children(&id);
    let loaded = Loaded::new(definition(run.records(), &run, &id)?, AddedSteps::default())?;
    let _alone = state_dir.lock_tree(Path::new(loaded.definition.users_root()))?;
    let mut trail = Trail::of(run.records(), &loaded.plan);
    let done = |result| Ok(Undo { run: id.to_string(), result });
    let is_isolated = loaded.definition.isolated_from.is_some();
    if is_isolated
        && trail.applying == Applying::No
        && !matches!(trail.undoing, Undoing::Done { .. })
    {
        let _own = state_dir.lock_tree(Path::new(&loaded.definition.root))?;
        return done(discard(&loaded, &state_dir, run, &trail, surroundings)?);
    }
    let Some(way) = way(&trail) else {
        return done(match trail.undoing {
            Undoing::Done { replaced } => {
                UndoResult::AlreadyUndone { kept: place(id.as_str(), replaced) }
            }
            Undoing::No | Undoing::HalfWay { .. } => UndoResult::NothingWritten,
        });
    };
    let tree = if is_isolated {
        users_tree(&loaded, &id, surroundings)?
    } else {
        tree(&loaded, &id, surroundings)?
    };
    tree.free()?;
    let present = trail.next_snapshot();
    let state = tree.snapshot(present, &trail.trees)?;
    trail.trees.insert(present, state.clone());
    let edits = later_edits(&tree, &trail, &way, present)?;
    if let Some(refusal) = refusal(&id, &edits, request.force) {
        tree.drop(present)?;
        return Err(refusal);
    }
    let replaced = match way.broken_off {
        // It is half way between two states that are kept.
        Some(replaced) if !edits.can_be_lost() => {
            tree.drop(present)?;
            trail.trees.remove(&present);
            replaced
        }
        Some(_) | None => {
            let note = Note::Undoing { to: way.to, replaced: present, tree: state };
            run.append(Body::Note(note), wall_clock())?;
            present
        }
    };
    run.sync()?;
    let restored = tree
        .restore_to(way.to, replaced, &trail.trees)
        .map_err(|error| RunError::NotRestored { place: place(id.as_str(), way.to), error })?;
    remove(&loaded.definition, &state_dir, &id)?;
    run.append(Body::Note(Note::Undone { to: way.to }), wall_clock())?;
    run.close()?;
    let head = tree.head_moved(replaced, way.to, &trail.trees)?;
    done(UndoResult::Undone(put_back(&loaded, &id, way, replaced, restored, head.as_ref())))
}

/// Where to; nothing where the run was undone, or left nothing.
fn way(trail: &Trail) -> Option<Way> {
    match trail.undoing {
        Undoing::Done { .. } => None,
        Undoing::HalfWay { to, replaced } => {
            Some(Way { to, left: replaced, interrupted: None, broken_off: Some(replaced) })
        }
        Undoing::No => {
            let (to, left, interrupted) = match trail.applying {
                Applying::Done { replaced, left } => (replaced, left, None),
                Applying::HalfWay { replaced, .. } => {
                    (replaced, replaced, Some("runs apply".to_owned()))
                }
                Applying::No => {
                    let (to, last) = trail.written()?;
                    (to, last.left, last.at_work.then(|| last.call.to_string()))
                }
            };
            Some(Way { to, left, interrupted, broken_off: None })
        }
    }
}

/// Edits that are not the run's: between its writes, and since the last of them.
fn later_edits(
    tree: &Tree,
    trail: &Trail,
    way: &Way,
    present: SnapshotId,
) -> Result<LaterEdits, RunError> {
    // Nobody can tell the user's edits from those of a call that was at work: it began here.
    let left = if way.interrupted.is_some() { present } else { way.left };
    let mut edits = tree.later_edits(way.to, left, present, &trail.trees)?;
    if way.broken_off.is_none() && trail.applying == Applying::No {
        for (left, found) in trail.gaps() {
            let between = tree.later_edits(way.to, left, found, &trail.trees)?;
            edits.paths.extend(between.paths);
            edits.index |= between.index;
        }
        edits.paths.sort();
        edits.paths.dedup();
    }
    Ok(edits)
}

fn refusal(run: &RunId, edits: &LaterEdits, force: bool) -> Option<RunError> {
    if let Some(name) = &edits.head {
        return Some(RunError::HeadMoved { run: run.to_string(), name: name.clone() });
    }
    if force || !edits.can_be_lost() {
        return None;
    }
    let index = edits.index.then(|| "the index".to_owned());
    let paths = edits.paths.iter().map(ToString::to_string);
    Some(RunError::LaterEdits { run: run.to_string(), edits: paths.chain(index).collect() })
}

fn put_back(
    loaded: &Loaded,
    id: &RunId,
    way: Way,
    replaced: SnapshotId,
    restored: Restored,
    head: Option<&Head>,
) -> PutBack {
    let texts = |paths: Vec<_>| paths.iter().map(tribunal_verify::RepoPath::to_string).collect();
    let commit = |commit: tribunal_worktree::CommitId| commit.to_string();
    let moved_refs = restored.moved_refs.into_iter().map(|moved| MovedRef {
        name: moved.name,
        was: moved.was.map(commit),
        is: moved.is.map(commit),
    });
    PutBack {
        to: place(id.as_str(), way.to),
        paths: texts(restored.paths),
        head: head.map(head_words),
        moved_refs: moved_refs.collect(),
        not_restored: texts(restored.not_restored),
        kept: place(id.as_str(), replaced),
        interrupted: way.interrupted,
        in_repository: !loaded.definition.options.no_git,
    }
}

fn head_words(head: &Head) -> String {
    match head {
        Head::Branch { reference, commit: Some(commit) } => format!("{reference} ({commit})"),
        Head::Branch { reference, commit: None } => format!("{reference} (no commit yet)"),
        Head::Detached { commit } => commit.to_string(),
        Head::Absent => String::new(),
    }
}

//! What a run needs before it can begin or go on: agents, a tree, a place for results.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tribunal_dispatch::{Marker, find_program, marked_runs, sweep};
use tribunal_journal::{Output, StateDir};
use tribunal_phase::RunId;
use tribunal_phase::plan::Work;
use tribunal_recipe::{Datum, Fields};
use tribunal_worktree::Worktree;

use crate::agents::Agent;
use crate::definition::Loaded;
use crate::error::RunError;
use crate::notice::Notice;
use crate::place_fault::PlaceFault;
use crate::surroundings::Surroundings;
use crate::tree::Tree;

/// Makes this process the parent of every orphan among its children's children, so that nothing of
/// theirs outlives a run; for a binary, never for a library (D42).
///
/// # Errors
/// The system refuses.
pub fn adopt_orphans() -> std::io::Result<()> {
    tribunal_dispatch::become_subreaper()
}

pub(crate) fn state_dir(surroundings: &Surroundings) -> Result<StateDir, RunError> {
    Ok(StateDir::open(&surroundings.state_dir)?.with_tmp_below(&surroundings.temp_dir))
}

/// Clears away what killed processes left: temporary files, and children of runs that nobody works on.
pub(crate) fn clear_leftovers(state_dir: &StateDir) -> Result<(), RunError> {
    let marked = marked_runs();
    state_dir.clear_leftovers(|idle| {
        if marked.contains(idle.as_str()) {
            end_children(idle);
        }
    })?;
    Ok(())
}

/// Ends whatever a run's calls have started and left behind; for the holder of the run's lock.
///
/// What cannot be ended now is named in the log, and ended at the next start.
pub(crate) fn end_children(run: &RunId) {
    let swept = sweep(&Marker::of_run(run.as_str()));
    tracing::debug!(%run, ?swept, "swept");
}

pub(crate) fn started(loaded: &Loaded, run: &str) -> Notice {
    Notice::Started {
        run: run.to_owned(),
        recipe: format!("{} {}", loaded.recipe.name, loaded.recipe.version),
        origin: loaded.definition.recipe.origin.clone(),
        shadows: loaded.definition.recipe.shadows,
    }
}

/// Keys that the user gave for this very run mean a step or a role of its plan: one that means nothing
/// would leave an agent unasked without a word.
pub(crate) fn check_agent_keys(loaded: &Loaded, given: &[String]) -> Result<(), RunError> {
    let mut known: Vec<String> = Vec::new();
    for step in loaded.plan.steps() {
        if let Work::Ask { role, .. } = step.work {
            known.extend([role.word().to_owned(), role.to_string(), step.id.to_string()]);
        }
    }
    known.sort_unstable();
    known.dedup();
    match given.iter().find(|key| !known.contains(key)) {
        Some(key) => Err(RunError::AgentKey { key: key.clone(), known }),
        None => Ok(()),
    }
}

/// Every agent that the plan asks can be started, or the run does not begin (DI-14).
pub(crate) fn check_agents(loaded: &Loaded, surroundings: &Surroundings) -> Result<(), RunError> {
    for step in loaded.plan.steps() {
        let Work::Ask { role, .. } = step.work else { continue };
        let agent = loaded.definition.agents.for_call(&step.id, role);
        let fault = |why: String| RunError::Agent { name: agent.name.clone(), role, why };
        tribunal_dispatch::agent(&agent.row).map_err(|error| fault(error.to_string()))?;
        let Some(program) = program(loaded, agent) else {
            return Err(fault("names no program".to_owned()));
        };
        find_program(&program, surroundings.path()).map_err(|error| fault(error.to_string()))?;
    }
    Ok(())
}

/// The program of an agent as its calls will be started: a path is taken from the repository root.
pub(crate) fn program(loaded: &Loaded, agent: &Agent) -> Option<OsString> {
    let program = agent.program()?;
    Some(if program.contains('/') {
        PathBuf::from(loaded.definition.users_root()).join(program).into_os_string()
    } else {
        program.into()
    })
}

pub(crate) fn tree(
    loaded: &Loaded,
    run: &RunId,
    surroundings: &Surroundings,
) -> Result<Tree, RunError> {
    let root = PathBuf::from(&loaded.definition.root);
    let worktree = if loaded.definition.options.no_git {
        let store = surroundings.state_dir.join("objects").join(run.as_str());
        Worktree::without_git(&root, &store)?
    } else {
        worktree_at(&root)?
    };
    let mut excluded = vec![surroundings.state_dir.clone()];
    excluded.extend(output_dir(loaded).map(|folder| root.join(folder)));
    Ok(Tree::new(worktree, run.clone(), excluded))
}

/// The work tree of a run that began at this root.
pub(crate) fn worktree_at(root: &Path) -> Result<Worktree, RunError> {
    let worktree = Worktree::open(root)?;
    // Git's settings are within an agent's reach: they do not lead a resumed run elsewhere.
    if worktree.root() != root {
        let fault = PlaceFault::Moved { root: worktree.root().to_owned() };
        return Err(RunError::Target { path: root.display().to_string(), fault });
    }
    Ok(worktree)
}

/// The user's work tree of an isolated run.
pub(crate) fn users_tree(
    loaded: &Loaded,
    run: &RunId,
    surroundings: &Surroundings,
) -> Result<Tree, RunError> {
    let worktree = Worktree::open(Path::new(loaded.definition.users_root()))?;
    Ok(Tree::new(worktree, run.clone(), vec![surroundings.state_dir.clone()]))
}

fn output_dir(loaded: &Loaded) -> Option<String> {
    let values: &Fields = loaded.definition.values.as_map()?;
    values.get("output_dir").map(Datum::render).filter(|folder| !folder.is_empty())
}

pub(crate) fn output(loaded: &Loaded, run: &RunId, surroundings: &Surroundings) -> Option<Output> {
    let root = PathBuf::from(&loaded.definition.root);
    let folder = output_dir(loaded)?;
    Some(Output::new(&folder, &root, &surroundings.temp_dir).of_run(run))
}

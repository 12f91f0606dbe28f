//! Runs of the past: listing, showing, going on with them.

use std::path::Path;

use tribunal_journal::{Past, StateDir};
use tribunal_phase::{ArtifactId, Outcome, RunId, What};
use tribunal_record::{Body, Note, Record};

use crate::compute::Artifacts;
use crate::definition::{Definition, Loaded};
use crate::drive::Driver;
use crate::ending::Ending;
use crate::error::RunError;
use crate::fold::{Strictness, fold};
use crate::inspector::lay_out;
use crate::isolation::{Base, isolated};
use crate::native::AddedSteps;
use crate::notice::Notice;
use crate::prepare::{check_agents, end_children, output, started, state_dir, tree};
use crate::proof::Proof;
use crate::review_loop;
use crate::run::finish;
use crate::surroundings::Surroundings;
use crate::trail::{Trail, Undoing};
use crate::view::{instant, view};

impl Artifacts for Past {
    fn artifact(&self, id: &ArtifactId) -> Result<Vec<u8>, RunError> {
        Ok(Past::artifact(self, id)?)
    }
}

/// One run in a list.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RunLine {
    /// Its id.
    pub run: String,
    /// When it began, as it is shown.
    pub started: String,
    /// Its recipe.
    pub recipe: String,
    /// The repository.
    pub root: String,
    /// How it stands.
    pub standing: String,
}

/// All runs, newest first; one whose journal cannot be read says so in its line.
///
/// # Errors
/// The state folder cannot be read.
pub fn list(surroundings: &Surroundings) -> Result<Vec<RunLine>, RunError> {
    let state_dir = state_dir(surroundings)?;
    let lines = state_dir.list()?.into_iter().map(|id| {
        line(&state_dir, &id).unwrap_or_else(|error| RunLine {
            run: id.to_string(),
            started: String::new(),
            recipe: String::new(),
            root: String::new(),
            standing: error.to_string(),
        })
    });
    Ok(lines.collect())
}

fn line(state_dir: &StateDir, id: &RunId) -> Result<RunLine, RunError> {
    let past = state_dir.read(id)?;
    if let Some(line) = review_loop::run_line(&past, id)? {
        return Ok(line);
    }
    let definition = definition(past.records(), &past, id)?;
    let root = definition.users_root().to_owned();
    let finished = past.records().iter().rev().find_map(|record| match &record.body {
        Body::Note(Note::Finished { outcome }) => Some(outcome.clone()),
        _ => None,
    });
    let undone = past.records().iter().rev().find_map(|record| match &record.body {
        Body::Note(Note::Undoing { .. }) => Some("its undoing broke off"),
        Body::Note(Note::Undone { .. }) => Some("undone since"),
        _ => None,
    });
    let standing = match finished {
        Some(Outcome::Completed) => "completed".to_owned(),
        Some(Outcome::Failed { call, failure }) => format!("failed at {call}: {failure}"),
        Some(Outcome::Paused(_)) if undone.is_some() => "paused".to_owned(),
        None if undone.is_some() => "stopped without a word".to_owned(),
        Some(Outcome::Paused(_)) => "paused, can be resumed".to_owned(),
        None => "running, or stopped without a word; can be resumed".to_owned(),
    };
    Ok(RunLine {
        run: id.to_string(),
        started: past.records().first().map(|record| instant(record.time)).unwrap_or_default(),
        recipe: definition.recipe.name,
        root,
        standing: match undone {
            Some(undone) => format!("{standing}, {undone}"),
            None => standing,
        },
    })
}

/// Whether nothing is owed any more, the report included.
pub(crate) fn is_finished(records: &[Record]) -> bool {
    records.iter().any(|record| {
        matches!(
            &record.body,
            Body::Note(Note::Finished { outcome: Outcome::Completed | Outcome::Failed { .. } })
        )
    })
}

/// The definition that the run follows.
pub(crate) fn definition(
    records: &[Record],
    artifacts: &dyn Artifacts,
    id: &RunId,
) -> Result<Definition, RunError> {
    let disagrees =
        |record: u64, why: String| RunError::Disagrees { run: id.to_string(), record, why };
    let defined = records.iter().find_map(|record| match &record.body {
        Body::Note(Note::Defined { definition }) => Some((record.seq, definition)),
        _ => None,
    });
    let Some((seq, artifact)) = defined else {
        return Err(disagrees(1, "the run has no definition".to_owned()));
    };
    serde_json::from_slice(&artifacts.artifact(artifact)?)
        .map_err(|error| disagrees(seq, format!("its definition cannot be read: {error}")))
}

/// What a run has come to, folded from its journal.
///
/// # Errors
/// No such run, or its journal cannot be read.
pub fn show(prefix: &str, surroundings: &Surroundings) -> Result<Ending, RunError> {
    let state_dir = state_dir(surroundings)?;
    let id = state_dir.resolve(prefix)?;
    let past = state_dir.read(&id)?;
    let loaded = Loaded::new(definition(past.records(), &past, &id)?, AddedSteps::default())?;
    // A repository that has gone since leaves the run without its evidence, not without its report.
    let tree = tree(&loaded, &id, surroundings).ok();
    let (records, run) = (past.records(), id.as_str());
    let folded = fold(&loaded, records, &past, tree.as_ref(), Strictness::Show, run)?;
    let shown = match folded.state.outcome() {
        Some(paused @ Outcome::Paused(_)) => paused,
        Some(ended) if is_finished(records) => ended,
        // Its report is still owed when it has ended already.
        Some(Outcome::Completed | Outcome::Failed { .. }) | None => {
            Outcome::Paused(tribunal_phase::Pause::Signal(9))
        }
    };
    let proof = Proof::of(&loaded, &folded.memory, records, &past)?;
    let (state, memory) = (&folded.state, &folded.memory);
    let view = view(&loaded, state, memory, &shown, records, run, proof.as_ref());
    Ok(Ending::new(shown, view, &loaded, &folded.state, &folded.memory))
}

/// Goes on with a run, with the definition it began with.
///
/// # Errors
/// No such run, somebody else works on it, it has ended, or its records do not agree with what is
/// computed from them.
pub async fn resume(
    prefix: &str,
    surroundings: &Surroundings,
    added: AddedSteps,
    notify: &mut dyn FnMut(Notice),
) -> Result<Ending, RunError> {
    let state_dir = state_dir(surroundings)?;
    let id = state_dir.resolve(prefix)?;
    let mut run = state_dir.open_run(&id)?;
    review_loop::is_no_loop(run.records(), &run, &id)?;
    if is_finished(run.records()) {
        return Err(RunError::Ended(id.to_string()));
    }
    end_children(&id);
    let loaded = Loaded::new(definition(run.records(), &run, &id)?, added)?;
    if Trail::of(run.records(), &loaded.plan).undoing != Undoing::No {
        return Err(RunError::Undone(id.to_string()));
    }
    check_agents(&loaded, surroundings)?;
    let root = Path::new(&loaded.definition.root);
    let _alone = state_dir.lock_tree(root)?;
    if let (Some(from), None) = (&loaded.definition.isolated_from, isolated(run.records())) {
        // Killed before its own work tree was complete: nothing has happened in it.
        let base = Base::of(Path::new(from), &id, &surroundings.state_dir, None)?;
        base.isolate(&state_dir, &mut run, root)?;
    }
    let tree = tree(&loaded, &id, surroundings)?;
    tree.free()?;
    let records = run.records();
    let folded = fold(&loaded, records, &run, Some(&tree), Strictness::Resume, id.as_str())?;
    notify(started(&loaded, id.as_str()));
    if let Some(context) = folded.memory.contexts.last() {
        notify(Notice::Cycle { number: context.cycle });
    }
    let output = output(&loaded, &id, surroundings);
    let began = folded.state.running().is_some();
    let outcome = folded.state.outcome();
    let rules = lay_out(&loaded.definition.inspector, &run)?;
    let mut driver = Driver::new(&loaded, surroundings, notify, run, Some(tree), output)
        .with_rules(rules)
        .at(folded.state, folded.memory);
    let result = match outcome {
        // Killed between the last event and its report: only the report is owed.
        Some(outcome @ (Outcome::Completed | Outcome::Failed { .. })) => Ok(outcome),
        Some(Outcome::Paused(_)) | None if began => driver.drive(What::Resumed).await,
        Some(Outcome::Paused(_)) | None => driver.drive(What::Began).await,
    };
    finish(driver, result).await
}

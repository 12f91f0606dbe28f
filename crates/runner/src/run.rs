//! Starting a run.

use std::path::{Path, PathBuf};

use tribunal_journal::{Run, StateDir};
use tribunal_phase::{Outcome, RunId, What};
use tribunal_recipe::{Datum, Problem, Recipe};
use tribunal_record::{Body, Note};

use crate::agents::Agents;
use crate::definition::{Definition, Loaded, Options, read};
use crate::drive::{Driver, wall_clock};
use crate::ending::Ending;
use crate::error::RunError;
use crate::inspector::{InspectorOptions, lay_out};
use crate::isolation::{Base, Place};
use crate::library::RecipeText;
use crate::native::AddedSteps;
use crate::notice::Notice;
use crate::own_folders::{check_output_dir, check_state_dir};
use crate::place_fault::PlaceFault;
use crate::prepare::{
    check_agent_keys, check_agents, clear_leftovers, end_children, output, started, state_dir, tree,
};
use crate::proof::{CheckOptions, Proof, prove};
use crate::rules::check_rules;
use crate::surroundings::Surroundings;
use crate::target;
use crate::variables::settle;
use crate::view::view;

/// What is to be run.
#[derive(Debug, Clone)]
pub struct RunRequest {
    /// The recipe.
    pub recipe: RecipeText,
    /// Variables, as they were given.
    pub given: Vec<(String, String)>,
    /// Who is asked.
    pub agents: Agents,
    /// Keys of agents that must mean something in this recipe.
    pub agent_keys: Vec<String>,
    /// Options that are no variables.
    pub options: Options,
    /// Whether the run gets a work tree of its own, and the user's is not touched.
    pub isolate: bool,
    /// What its fixes are checked with, where a command is set.
    pub check: Option<CheckOptions>,
    /// What the embedded inspector goes by, where it is asked.
    pub inspector: InspectorOptions,
    /// Steps that the calling program adds.
    pub added: AddedSteps,
}

/// A recipe that was checked and not run.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The recipe.
    pub recipe: Recipe,
    /// What is odd about it and stops nothing.
    pub warnings: Vec<Problem>,
}

/// Reads a recipe and checks that it could be run: text, steps, roles, order (`admit`, folded dry).
///
/// # Errors
/// Everything that is wrong with it.
pub fn check(
    text: &RecipeText,
    options: &Options,
    added: &AddedSteps,
) -> Result<Checked, RunError> {
    let loaded = read(text, options.lenient, added)?;
    crate::definition::compile_only(&loaded.recipe, options, added)?;
    Ok(Checked { recipe: loaded.recipe, warnings: loaded.warnings })
}

/// Runs a recipe to its end or pause and writes its results.
///
/// Everything that can be checked is checked before anything is started; nothing is lost from then
/// on: what happened is recorded before it is acted on.
///
/// # Errors
/// What keeps the run from starting or going on. A run that has started can be resumed then.
pub async fn run(
    request: RunRequest,
    surroundings: &Surroundings,
    notify: &mut dyn FnMut(Notice),
) -> Result<Ending, RunError> {
    let read = read(&request.recipe, request.options.lenient, &request.added)?;
    let mut values = settle(&read.recipe, &request.given).map_err(RunError::Variables)?;
    crate::definition::compile_only(&read.recipe, &request.options, &request.added)?;
    let no_git = request.options.no_git;
    let path = |name: &str| values.get(name).map_or_else(|| ".".to_owned(), Datum::render);
    let target = target::check(&path("repo_path"), &path("target_path"), no_git, surroundings)?;
    if values.contains_key("target_path") {
        values.insert("target_path".to_owned(), Datum::from(target.path.as_str()));
    }
    let mut root = utf8(&target.root)?;
    let id = StateDir::new_id();
    let mut isolated_from = None;
    let results = values.get("output_dir").map(Datum::render).map(PathBuf::from);
    if request.isolate {
        let place = Place::of(&state_dir(surroundings)?, &id, &target.root);
        place.redirect(&mut values);
        isolated_from = Some(std::mem::replace(&mut root, utf8(&place.root)?));
    }
    let definition = Definition {
        tool: env!("CARGO_PKG_VERSION").to_owned(),
        recipe: request.recipe,
        values: Datum::Map(values),
        options: request.options,
        inspector: request.inspector,
        agents: request.agents,
        root,
        isolated_from,
        check: request.check,
        mark: uuid::Uuid::new_v4().simple().to_string(),
    };
    let loaded = Loaded::new(definition, request.added)?;
    check_agent_keys(&loaded, &request.agent_keys)?;
    check_agents(&loaded, surroundings)?;
    check_rules(&loaded, surroundings).await?;
    check_state_dir(&loaded, surroundings)?;
    let state_dir = state_dir(surroundings)?;
    clear_leftovers(&state_dir)?;
    let _alone = state_dir.lock_tree(Path::new(&loaded.definition.root))?;
    let (run, tree) = if request.isolate {
        let base = Base::of(&target.root, &id, &surroundings.state_dir, results.as_deref())?;
        let mut run = begin(&state_dir, &id, &loaded)?;
        base.isolate(&state_dir, &mut run, Path::new(&loaded.definition.root))?;
        (run, tree(&loaded, &id, surroundings)?)
    } else {
        let tree = tree(&loaded, &id, surroundings)?;
        check_output_dir(&loaded, &tree)?;
        (begin(&state_dir, &id, &loaded)?, tree)
    };
    notify(started(&loaded, run.id().as_str()));
    for warning in read.warnings {
        notify(Notice::Warning(warning.to_string()));
    }
    let output = output(&loaded, &id, surroundings);
    let rules = lay_out(&loaded.definition.inspector, &run)?;
    let mut driver =
        Driver::new(&loaded, surroundings, notify, run, Some(tree), output).with_rules(rules);
    let outcome = driver.drive(What::Began).await;
    finish(driver, outcome).await
}

/// Makes the run, with its definition as the first record.
fn begin(state_dir: &StateDir, id: &RunId, loaded: &Loaded) -> Result<Run, RunError> {
    let mut run = state_dir.create(id)?;
    let text = serde_json::to_vec(&loaded.definition).expect("a definition is plain data");
    let artifact = run.keep(&text)?;
    run.append(Body::Note(Note::Defined { definition: artifact }), wall_clock())?;
    Ok(run)
}

fn utf8(path: &Path) -> Result<String, RunError> {
    path.to_str().map(str::to_owned).ok_or_else(|| RunError::Target {
        path: path.display().to_string(),
        fault: PlaceFault::NotUtf8,
    })
}

/// Ends what is left of the run's children, makes the report and writes it where people look.
///
/// Only then the run is recorded as finished: one that is killed before still owes its report, and
/// resuming it pays.
pub(crate) async fn finish(
    mut driver: Driver<'_>,
    outcome: Result<Outcome, RunError>,
) -> Result<Ending, RunError> {
    end_children(driver.run.id());
    let mut outcome = outcome?;
    if outcome == Outcome::Completed
        && let Some(paused) = prove(&mut driver).await?
    {
        outcome = paused;
    }
    let proof = Proof::of(driver.loaded, &driver.memory, driver.run.records(), &driver.run)?;
    let shown = view(
        driver.loaded,
        &driver.state,
        &driver.memory,
        &outcome,
        driver.run.records(),
        driver.run.id().as_str(),
        proof.as_ref(),
    );
    if let Some(output) = &mut driver.output {
        let results = [
            ("report.md", tribunal_report::markdown(&shown)),
            ("findings.json", tribunal_report::json(&shown)),
        ];
        for (name, text) in results {
            let kept = output.write_result(name, text.as_bytes())?;
            if let Some(why) = kept.fallback {
                (driver.notify)(Notice::Warning(format!("{why}; written to {}", kept.printed)));
            }
        }
    }
    driver.append(Body::Note(Note::Finished { outcome: outcome.clone() }))?;
    let ending = Ending::new(outcome, shown, driver.loaded, &driver.state, &driver.memory);
    close(driver.run)?;
    Ok(ending)
}

fn close(run: Run) -> Result<(), RunError> {
    Ok(run.close()?)
}

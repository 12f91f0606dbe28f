//! What a run follows from its first record to its last, whatever changes around it.

use serde::{Deserialize, Serialize};
use tribunal_phase::{Millis, plan::Plan};
use tribunal_recipe::{Datum, Fields, Recipe, Source, Strictness, load};

use crate::agents::Agents;
use crate::compile::{Shape, compile};
use crate::error::RunError;
use crate::inspector::InspectorOptions;
use crate::library::RecipeText;
use crate::limits::Limits;
use crate::native::AddedSteps;
use crate::proof::CheckOptions;
use crate::roles::validators;

/// A run's definition, stored as its first artifact (DESIGN §3, flow 1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Definition {
    /// The version of the tool that began the run.
    pub(crate) tool: String,
    /// The recipe as it was read.
    pub(crate) recipe: RecipeText,
    /// Its variables as they were given.
    pub(crate) values: Datum,
    /// Options of the run.
    pub(crate) options: Options,
    /// What the embedded inspector goes by; runs of older versions have nothing of it.
    #[serde(default, skip_serializing_if = "InspectorOptions::is_empty")]
    pub(crate) inspector: InspectorOptions,
    /// Who is asked.
    pub(crate) agents: Agents,
    /// The root of the work tree that the run works in, absolute.
    pub(crate) root: String,
    /// The user's work tree, absolute, where the run has one of its own (`--isolate`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) isolated_from: Option<String>,
    /// What its fixes are checked with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) check: Option<CheckOptions>,
    /// The mark around data in prompts.
    pub(crate) mark: String,
}

impl Definition {
    /// The root of the work tree that the user sees.
    pub(crate) fn users_root(&self) -> &str {
        self.isolated_from.as_deref().unwrap_or(&self.root)
    }
}

/// Options of a run that are no variables of its recipe (D16, D41, D43).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Calls of the fixer in one cycle.
    pub fix_attempts: u32,
    /// How long each cycle's own work may take; `None` for ever.
    pub cycle_timeout: Option<Millis>,
    /// Nobody is asked to fix anything.
    pub no_fix: bool,
    /// No repository is needed: snapshots are kept in the run's own folder (D15).
    pub no_git: bool,
    /// The tree is never put back.
    pub keep_tree: bool,
    /// Keys that a recipe does not know are warnings.
    pub lenient: bool,
}

impl Default for Options {
    /// Two fix attempts, 900 s a cycle (seed 000), everything else off.
    fn default() -> Self {
        Self {
            fix_attempts: 2,
            cycle_timeout: Some(900_000),
            no_fix: false,
            no_git: false,
            keep_tree: false,
            lenient: false,
        }
    }
}

impl Options {
    /// What recipes read as `setting.NAME`.
    pub(crate) fn as_datum(&self) -> Datum {
        let seconds = self.cycle_timeout.unwrap_or(0) / 1000;
        Datum::map([
            ("fix_attempts", Datum::from(self.fix_attempts)),
            ("cycle_timeout", Datum::Int(i64::try_from(seconds).unwrap_or(i64::MAX))),
            ("contract_repairs", Datum::Int(0)),
            ("no_fix", Datum::Bool(self.no_fix)),
        ])
    }

    fn shape(&self) -> Shape {
        Shape {
            fix_attempts: self.fix_attempts,
            cycle_timeout: self.cycle_timeout,
            keep_tree: self.keep_tree,
        }
    }
}

/// A definition that was read and checked: everything a driver needs to know.
pub(crate) struct Loaded {
    pub(crate) definition: Definition,
    pub(crate) recipe: Recipe,
    pub(crate) plan: Plan,
    /// What an audit is held to; `None` for a recipe without the audit's steps.
    pub(crate) limits: Option<Limits>,
    pub(crate) validators: u32,
    pub(crate) added: AddedSteps,
    /// Every declared name with its default, and the settings.
    pub(crate) declared: Fields,
}

impl Loaded {
    /// Reads and checks everything, before anything is started.
    pub(crate) fn new(definition: Definition, added: AddedSteps) -> Result<Self, RunError> {
        let recipe = read(&definition.recipe, definition.options.lenient, &added)?.recipe;
        let mut plan = compile_only(&recipe, &definition.options, &added)?;
        let validators = validators(&recipe);
        let values = definition.values.as_map().cloned().unwrap_or_default();
        let limits = if is_audit(&plan) {
            Some(Limits::read(&values, validators).map_err(RunError::Variables)?)
        } else {
            None
        };
        plan.policy = limits.as_ref().map(|limits| limits.policy);
        let mut declared: Fields = recipe
            .context
            .iter()
            .map(|variable| (variable.name.clone(), variable.default.clone()))
            .collect();
        for output in recipe.all_steps().filter_map(|step| step.output.as_deref()) {
            declared.insert(output.to_owned(), Datum::Null);
        }
        declared.insert("setting".to_owned(), definition.options.as_datum());
        Ok(Self { definition, recipe, plan, limits, validators, added, declared })
    }

    /// The first frame's values: as declared, with what was given.
    pub(crate) fn first_values(&self) -> Fields {
        let mut values = self.declared.clone();
        if let Some(given) = self.definition.values.as_map() {
            values.extend(given.clone());
        }
        values
    }
}

/// Reads a recipe's text.
pub(crate) fn read(
    text: &RecipeText,
    lenient: bool,
    added: &AddedSteps,
) -> Result<tribunal_recipe::Loaded, RunError> {
    let strictness = if lenient { Strictness::Lenient } else { Strictness::Strict };
    let source = Source { name: text.origin.clone(), text: text.text.clone() };
    match load(&source, strictness, &added.names()) {
        Ok(loaded) => Ok(loaded),
        Err(problems) => Err(RunError::Recipe { text: Box::new(text.clone()), problems }),
    }
}

/// Checks that a recipe can be run, and nothing more.
pub(crate) fn compile_only(
    recipe: &Recipe,
    options: &Options,
    added: &AddedSteps,
) -> Result<Plan, RunError> {
    compile(recipe, options.shape(), added)
        .map_err(|errors| RunError::Compile { recipe: recipe.name.clone(), errors })
}

/// Whether any step establishes a fact of the audit cycle.
fn is_audit(plan: &Plan) -> bool {
    use tribunal_phase::plan::Work;
    plan.steps().any(|step| match step.work {
        Work::Ask { role, .. } => role.contract().is_some(),
        Work::Native { gives } => gives.is_some(),
        Work::Recurse => true,
        Work::Run { .. } => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_of_an_older_version_says_nothing_of_the_inspector() {
        let kept = r#"{
            "tool": "0.1.0",
            "recipe": {"name": "r", "origin": "built in", "text": "name: r", "shadows": false},
            "values": null,
            "options": {"fix_attempts": 2, "cycle_timeout": 900000, "no_fix": false,
                "no_git": false, "keep_tree": false, "lenient": false},
            "agents": {"everyone": {"name": "inspector", "row": "inspector", "words": ["t"]},
                "by_key": []},
            "root": "/r",
            "mark": "Q7"
        }"#;
        let read: Definition = serde_json::from_str(kept).expect("it can be read");
        assert_eq!(read.inspector, InspectorOptions::default());
        let again = serde_json::to_value(&read).expect("a definition is plain data");
        assert!(again.get("inspector").is_none(), "{again}");
    }
}

//! From the text of a recipe to its checked form, with all faults at once.

mod bindings;
mod check;
mod keys;
mod kind;
mod reading;
mod step;
mod values;

use crate::problem::{Problem, ProblemKind, Strictness};
use crate::recipe::{MachineKind, Output, Recipe, Recursion, Variable};
use crate::yaml::{self, Entry, Value, Yaml};
use reading::Reading;

/// A recipe's text and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// A path, or a name for a recipe that is compiled in.
    pub name: String,
    /// YAML.
    pub text: String,
}

/// A recipe that can run.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The recipe.
    pub recipe: Recipe,
    /// What is odd about it and stops nothing.
    pub warnings: Vec<Problem>,
}

/// Reads and checks a recipe (D36): keys, kinds of values, expressions, templates, scripts, names,
/// owners of outputs and parallel groups. `added` names the steps that the calling program brings
/// along; `uses:` may name them beside the native ones.
///
/// # Errors
/// Every fault that was found, in the order of the text. `Lenient` makes keys and kinds of steps that
/// are unknown or not supported into warnings.
pub fn load(
    source: &Source,
    strictness: Strictness,
    added: &[&str],
) -> Result<Loaded, Vec<Problem>> {
    let (tree, duplicates) = yaml::read(&source.text).map_err(|problem| vec![problem])?;
    let mut reading = Reading::new(&source.text, strictness, added);
    duplicates.into_iter().for_each(|problem| reading.error(problem));
    let recipe = recipe(&tree, &mut reading);
    if let Some(recipe) = &recipe {
        check::check(recipe, &mut reading);
    }
    let (errors, warnings) = reading.finish();
    match recipe {
        Some(recipe) if errors.is_empty() => Ok(Loaded { recipe, warnings }),
        _ => Err(errors),
    }
}

/// Reads what can be read; `None` when there is nothing to check further.
fn recipe(tree: &Yaml, reading: &mut Reading<'_>) -> Option<Recipe> {
    let Value::Map(entries) = &tree.value else {
        let message = format!("a recipe is a map of keys, found {}", tree.found());
        let problem = Problem::new(ProblemKind::Value, tree.span.clone(), message);
        reading.error(problem.remedy("begin with `name:` and `steps:`"));
        return None;
    };
    reading.unknown_keys(entries, &keys::TOP);
    let name = reading.required(entries, "name", tree).and_then(|entry| reading.text(entry));
    let context = find(entries, "context").map_or_else(Vec::new, |entry| context(entry, reading));
    let steps = match reading.required(entries, "steps", tree) {
        Some(entry) => step::nodes(entry, reading),
        None => Vec::new(),
    };
    Some(Recipe {
        name: name.unwrap_or_default(),
        version: version(entries, reading),
        description: optional_text(entries, "description", reading),
        author: optional_text(entries, "author", reading),
        tags: find(entries, "tags").map_or_else(Vec::new, |entry| reading.texts(entry)),
        machine: find(entries, "machine")
            .map_or(MachineKind::Plan, |entry| machine(entry, reading)),
        context,
        steps,
        output: find(entries, "output").and_then(|entry| output(entry, reading)),
        recursion: find(entries, "recursion")
            .map_or_else(Recursion::default, |entry| recursion(entry, reading)),
    })
}

fn find<'y>(entries: &'y [Entry], key: &str) -> Option<&'y Entry> {
    entries.iter().find(|entry| entry.key == key)
}

fn optional_text(entries: &[Entry], key: &str, reading: &mut Reading<'_>) -> String {
    // A recipe without a description has an empty one.
    find(entries, key).and_then(|entry| reading.text(entry)).unwrap_or_default()
}

/// Kept as written: `version: 1.10` is not the number 1.1.
fn version(entries: &[Entry], reading: &mut Reading<'_>) -> String {
    match find(entries, "version") {
        None => "1.0.0".to_owned(),
        Some(entry) => match &entry.value.value {
            Value::Scalar(value) if value.kind() == "number" => {
                reading.source(&entry.value.span).to_owned()
            }
            // A version that is no text was reported; no recipe comes of it.
            _ => reading.text(entry).unwrap_or_default(),
        },
    }
}

fn machine(entry: &Entry, reading: &mut Reading<'_>) -> MachineKind {
    let kind = match reading.text(entry).as_deref() {
        Some("plan") | None => return MachineKind::Plan,
        Some("goal") => MachineKind::Goal,
        Some("review_loop") => MachineKind::ReviewLoop,
        Some("round") => MachineKind::Round,
        Some(other) => {
            let problem = reading.value(entry, format!("there is no machine `{other}`"));
            reading.error(problem.remedy("plan, goal, review_loop or round"));
            return MachineKind::Plan;
        }
    };
    let word = reading.source(&entry.value.span).to_owned();
    let message = format!("the machine `{word}` is not supported yet");
    reading.error(Problem::new(ProblemKind::Unsupported, entry.value.span.clone(), message));
    kind
}

fn context(entry: &Entry, reading: &mut Reading<'_>) -> Vec<Variable> {
    let mut variables = Vec::new();
    for variable in reading.entries(entry) {
        if reading.name(variable) {
            let comment = reading.comment_behind(&variable.value);
            let default = variable.value.to_datum();
            variables.push(Variable { name: variable.key.clone(), default, comment });
        }
    }
    variables
}

fn recursion(entry: &Entry, reading: &mut Reading<'_>) -> Recursion {
    let entries = reading.entries(entry);
    reading.unknown_keys(entries, &keys::RECURSION);
    let default = Recursion::default();
    let mut limit =
        |key, default| find(entries, key).and_then(|entry| reading.count(entry)).unwrap_or(default);
    Recursion {
        max_depth: limit("max_depth", default.max_depth),
        max_total_steps: limit("max_total_steps", default.max_total_steps),
    }
}

fn output(entry: &Entry, reading: &mut Reading<'_>) -> Option<Output> {
    match &entry.value.value {
        Value::Map(_) => Some(Output::Map(reading.bindings(entry))),
        _ => reading.template(entry).map(Output::Text),
    }
}

#[cfg(test)]
mod tests;

//! `tribunal recipe run|list|show|validate`.

use std::io::Write as _;

use tribunal_runner::{AddedSteps, Library, Options, RecipeText, RunError, check, locate};

use crate::args::RecipeCommand;
use crate::command::running::{pairs, run_recipe};
use crate::exit_status::ExitStatus;
use crate::failure::Failure;
use crate::front::{Front, print};
use crate::problems::{Level, render};
use crate::settings::Settings;

pub(crate) fn run(front: &Front, command: RecipeCommand) -> Result<ExitStatus, Failure> {
    match command {
        RecipeCommand::Run { recipe, options } => {
            let given = pairs(&options.context)?;
            let repo = given.iter().rev().find(|(key, _)| key == "repo_path");
            let settings = settings(front, repo.map_or(".", |(_, path)| path))?;
            let text = find(&settings, &recipe)?;
            run_recipe(front, &settings, text, given, &options)
        }
        RecipeCommand::List => list(front),
        RecipeCommand::Show { recipe } => {
            print(&find(&settings(front, ".")?, &recipe)?.text)?;
            Ok(ExitStatus::Holds)
        }
        RecipeCommand::Validate { recipe, lenient } => validate(front, &recipe, lenient),
        RecipeCommand::Execute { .. } => {
            Err(Failure::usage("deprecated: use 'tribunal recipe run'".to_owned()))
        }
    }
}

/// The settings that hold in a folder; outside of a repository those of the user.
pub(crate) fn settings(front: &Front, path: &str) -> Result<Settings, Failure> {
    let root = locate(path, false, &front.places.surroundings()).ok().map(|target| target.root);
    Settings::read(&front.places, root.as_deref())
}

fn find(settings: &Settings, name: &str) -> Result<RecipeText, Failure> {
    if settings.untrusted_recipes.iter().any(|known| known == name) {
        return Err(Failure::untrusted_recipe(name));
    }
    let library = Library { folder: settings.recipes.clone() };
    Ok(library.find(name).map_err(RunError::from)?)
}

fn list(front: &Front) -> Result<ExitStatus, Failure> {
    let settings = settings(front, ".")?;
    let library = Library { folder: settings.recipes.clone() };
    let mut lines = String::new();
    for text in library.list().map_err(RunError::from)? {
        let what = match check(&text, &Options::default(), &AddedSteps::default()) {
            Ok(checked) => format!("{}  {}", checked.recipe.version, checked.recipe.description),
            Err(error) => format!("cannot be run: {error}"),
        };
        lines += &format!("{}  ({})  {what}\n", text.name, text.origin);
    }
    for name in &settings.untrusted_recipes {
        lines += &format!("{name}  (.tribunal/recipes, not trusted)\n");
    }
    print(&lines)?;
    Ok(ExitStatus::Holds)
}

fn validate(front: &Front, name: &str, lenient: bool) -> Result<ExitStatus, Failure> {
    let text = find(&settings(front, ".")?, name)?;
    let options = Options { lenient, ..Options::default() };
    let checked = check(&text, &options, &AddedSteps::default())?;
    if !checked.warnings.is_empty() {
        let warnings = render(&text.origin, &text.text, &checked.warnings, Level::Warning);
        // A closed standard error takes the warnings away, never the answer.
        let _ = writeln!(anstream::stderr(), "{warnings}");
    }
    let recipe = checked.recipe;
    let steps = recipe.all_steps().count();
    print(&format!("{} {}: {steps} steps, {}", recipe.name, recipe.version, text.origin))?;
    Ok(ExitStatus::Holds)
}

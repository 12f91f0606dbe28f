//! `tribunal audit`.

use tribunal_runner::{Library, locate};

use crate::args::AuditArgs;
use crate::command::running::{pairs, run_recipe};
use crate::exit_status::ExitStatus;
use crate::failure::Failure;
use crate::front::Front;
use crate::settings::Settings;

const RECIPE: &str = "quality-audit-cycle";

pub(crate) fn run(front: &Front, args: &AuditArgs) -> Result<ExitStatus, Failure> {
    let mut given = pairs(&args.options.context)?;
    for name in ["repo_path", "target_path"] {
        if given.iter().any(|(key, _)| key == name) {
            return Err(Failure::usage(format!("-c {name}: `audit` takes it from its PATH")));
        }
    }
    let surroundings = front.places.surroundings();
    let target = locate(&args.path, args.options.no_git, &surroundings)?;
    let root = target.root.to_str().ok_or_else(|| {
        Failure::usage(format!("{}: is not UTF-8, which prompts need", target.root.display()))
    })?;
    given.push(("repo_path".to_owned(), root.to_owned()));
    given.push(("target_path".to_owned(), target.path));
    let settings = Settings::read(&front.places, Some(&target.root))?;
    if settings.untrusted_recipes.iter().any(|name| name == RECIPE) {
        return Err(Failure::untrusted_recipe(RECIPE));
    }
    let library = Library { folder: settings.recipes.clone() };
    let recipe = library.find(RECIPE).map_err(tribunal_runner::RunError::from)?;
    run_recipe(front, &settings, recipe, given, &args.options)
}

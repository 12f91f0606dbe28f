//! What `audit`, `recipe run` and `runs resume` share.

use tribunal_finding::Severity;
use tribunal_phase::Outcome;
use tribunal_recipe::Datum;
use tribunal_runner::{
    AddedSteps, Agents, CheckOptions, Ending, Notice, Options, RecipeText, RunError, RunRequest,
};

use crate::agents::{agent_keys, unconfigured_line};
use crate::args::RunOptions;
use crate::exit_status::ExitStatus;
use crate::failure::Failure;
use crate::front::{Front, print};
use crate::inspector::{inspector, tell_untrusted_rules};
use crate::progress::Progress;
use crate::settings::{Settings, SettingsFile};

/// Seconds that one run of the check command may take.
const CHECK_TIMEOUT: u32 = 600;
/// Runs of the check command that proving may cost.
const PROVE_LIMIT: u32 = 20;

/// Runs a recipe and prints its result.
pub(crate) fn run_recipe(
    front: &Front,
    settings: &Settings,
    recipe: RecipeText,
    given: Vec<(String, String)>,
    options: &RunOptions,
) -> Result<ExitStatus, Failure> {
    let agents = crate::agents::agents(options, settings, &front.places)?;
    let inspector = inspector(&options.rules, settings, &agents)?;
    if agents.include_inspector() {
        tell_untrusted_rules(settings);
    }
    let request = RunRequest {
        recipe,
        given,
        agents: agents.clone(),
        agent_keys: agent_keys(&options.agents),
        options: run_options(options, settings),
        isolate: options.isolate,
        check: check_options(options, settings)?,
        inspector,
        added: AddedSteps::default(),
    };
    drive(front, options.fail_on, Some(&agents), async |surroundings, notify| {
        tribunal_runner::run(request, surroundings, notify).await
    })
}

/// A runtime for one command.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::environment(format!("the runtime: {error}")))
}

/// Drives a run to its end in a runtime of its own.
pub(crate) fn drive(
    front: &Front,
    fail_on: Option<Severity>,
    agents: Option<&Agents>,
    run: impl AsyncFnOnce(
        &tribunal_runner::Surroundings,
        &mut dyn FnMut(Notice),
    ) -> Result<Ending, RunError>,
) -> Result<ExitStatus, Failure> {
    let runtime = runtime()?;
    tribunal_runner::adopt_orphans()
        .map_err(|error| Failure::environment(format!("adopting orphans: {error}")))?;
    let surroundings = front.places.surroundings();
    let mut progress = Progress::new(front.verbose);
    let mut line = agents.and_then(unconfigured_line);
    let mut begun = None;
    let result = runtime.block_on(run(&surroundings, &mut |notice| {
        if let Notice::Started { run, .. } = &notice {
            begun = Some(run.clone());
        }
        let asks = matches!(notice, Notice::Launched { agent: Some(_), .. });
        if let Some(line) = line.take_if(|_| asks) {
            progress.tell(Notice::Warning(line));
        }
        progress.tell(notice);
    }));
    progress.end();
    let ending = result.map_err(|error| Failure::of_run(error, begun.as_deref()))?;
    print_result(front, &ending)?;
    Ok(ExitStatus::of(&ending, fail_on))
}

/// The result on standard output; how to go on, on standard error, is part of it.
pub(crate) fn print_result(front: &Front, ending: &Ending) -> Result<(), Failure> {
    if front.json {
        return print(&tribunal_report::json(&ending.view));
    }
    if !ending.is_audit {
        if let Some(value) = &ending.value
            && *value != Datum::Null
        {
            print(&value.render())?;
        }
        if ending.outcome == Outcome::Completed {
            return Ok(());
        }
    }
    print(&tribunal_report::text(&ending.view))
}

/// What fixes are checked with: a command of a flag, of the repository, of the user.
fn check_options(
    options: &RunOptions,
    settings: &Settings,
) -> Result<Option<CheckOptions>, Failure> {
    let (ours, theirs) = (&settings.repository, &settings.user);
    let given = options.check_command.as_ref();
    let command = given.or(ours.check_command.as_ref()).or(theirs.check_command.as_ref());
    let Some(command) = command.filter(|command| !command.trim().is_empty()) else {
        return if options.prove {
            Err(Failure::usage(
                "--prove: needs --check-command, or `check_command` in the settings".to_owned(),
            ))
        } else {
            Ok(None)
        };
    };
    let timeout = options
        .check_timeout
        .or(ours.check_timeout.or(theirs.check_timeout).map(|whole| whole.0))
        .unwrap_or(CHECK_TIMEOUT);
    let limit =
        options.prove_limit.or(ours.prove_limit.or(theirs.prove_limit).map(|whole| whole.0));
    Ok(Some(CheckOptions {
        command: command.clone(),
        timeout: (timeout > 0).then(|| u64::from(timeout) * 1000),
        prove: options.prove,
        prove_limit: limit.unwrap_or(PROVE_LIMIT),
    }))
}

fn run_options(options: &RunOptions, settings: &Settings) -> Options {
    let defaults = Options::default();
    let files = [&settings.repository, &settings.user];
    let set = |value: fn(&SettingsFile) -> Option<u32>| files.into_iter().find_map(value);
    let fix_attempts = options
        .fix_attempts
        .or_else(|| set(|file| file.fix_attempts.map(|whole| whole.0)))
        .unwrap_or(defaults.fix_attempts);
    let cycle_timeout = options
        .cycle_timeout
        .or_else(|| set(|file| file.cycle_timeout.map(|whole| whole.0)))
        .map_or(defaults.cycle_timeout, |seconds| (seconds > 0).then(|| u64::from(seconds) * 1000));
    Options {
        fix_attempts,
        cycle_timeout,
        no_fix: options.no_fix,
        no_git: options.no_git,
        keep_tree: options.keep_tree,
        lenient: options.lenient,
    }
}

/// `KEY=VALUE` pairs; the value is everything behind the first `=`.
pub(crate) fn pairs(context: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let mut pairs = Vec::new();
    for said in context {
        match said.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() => {
                pairs.push((key.trim().to_owned(), value.to_owned()));
            }
            Some(_) => return Err(Failure::pair(said, "nothing stands before the `=`")),
            None => return Err(Failure::pair(said, "no `=` in it")),
        }
    }
    Ok(pairs)
}

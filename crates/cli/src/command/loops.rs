//! `tribunal loop start|review|simplify|status|stop|gate`.

use std::io::{Read as _, Write as _};

use serde::Deserialize;
use tribunal_phase::review_loop::{
    Answer, Call, Findings, LoopStatus, MaxRounds, Opinion, ReviewCall, SimplifyCall, Standing,
    StartCall, StatusCall, StopCall, lines,
};
use tribunal_report::inert_lines;
use tribunal_runner::review_loop::{Answered, LoopLimits, Loops};
use tribunal_runner::{RunError, WorktreeTrouble, locate};

use crate::args::{LimitOptions, LoopCommand, VerdictWord};
use crate::command::running::runtime;
use crate::exit_status::ExitStatus;
use crate::failure::Failure;
use crate::front::{Front, print};
use crate::settings::Settings;

pub(crate) fn run(front: &Front, command: LoopCommand) -> Result<ExitStatus, Failure> {
    let call = match command {
        LoopCommand::Gate { hook, which } => return gate(front, hook, which.run.as_deref()),
        LoopCommand::Start { scope, test_command, limits } => {
            let max_rounds = limits.max_rounds.and_then(|rounds| MaxRounds::new(rounds).ok());
            let scope = scope.trim().to_owned();
            if scope.is_empty() {
                let message = "SCOPE is blank: name a path, a range of commits, or describe it";
                return Err(Failure::usage(message.to_owned()));
            }
            let call = Call::Start(StartCall { scope, test_command, max_rounds });
            return answer(front, &loops(front, &limits)?, call);
        }
        LoopCommand::Review { verdict, findings, files, basis, which } => {
            let verdict = match verdict {
                VerdictWord::Clean => Opinion::Clean,
                VerdictWord::ChangesRequested => Opinion::ChangesRequested,
            };
            let findings = Findings { count: findings, listed: Vec::new() };
            Call::Review(ReviewCall { verdict, findings, files, basis, run: which.run })
        }
        LoopCommand::Simplify { changed, files, which } => {
            Call::Simplify(SimplifyCall { changed, files, run: which.run })
        }
        LoopCommand::Stop { reason, which } => Call::Stop(StopCall { reason, run: which.run }),
        LoopCommand::Status { which } => Call::Status(StatusCall { run: which.run }),
    };
    answer(front, &loops(front, &LimitOptions::default())?, call)
}

/// The loops of this work tree, with limits by flag, then by settings (D27).
pub(crate) fn loops(front: &Front, flags: &LimitOptions) -> Result<Loops, Failure> {
    let surroundings = front.places.surroundings();
    // Where there is no repository, each call says so.
    let root = locate(".", false, &surroundings).ok().map(|target| target.root);
    let settings = Settings::read(&front.places, root.as_deref())?;
    let (repository, user) = (settings.repository.review_loop, settings.user.review_loop);
    let defaults = LoopLimits::default();
    let max_rounds = flags.max_rounds.and_then(|rounds| MaxRounds::new(rounds).ok());
    let set = repository.test_timeout.or(user.test_timeout).map(|whole| u64::from(whole.0));
    let test_timeout = flags.test_timeout.or(set);
    let limits = LoopLimits {
        max_rounds: max_rounds
            .or(repository.max_rounds)
            .or(user.max_rounds)
            .unwrap_or(defaults.max_rounds),
        test_timeout: test_timeout
            .map_or(defaults.test_timeout, |seconds| seconds.max(1).saturating_mul(1000)),
    };
    Ok(Loops::new(surroundings, limits))
}

fn answer(front: &Front, loops: &Loops, call: Call) -> Result<ExitStatus, Failure> {
    tribunal_runner::adopt_orphans()
        .map_err(|error| Failure::environment(format!("adopting orphans: {error}")))?;
    let Answered { answer, status } = runtime()?.block_on(loops.call(call))?;
    print_status(front, &status)?;
    Ok(match answer {
        Answer::Refused(_) => ExitStatus::Usage,
        Answer::Accepted | Answer::Repeated => ExitStatus::of_loop(status.done_reason),
    })
}

/// A loop as JSON, or as lines in which no text of an agent can move the cursor.
pub(crate) fn print_status(front: &Front, status: &LoopStatus) -> Result<(), Failure> {
    if front.json {
        return print(&serde_json::to_string_pretty(status).expect("a status is plain data"));
    }
    print(&inert_lines(&lines(status).join("\n")))
}

/// What a stop hook is told; everything else in its event is left alone.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct StopEvent {
    /// The agent goes on already because a stop hook asked it to.
    stop_hook_active: bool,
}

fn gate(front: &Front, hook: bool, run: Option<&str>) -> Result<ExitStatus, Failure> {
    if hook && reminded() {
        return Ok(ExitStatus::Holds);
    }
    let status = match loops(front, &LimitOptions::default())?.status(run) {
        Ok(status) => status,
        // A hook is asked everywhere; where there is no repository there is no loop.
        Err(RunError::Worktree(error))
            if WorktreeTrouble::of(&error) == WorktreeTrouble::NotARepository =>
        {
            return Ok(ExitStatus::Holds);
        }
        Err(error) => return Err(error.into()),
    };
    match status.phase {
        Standing::Idle | Standing::Done => Ok(ExitStatus::Holds),
        Standing::Review | Standing::Simplify => {
            let said = format!("{}\nNext: {}", status.message, status.expected_tool);
            // A closed standard error takes the reminder away, never the status.
            let _ = writeln!(anstream::stderr(), "{}", inert_lines(&said));
            Ok(ExitStatus::Usage)
        }
    }
}

/// Whether the agent was reminded in this turn; what is no event of a hook says nothing.
fn reminded() -> bool {
    let mut text = String::new();
    let read = std::io::stdin().lock().read_to_string(&mut text);
    read.is_ok()
        && serde_json::from_str::<StopEvent>(&text).is_ok_and(|event| event.stop_hook_active)
}

//! What happened in a loop, line by line.

use tribunal_journal::Past;
use tribunal_phase::review_loop::{Gate, LoopStatus, State};
use tribunal_phase::{RunId, What};
use tribunal_record::{Body, Note, Record};

use super::definition::LoopDefinition;
use super::limits::LoopLimits;
use super::loops::Loops;
use crate::compute::Artifacts;
use crate::error::RunError;
use crate::prepare::state_dir;
use crate::runs::RunLine;
use crate::surroundings::Surroundings;
use crate::view::instant;

/// A loop and its history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trail {
    /// How it stands.
    pub status: LoopStatus,
    /// Calls, answers, refusals and tests, in order; texts of agents are as they came.
    pub lines: Vec<String>,
}

/// The trail of a run; `None` when it is no review loop.
///
/// # Errors
/// No such run, or its journal cannot be read.
pub fn trail(prefix: &str, surroundings: &Surroundings) -> Result<Option<Trail>, RunError> {
    let state_dir = state_dir(surroundings)?;
    let id = state_dir.resolve(prefix)?;
    let past = state_dir.read(&id)?;
    if LoopDefinition::of(past.records(), &past)?.is_none() {
        return Ok(None);
    }
    let loops = Loops::new(surroundings.clone(), LoopLimits::default());
    let status = loops.status(Some(id.as_str()))?;
    let mut lines = Vec::new();
    for record in past.records() {
        if let Some(text) = line(record, &past)? {
            lines.push(format!("{}  {text}", instant(record.time)));
        }
    }
    Ok(Some(Trail { status, lines }))
}

fn line(record: &Record, past: &Past) -> Result<Option<String>, RunError> {
    let call = |what: &What| -> Result<String, RunError> {
        match what {
            What::Asked(asked) => {
                let text = past.artifact(&asked.said)?;
                Ok(String::from_utf8_lossy(&text).into_owned())
            }
            other => Ok(format!("{other:?}")),
        }
    };
    Ok(match &record.body {
        Body::Event(event) => match &event.what {
            What::Asked(_) => Some(format!("called {}", call(&event.what)?)),
            What::Ran { exit, .. } => Some(match exit {
                Some(code) => format!("test command: exit {code}"),
                None => "test command: did not end by itself".to_owned(),
            }),
            What::Resumed => Some("the call before was cut off and is void".to_owned()),
            What::Interrupted { signal } => Some(format!("interrupted by signal {signal}")),
            _ => None,
        },
        Body::Refused { event, refusal } => {
            Some(format!("refused {}: {}", call(&event.what)?, refusal))
        }
        Body::Note(Note::AuditLoopState(state)) => Some(format!("accepted: {}", standing(state))),
        Body::Note(Note::TornLine { dropped }) => {
            Some(format!("a torn last record of {dropped} bytes was dropped"))
        }
        Body::Note(_) => None,
    })
}

fn standing(state: &State) -> String {
    let round = state.progress().map_or(0, |progress| progress.round);
    match state {
        State::Idle | State::Starting(_) => "idle".to_owned(),
        State::Open(_, phase) | State::Weighing(_, phase, _) => {
            format!("{} is next, round {round}", phase.tool())
        }
        State::Done(_, gate) => format!("done, {}", gate_word(*gate)),
    }
}

fn gate_word(gate: Gate) -> &'static str {
    match gate {
        Gate::ReviewClean => "review_clean",
        Gate::NothingLeft => "nothing_left",
        Gate::BudgetExhausted => "budget_exhausted",
        Gate::Stopped => "stopped",
    }
}

/// A loop is not resumed: whoever calls goes on with it.
pub(crate) fn is_no_loop(
    records: &[Record],
    artifacts: &dyn Artifacts,
    id: &RunId,
) -> Result<(), RunError> {
    match LoopDefinition::of(records, artifacts)? {
        None => Ok(()),
        Some(_) => Err(RunError::Input {
            place: format!("run {id}"),
            why: "is a review loop: `tribunal loop status --run` shows its next step".to_owned(),
        }),
    }
}

/// The line of a loop in a list of runs; `None` when the run is no loop.
pub(crate) fn run_line(past: &Past, id: &RunId) -> Result<Option<RunLine>, RunError> {
    let records = past.records();
    let Some(definition) = LoopDefinition::of(records, past)? else { return Ok(None) };
    let state = records.iter().rev().find_map(|record| match &record.body {
        Body::Note(Note::AuditLoopState(state)) => Some(standing(state)),
        Body::Note(_) | Body::Event(_) | Body::Refused { .. } => None,
    });
    Ok(Some(RunLine {
        run: id.to_string(),
        started: records.first().map(|record| instant(record.time)).unwrap_or_default(),
        recipe: "review-loop".to_owned(),
        root: definition.root,
        standing: state.unwrap_or_else(|| "did not begin".to_owned()),
    }))
}

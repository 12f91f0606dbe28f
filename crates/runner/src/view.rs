//! From a fold of the journal to what a report shows (D49).

use tribunal_phase::plan::{Node, State};
use tribunal_phase::{CallId, Failure, Millis, Outcome, Pause, Role};
use tribunal_recipe::Datum;
use tribunal_record::{Body, Note, Record};
use tribunal_report as report;
use tribunal_report::View;

use crate::context::Context;
use crate::definition::Loaded;
use crate::memory::Memory;
use crate::native::Said;
use crate::proof::Proof;
use crate::saying;
use crate::tree::place;

mod cycles;
mod findings;

/// A moment as people read it.
pub(crate) fn instant(time: Millis) -> String {
    let millis = i64::try_from(time).unwrap_or(i64::MAX);
    match jiff::Timestamp::from_millisecond(millis) {
        Ok(timestamp) => timestamp.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
        Err(_) => String::new(),
    }
}

/// Builds the view of a run.
pub(crate) fn view(
    loaded: &Loaded,
    state: &State,
    memory: &Memory,
    outcome: &Outcome,
    records: &[Record],
    run: &str,
    proof: Option<&Proof<'_>>,
) -> View {
    let mut contexts: Vec<&Context> = memory.past.iter().chain(&memory.contexts).collect();
    contexts.sort_by_key(|context| context.frame);
    let seen = Seen { run, loaded, state, memory, contexts };
    let text = |name: &str| seen.last_text(name);
    let cycles = if loaded.limits.is_some() { seen.cycles() } else { Vec::new() };
    View {
        run: run.to_owned(),
        recipe: report::Recipe {
            name: loaded.recipe.name.clone(),
            version: loaded.recipe.version.clone(),
            origin: loaded.definition.recipe.origin.clone(),
        },
        target: text("target_path").unwrap_or_else(|| ".".to_owned()),
        started: records.first().map(|record| instant(record.time)).unwrap_or_default(),
        ended: last_event(records).map(|record| instant(record.time)).unwrap_or_default(),
        outcome: seen.outcome(outcome, run),
        undone: undone(records, run),
        isolated: isolated(loaded, records, run),
        cycles,
        findings: seen.findings(),
        summary: text("summary"),
        self_improvement: text("self_improvement_results"),
        proof: proof.map(Proof::shown),
        warnings: seen.warnings(),
        kept_replies: seen.kept_replies(),
        snapshots: seen.snapshots(),
        usage: seen.usage(),
    }
}

/// What is noted beside the events comes later, also after the report is made.
fn last_event(records: &[Record]) -> Option<&Record> {
    let is_event = |record: &&Record| matches!(record.body, Body::Event(_));
    records.iter().rfind(is_event).or(records.last())
}

fn isolated(loaded: &Loaded, records: &[Record], run: &str) -> Option<report::Isolated> {
    loaded.definition.isolated_from.as_ref()?;
    let is_applied = |record: &Record| matches!(record.body, Body::Note(Note::Applied { .. }));
    Some(report::Isolated {
        worktree: loaded.definition.root.clone(),
        branch: tribunal_worktree::branch_of(run),
        applied: records.iter().any(is_applied),
        apply: format!("tribunal runs apply {run}"),
    })
}

fn undone(records: &[Record], run: &str) -> Option<report::Undone> {
    let mut undone = None;
    for record in records {
        match &record.body {
            Body::Note(Note::Undoing { replaced, .. }) => {
                undone = Some(report::Undone { complete: false, kept: place(run, *replaced) });
            }
            Body::Note(Note::Undone { .. }) => {
                undone = undone.map(|undone| report::Undone { complete: true, ..undone });
            }
            _ => {}
        }
    }
    undone
}

struct Seen<'a> {
    run: &'a str,
    loaded: &'a Loaded,
    state: &'a State,
    memory: &'a Memory,
    /// All frames, from the first.
    contexts: Vec<&'a Context>,
}

impl Seen<'_> {
    /// The last text that a name had in any frame.
    fn last_text(&self, name: &str) -> Option<String> {
        let values = self.contexts.iter().rev().filter_map(|context| context.values.get(name));
        values.map(Datum::render).find(|text| !text.is_empty())
    }

    fn cycle_of(&self, call: &CallId) -> Option<u32> {
        let context = self.contexts.iter().find(|context| context.frame == call.frame)?;
        self.loaded.limits.is_some().then_some(context.cycle)
    }

    fn outcome(&self, outcome: &Outcome, run: &str) -> report::Outcome {
        match outcome {
            Outcome::Completed => report::Outcome::Completed,
            Outcome::Failed { call, failure } => report::Outcome::Failed {
                step: call.step.to_string(),
                cycle: self.cycle_of(call),
                why: self.why(call, failure),
            },
            Outcome::Paused(pause) => report::Outcome::Paused {
                why: match pause {
                    Pause::Signal(9) => "running, or stopped without a word".to_owned(),
                    Pause::Signal(signal) => format!("interrupted by signal {signal}"),
                    Pause::CycleTimeout => self.timed_out(),
                },
                resume: format!("tribunal runs resume {run}"),
            },
        }
    }

    fn why(&self, call: &CallId, failure: &Failure) -> String {
        let fatal = self.memory.said.iter().rev().find_map(|(said_by, said)| match said {
            Said::Fatal(text) if said_by == call => Some(text.as_str()),
            _ => None,
        });
        match (failure, fatal) {
            (Failure::Gate, Some(_)) | (_, None) => failure.to_string(),
            (_, Some(text)) => format!("{failure}: {text}"),
        }
    }

    fn timed_out(&self) -> String {
        let at = self.state.running().and_then(|running| running.frames.last()).map(|frame| {
            let steps = self.loaded.plan.nodes.get(frame.spot.node).map(Node::steps);
            let step = steps.and_then(|steps| steps.get(frame.spot.inner).or(steps.first()));
            let step = step.map_or("its end", |step| step.id.as_str());
            format!("cycle {} ran past its time at step `{step}`", frame.cycle.cycle())
        });
        at.unwrap_or_else(|| "a cycle ran past its time".to_owned())
    }

    fn warnings(&self) -> Vec<String> {
        let said = self.memory.said.iter().filter_map(|(_, said)| match said {
            Said::Warning(text) | Said::Fatal(text) => Some(text.clone()),
            Said::Result(_) => None,
        });
        let keeps = self.loaded.plan.keep_tree;
        let words = |saying| saying::words(saying, self.run, keeps);
        let choice = self.loaded.definition.inspector.choice();
        choice.into_iter().chain(said).chain(self.memory.sayings.iter().map(words)).collect()
    }

    fn kept_replies(&self) -> Vec<report::KeptReply> {
        let kept = self.memory.calls.iter().filter_map(|known| {
            let Some(Role::Validator(number)) = known.role else { return None };
            let (cycle, label) = (known.cycle, format!("v{number}"));
            Some(report::KeptReply { cycle, label, place: known.place.clone()? })
        });
        kept.collect()
    }

    fn snapshots(&self) -> Vec<report::Snapshot> {
        let kept = self.memory.sayings.iter().map(|saying| {
            let snapshot = saying::snapshot(saying);
            report::Snapshot {
                number: snapshot.0,
                what: "the tree as a call left it".to_owned(),
                place: place(self.run, snapshot),
            }
        });
        kept.collect()
    }

    fn usage(&self) -> report::Usage {
        let calls = &self.memory.calls;
        let total = |of: fn(&tribunal_phase::Usage) -> Option<u64>| {
            calls.iter().filter_map(|call| of(&call.usage)).reduce(|sum, next| sum + next)
        };
        report::Usage {
            invocations: calls.iter().map(|call| call.attempts).sum(),
            wall: self.memory.at,
            input_tokens: total(|usage| usage.input_tokens),
            output_tokens: total(|usage| usage.output_tokens),
            cost_micros: total(|usage| usage.cost_micros),
        }
    }
}

//! From a fold of the journal to what a report shows (D49).

use std::collections::BTreeMap;

use tribunal_finding::{Fate as Became, Finding, FindingId, History, Verdict, read_findings};
use tribunal_phase::cycle::{self, Decision};
use tribunal_phase::plan::{Node, State};
use tribunal_phase::{Balloted, CallId, Failure, FrameId, Heard, Millis, Outcome, Pause, Role};
use tribunal_recipe::Datum;
use tribunal_record::Record;
use tribunal_report as report;
use tribunal_report::View;
use tribunal_vote::{Ruling, Tally};

use crate::context::Context;
use crate::definition::Loaded;
use crate::memory::Memory;
use crate::native::Said;

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
) -> View {
    let mut contexts: Vec<&Context> = memory.past.iter().chain(&memory.contexts).collect();
    contexts.sort_by_key(|context| context.frame);
    let seen = Seen { loaded, state, memory, contexts };
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
        ended: records.last().map(|record| instant(record.time)).unwrap_or_default(),
        outcome: seen.outcome(outcome, run),
        cycles,
        findings: seen.findings(),
        summary: text("summary"),
        self_improvement: text("self_improvement_results"),
        warnings: seen.warnings(),
        kept_replies: seen.kept_replies(),
        snapshots: seen.snapshots(),
        usage: seen.usage(),
    }
}

struct Seen<'a> {
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
                    Pause::Signal(9) => "stopped without a word".to_owned(),
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

    fn cycles(&self) -> Vec<report::Cycle> {
        let states: BTreeMap<u32, &cycle::State> = self
            .state
            .running()
            .map(|running| running.cycles())
            .unwrap_or_default()
            .into_iter()
            .map(|cycle| (cycle.cycle(), cycle))
            .collect();
        let shown = |context: &&Context| self.cycle(context, states.get(&context.cycle).copied());
        self.contexts.iter().map(shown).collect()
    }

    fn cycle(&self, context: &Context, state: Option<&cycle::State>) -> report::Cycle {
        let findings = context.values.get("audit_findings").unwrap_or(&Datum::Null);
        let found = findings.field("findings").and_then(Datum::as_list).map(<[Datum]>::len);
        let number = |path: &[&str]| {
            let count = findings.get(path).and_then(Datum::as_int);
            count.and_then(|count| u32::try_from(count).ok()).unwrap_or(0)
        };
        report::Cycle {
            number: context.cycle,
            found: found.and_then(|found| u32::try_from(found).ok()),
            carried: carried(findings),
            dropped: report::Dropped {
                below_threshold: number(&["dropped", "below_threshold"]),
                outside_categories: number(&["dropped", "outside_categories"]),
                voted_false: number(&["dropped", "rejected_before"]),
                skipped_before: number(&["dropped", "skipped_before"]),
                unfit: number(&["dropped", "unfit"]),
            },
            validators: self.validators(context, found),
            verification: self.verification(context.frame),
            decision: state.and_then(cycle::State::decision).map(|decision| report::Decision {
                next: match decision {
                    Decision::Stop { .. } => None,
                    Decision::Continue { next, .. } => Some(next),
                },
                reason: decision.reason().to_string(),
            }),
        }
    }

    fn validators(&self, context: &Context, found: Option<usize>) -> Vec<report::Validator> {
        let Some(found) = found else { return Vec::new() };
        let count = u8::try_from(self.loaded.validators).unwrap_or(u8::MAX);
        let one = |number: u8| {
            let call = self.memory.calls.iter().rev().find(|known| {
                known.call.frame == context.frame && known.role == Some(Role::Validator(number))
            });
            let ballot = self.memory.ballots.iter().rev().find_map(|(frame, validator, ballot)| {
                (*frame == context.frame && *validator == number).then_some(*ballot)
            });
            let answer = match ballot {
                Some(Balloted::Usable) => report::Answer::Ballot,
                Some(Balloted::NoBallot) => report::Answer::NoBallot,
                Some(Balloted::Empty) => report::Answer::Empty,
                Some(Balloted::Unparseable) => report::Answer::Unparseable,
                Some(Balloted::Failed) => report::Answer::Failed,
                None if found == 0 => report::Answer::NotAsked,
                None => report::Answer::NotHeard,
            };
            let note = call.and_then(|known| match &known.heard {
                Some(Heard::Fault(fault)) => Some(fault.to_string()),
                Some(Heard::Said(_)) | None => None,
            });
            report::Validator { label: format!("v{number}"), answer, note }
        };
        (1..=count).map(one).collect()
    }

    /// The lines of the last verification in a frame, word for word.
    fn verification(&self, frame: FrameId) -> Vec<String> {
        let mut last: Option<(&CallId, Vec<String>)> = None;
        for (call, said) in self.memory.said.iter().filter(|(call, _)| call.frame == frame) {
            let Said::Result(line) = said else { continue };
            match &mut last {
                Some((known, lines)) if *known == call => lines.push(line.clone()),
                _ => last = Some((call, vec![line.clone()])),
            }
        }
        last.map(|(_, lines)| lines).unwrap_or_default()
    }

    fn findings(&self) -> Vec<report::Finding> {
        let mut shown: Vec<report::Finding> = Vec::new();
        for context in &self.contexts {
            let tally = tally(context);
            for finding in list(context.values.get("audit_findings")) {
                let vote = tally.as_ref().and_then(|tally| vote(tally, &finding.id));
                shown.push(self.finding(context.cycle, finding, vote));
            }
        }
        shown
    }

    fn finding(&self, cycle: u32, finding: Finding, vote: Option<report::Vote>) -> report::Finding {
        let entry = self
            .history()
            .entries
            .into_iter()
            .rev()
            .find(|entry| entry.finding_id == finding.id && (entry.cycle >= cycle));
        let fate = entry.map_or(report::Fate::Undecided, |entry| match entry.fate {
            Became::Fixed => report::Fate::Fixed,
            Became::Skipped { reason } => report::Fate::Skipped { reason },
            Became::Phantom => report::Fate::Phantom,
            Became::Unaccounted => report::Fate::Unaccounted,
            Became::Open => report::Fate::Open,
            Became::Rejected => report::Fate::Rejected,
            Became::Unconfirmed => report::Fate::Unconfirmed,
        });
        report::Finding {
            id: finding.id,
            cycle,
            category: finding.category,
            severity: finding.severity,
            place: finding.place,
            description: finding.description,
            evidence: finding.evidence,
            recommendation: finding.recommendation,
            vote,
            fate,
        }
    }

    /// The longest history that any frame holds.
    fn history(&self) -> History {
        self.contexts
            .iter()
            .filter_map(|context| {
                let value = context.values.get("cycle_history")?;
                serde_json::from_str::<History>(&value.to_json()).ok()
            })
            .max_by_key(|history| history.entries.len())
            .unwrap_or_default()
    }

    fn warnings(&self) -> Vec<String> {
        let said = self.memory.said.iter().filter_map(|(_, said)| match said {
            Said::Warning(text) | Said::Fatal(text) => Some(text.clone()),
            Said::Result(_) => None,
        });
        said.chain(self.memory.warned.iter().cloned()).collect()
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
        let kept = self.memory.kept_snapshots.iter().map(|(snapshot, place)| report::Snapshot {
            number: snapshot.0,
            what: "the tree as a call left it".to_owned(),
            place: place.clone(),
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

fn list(audit_findings: Option<&Datum>) -> Vec<Finding> {
    // What the contract's reader wrote is read back whole; null means that SEEK was not heard.
    let json = audit_findings.map(Datum::to_json).unwrap_or_default();
    read_findings(&json).map(|(findings, _)| findings).unwrap_or_default()
}

fn carried(audit_findings: &Datum) -> Vec<FindingId> {
    let list = audit_findings.field("carried").and_then(Datum::as_list).unwrap_or_default();
    let ids = list.iter().filter_map(|entry| FindingId::new(entry.field("id")?.as_text()?));
    ids.collect()
}

fn tally(context: &Context) -> Option<Tally> {
    Tally::read(&context.values.get("validated_findings")?.to_json()).ok()
}

fn vote(tally: &Tally, id: &FindingId) -> Option<report::Vote> {
    let entry = tally.entries().iter().find(|entry| entry.id() == id)?;
    let confirmed = match entry.ruling() {
        Ruling::Confirmed(confirmed) => Some(confirmed),
        Ruling::FalsePositive | Ruling::Unconfirmed => None,
    };
    Some(report::Vote {
        verdict: match entry.verdict() {
            Verdict::Confirmed => report::Verdict::Confirmed,
            Verdict::FalsePositive => report::Verdict::FalsePositive,
            Verdict::Unconfirmed => report::Verdict::Unconfirmed,
        },
        confirmed: entry.votes().confirmed,
        false_positive: entry.votes().false_positive,
        final_severity: confirmed.map(tribunal_vote::Confirmed::final_severity),
        decision_severity: confirmed.map(tribunal_vote::Confirmed::decision_severity),
        reasoning: Some(entry.reasoning().to_owned())
            .filter(|text| !text.is_empty())
            .into_iter()
            .collect(),
    })
}

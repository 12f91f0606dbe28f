//! The cycles of a run, as a report shows them.

use std::collections::BTreeMap;

use tribunal_finding::FindingId;
use tribunal_phase::cycle::{self, Decision};
use tribunal_phase::{Balloted, CallId, FrameId, Heard, Role};
use tribunal_recipe::Datum;
use tribunal_report as report;

use super::Seen;
use crate::context::Context;
use crate::native::Said;

impl Seen<'_> {
    pub(super) fn cycles(&self) -> Vec<report::Cycle> {
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
}

fn carried(audit_findings: &Datum) -> Vec<FindingId> {
    let list = audit_findings.field("carried").and_then(Datum::as_list).unwrap_or_default();
    let ids = list.iter().filter_map(|entry| FindingId::new(entry.field("id")?.as_text()?));
    ids.collect()
}

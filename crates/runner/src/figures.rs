//! Figures of a run, for the summary and for the look at the audit itself (D20).

use std::collections::BTreeMap;

use tribunal_phase::cycle::Judged;
use tribunal_phase::plan::State;
use tribunal_phase::{Fault, Heard};
use tribunal_recipe::Datum;
use tribunal_verdict::Class;

use crate::memory::{CallMemory, Memory};

/// What the run can say of itself: per cycle what was found and what became of it, per step how the
/// agents answered and how long they took.
pub(crate) fn figures(state: &State, memory: &Memory) -> Datum {
    let cycles = state.running().map(|running| {
        let cycles = running.cycles().into_iter().map(cycle);
        Datum::List(cycles.collect())
    });
    let mut steps: BTreeMap<&str, Vec<&CallMemory>> = BTreeMap::new();
    for call in &memory.calls {
        steps.entry(call.call.step.as_str()).or_default().push(call);
    }
    let steps = steps.into_iter().map(|(id, calls)| (id, step(&calls)));
    Datum::map([("cycles", cycles.into()), ("steps", Datum::map(steps))])
}

fn count(n: usize) -> Datum {
    Datum::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

fn cycle(cycle: &tribunal_phase::cycle::State) -> Datum {
    let mut fields = vec![("cycle", Datum::from(cycle.cycle()))];
    if let Some(tallied) = cycle.tallied() {
        fields.push(("confirmed", count(tallied.confirmed().len())));
        fields.push(("carried_in", count(tallied.carried().len())));
        fields.push(("fix_calls", Datum::from(tallied.fix_turns())));
    }
    match cycle.judged() {
        Some(Judged::Verdict { fixed, skipped, unaccounted, passed }) => {
            fields.push(("fixed", count(fixed.len())));
            fields.push(("skipped", count(skipped.len())));
            fields.push(("unaccounted_or_phantom", count(unaccounted.len())));
            fields.push(("verify_passed", Datum::Bool(*passed)));
        }
        Some(Judged::NotAsked) | None => {}
    }
    Datum::map(fields)
}

fn step(calls: &[&CallMemory]) -> Datum {
    let total: u64 = calls.iter().map(|call| call.usage.wall).sum();
    let answers = |wanted: &dyn Fn(&Heard) -> bool| {
        count(calls.iter().filter(|call| call.heard.as_ref().is_some_and(wanted)).count())
    };
    let said = |class: Class| move |heard: &Heard| *heard == Heard::Said(class);
    Datum::map([
        ("calls", count(calls.len())),
        ("wall_ms", Datum::Int(i64::try_from(total).unwrap_or(i64::MAX))),
        ("parsed", answers(&said(Class::Parsed))),
        ("empty", answers(&said(Class::Empty))),
        ("unparseable", answers(&said(Class::Unparseable))),
        ("faults", answers(&|heard| matches!(heard, Heard::Fault(_)))),
        (
            "time_outs",
            answers(&|heard| matches!(heard, Heard::Fault(Fault::Deadline | Fault::Idle))),
        ),
    ])
}

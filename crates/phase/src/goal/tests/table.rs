//! Every place × every event: where it leads, or what was expected instead.

use tribunal_verdict::Class;

use super::world::{World, artifact, event, play};
use crate::goal::{At, CHECK, Checked, Ending, Goal, Launch, Learned, State};
use crate::review_loop::{Ask, Asked};
use crate::{
    CallId, Done, Event, Fact, Fault, FrameId, Guarded, Heard, Machine, SnapshotId, StepId, Timer,
    TreeId, Usage, What,
};

/// The table, place by place: only what is *taken*; everything else is refused. An event speaks of
/// the call and the snapshot that the place waits for.
const TABLE: &str = "\
unborn: began → securing
securing: resumed → securing, snapped → checking, interrupted → paused
checking, ordered: resumed → securing, launched → checking, interrupted → paused
checking, started: resumed → securing, ran → reading, interrupted → paused
reading: resumed → reading, computed → proving, interrupted → paused
proving: resumed → proving, snapped → diagnosing, interrupted → paused
diagnosing, ordered: resumed → securing, launched → diagnosing, interrupted → paused
diagnosing, started: resumed → securing, replied → comparing, interrupted → paused
comparing: resumed → comparing, snapped → settling, interrupted → paused
settling: resumed → settling, snapped → restoring, interrupted → paused
restoring: resumed → restoring, restored → diagnosing, interrupted → paused
interpreting: resumed → interpreting, computed → fixing, interrupted → paused
fixing, ordered: resumed → fixing, launched → fixing, interrupted → paused
fixing, started: resumed → salvaging, replied → measuring, interrupted → paused
measuring: resumed → measuring, snapped → weighing, interrupted → paused
weighing: resumed → weighing, computed → checking, interrupted → paused
salvaging: resumed → salvaging, snapped → restoring, interrupted → paused
paused: resumed → securing
settled:
";

#[test]
fn every_place_takes_what_the_table_says_and_refuses_the_rest() {
    let mut table = String::new();
    for line in TABLE.lines() {
        let place = line.split(": ").next().unwrap_or(line).trim_end_matches(':');
        let state = place_called(place);
        let taken: Vec<String> =
            events_for(&state).iter().filter_map(|event| taken(place, &state, event)).collect();
        let gap = if taken.is_empty() { "" } else { " " };
        table += &format!("{place}:{gap}{}\n", taken.join(", "));
    }
    assert_eq!(table, TABLE, "\n{table}");
}

/// `EVENT → PLACE`; a refusal has to name the events that the table takes, resume and signals apart.
fn taken(place: &str, state: &State, event: &Event) -> Option<String> {
    let word = word(&event.what);
    match goal().step(state, event) {
        Ok((next, _)) => Some(format!("{word} → {}", name(&next).split(',').next()?)),
        Err(refusal) => {
            let row = TABLE.lines().find(|line| line.starts_with(&format!("{place}:")))?;
            let is_waiting = !matches!(place, "settled");
            assert_eq!(!refusal.expected.is_empty(), is_waiting, "{place}, {word}");
            for expected in &refusal.expected {
                assert!(row.contains(&format!("{expected} →")), "{place}, {word}: {refusal}");
            }
            None
        }
    }
}

fn goal() -> Goal {
    Goal::default()
}

/// The place as a real run comes to it; one that no other leads to is its first.
fn place_called(place: &str) -> State {
    let worlds = [
        World { checks: "aP", ..World::default() },
        World { checks: "aP", diagnosis_writes: 1, ..World::default() },
        World { checks: "aP", fault: Some(("fix", Fault::Exit(1))), ..World::default() },
    ];
    if place == "paused" {
        let started = place_called("checking, started");
        return goal().step(&started, &event(What::Interrupted { signal: 2 })).expect("a pause").0;
    }
    for world in worlds {
        let mut state = goal().start();
        for event in play(goal(), world).events {
            if name(&state) == place {
                return state;
            }
            state = goal().step(&state, &event).expect("a real run").0;
        }
        if name(&state) == place {
            return state;
        }
    }
    panic!("no run comes to {place}")
}

fn name(state: &State) -> String {
    let launch = |launch| match launch {
        Launch::Ordered => "ordered",
        Launch::Started => "started",
    };
    match state {
        State::Unborn => "unborn".to_owned(),
        State::Paused(..) => "paused".to_owned(),
        State::Settled(_, Ending::GoalMet { .. } | Ending::Failed { .. }) => "settled".to_owned(),
        State::Settled(_, other) => panic!("{other:?}"),
        State::Running(run) => match &run.at {
            At::Securing { .. } => "securing".to_owned(),
            At::Checking(open, _) => format!("checking, {}", launch(open.launch)),
            At::Reading(..) => "reading".to_owned(),
            At::Proving { .. } => "proving".to_owned(),
            At::Diagnosing(open, _) => format!("diagnosing, {}", launch(open.launch)),
            At::Comparing { .. } => "comparing".to_owned(),
            At::Settling { .. } => "settling".to_owned(),
            At::Interpreting(..) => "interpreting".to_owned(),
            At::Fixing(open, _) => format!("fixing, {}", launch(open.launch)),
            At::Measuring { .. } => "measuring".to_owned(),
            At::Weighing { .. } => "weighing".to_owned(),
            At::Salvaging { .. } => "salvaging".to_owned(),
            At::Restoring { .. } => "restoring".to_owned(),
        },
    }
}

fn word(what: &What) -> &'static str {
    match what {
        What::Began => "began",
        What::Resumed => "resumed",
        What::Guarded { .. } => "guarded",
        What::Launched { .. } => "launched",
        What::Replied { .. } => "replied",
        What::Ran { .. } => "ran",
        What::Snapped { .. } => "snapped",
        What::Restored { .. } => "restored",
        What::Kept { .. } => "kept",
        What::Computed { .. } => "computed",
        What::TimerFired { .. } => "timer fired",
        What::Interrupted { .. } => "interrupted",
        What::Asked(_) => "asked",
        What::Compared { .. } => "compared",
    }
}

/// The call and the snapshot that a state waits for, the fact that it would take, and a tree.
fn awaited(state: &State) -> (CallId, SnapshotId, Learned, &'static str) {
    let check = || CallId { frame: FrameId(1), step: StepId::new(CHECK), turn: 1 };
    let failed = || Learned::Checked(Checked::Failed { signature: artifact("a") });
    let other = (check(), SnapshotId(1), failed(), "0");
    let State::Running(run) = state else { return other };
    match &run.at {
        At::Securing { snapshot, .. } => (check(), *snapshot, failed(), "0"),
        At::Checking(open, _) | At::Diagnosing(open, _) | At::Fixing(open, _) => {
            (open.call.clone(), SnapshotId(0), failed(), "0")
        }
        At::Reading(call, _) => (call.clone(), SnapshotId(0), failed(), "0"),
        At::Interpreting(call, _) => (call.clone(), SnapshotId(0), Learned::Diagnosed, "0"),
        At::Weighing { call, .. } => {
            (call.clone(), SnapshotId(0), Learned::Weighed { refused: false }, "0")
        }
        // A tree of its own each time: what was left is neither what was there nor gone on.
        At::Proving { snapshot, call, .. } => (call.clone(), *snapshot, failed(), "0"),
        At::Comparing { snapshot, call, .. }
        | At::Settling { snapshot, call, .. }
        | At::Measuring { snapshot, call, .. }
        | At::Salvaging { snapshot, call, .. } => (call.clone(), *snapshot, failed(), "10"),
        At::Restoring { tree, .. } => (check(), tree.snapshot, failed(), "0"),
    }
}

fn events_for(state: &State) -> Vec<Event> {
    let (call, snapshot, learned, tree) = awaited(state);
    let done = Done::Gave { facts: vec![Fact::Goal(learned)], digest: artifact("d") };
    let heard = Heard::Said(Class::Parsed);
    let whats = vec![
        What::Began,
        What::Resumed,
        What::Guarded { call: call.clone(), answer: Guarded::Go },
        What::Launched { call: call.clone(), attempt: 1, prompt: artifact("p") },
        What::Replied { call: call.clone(), heard, usage: Usage::default(), reply: None },
        What::Ran { call: call.clone(), exit: Some(1), output: artifact("o") },
        What::Snapped { snapshot, tree: TreeId::new(tree) },
        What::Restored { snapshot },
        What::Kept { call: call.clone(), place: "p".to_owned() },
        What::Computed { call, done },
        What::TimerFired { timer: Timer::Cycle(FrameId(1)) },
        What::Interrupted { signal: 2 },
        What::Asked(Asked { ask: Ask::Start, said: artifact("s") }),
        What::Compared { before: snapshot, after: snapshot, changed: 0, unfounded: 0 },
    ];
    whats.into_iter().map(event).collect()
}

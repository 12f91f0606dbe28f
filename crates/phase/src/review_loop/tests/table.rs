//! Every state with every event, as one table.

use super::*;
use crate::{CallId, Done, FrameId, Guarded, Heard, StepId, Timer, Usage};

fn states() -> Vec<(&'static str, State)> {
    let machine = machine(1, true);
    let go = |state: &State, what: What| machine.step(state, &event(what)).expect("it fits").0;
    let snapped = |n| What::Snapped { snapshot: snapshot(n), tree: tree(n) };
    let starting = go(&State::Idle, What::Asked(start("src")));
    let review = go(&starting, snapped(1));
    let simplify_open = go(&review, What::Asked(changes(1)));
    let looking = go(&simplify_open, What::Asked(simplify(true, 1)));
    let comparing = go(&looking, snapped(2));
    let testing = go(&comparing, compared());
    let again = go(&testing, ran(1));
    let stopped = go(&review, What::Asked(stop()));
    vec![
        ("idle", State::Idle),
        ("starting", starting),
        ("review", review),
        ("simplify", simplify_open),
        ("looking", looking),
        ("comparing", comparing),
        ("testing", testing),
        ("looking-again", again),
        ("done", stopped),
    ]
}

fn test_call(turn: u32) -> CallId {
    CallId { frame: FrameId(1), step: StepId::new(TEST_STEP), turn }
}

fn ran(turn: u32) -> What {
    What::Ran { call: test_call(turn), exit: Some(0), output: said("o") }
}

fn compared() -> What {
    What::Compared { before: snapshot(1), after: snapshot(2), changed: 1, unfounded: 0 }
}

fn events() -> Vec<(&'static str, What)> {
    let call = test_call(1);
    vec![
        ("start", What::Asked(start("other"))),
        ("clean", What::Asked(clean(true))),
        ("changes", What::Asked(review(Opinion::ChangesRequested, 2, true))),
        ("changed", What::Asked(simplify(true, 2))),
        ("unchanged", What::Asked(simplify(false, 0))),
        ("stop", What::Asked(Asked { ask: Ask::Stop, said: said("why") })),
        ("unreadable", What::Asked(Asked { ask: Ask::Unreadable(Tool::Stop), said: said("?") })),
        ("snapped-1", What::Snapped { snapshot: snapshot(1), tree: tree(1) }),
        ("snapped-2", What::Snapped { snapshot: snapshot(2), tree: tree(2) }),
        ("snapped-3", What::Snapped { snapshot: snapshot(3), tree: tree(2) }),
        ("compared", compared()),
        ("launched", What::Launched { call: call.clone(), attempt: 1, prompt: said("c") }),
        ("ran-1", ran(1)),
        ("ran-2", ran(2)),
        ("resumed", What::Resumed),
        ("interrupted", What::Interrupted { signal: 15 }),
        ("began", What::Began),
        ("guarded", What::Guarded { call: call.clone(), answer: Guarded::Go }),
        (
            "replied",
            What::Replied {
                call: call.clone(),
                heard: Heard::Fault(crate::Fault::Blank),
                usage: Usage::default(),
                reply: None,
            },
        ),
        ("restored", What::Restored { snapshot: snapshot(1) }),
        ("kept", What::Kept { call: call.clone(), place: "p".to_owned() }),
        ("computed", What::Computed { call, done: Done::Failed(crate::Failure::Recipe) }),
        ("timer", What::TimerFired { timer: Timer::Cycle(FrameId(1)) }),
    ]
}

fn short(state: &State) -> String {
    match state {
        State::Idle => "idle".to_owned(),
        State::Starting(_) => "starting".to_owned(),
        State::Open(_, phase) => format!("{phase:?}").to_lowercase(),
        State::Weighing(_, _, weighed) => match weighed.stage {
            Stage::Looking(_) => "looking".to_owned(),
            Stage::Comparing(_) => "comparing".to_owned(),
            Stage::Testing { .. } => "testing".to_owned(),
            Stage::LookingAgain { .. } => "looking-again".to_owned(),
        },
        State::Done(_, gate) => format!("{gate:?}").to_lowercase(),
    }
}

/// A dash is a refusal; behind a slash stands what falls due.
fn cell(state: &State, what: &What) -> String {
    let Ok((next, effects)) = machine(1, true).step(state, &event(what.clone())) else {
        return "-".to_owned();
    };
    let due = effects.iter().map(|effect| match effect {
        Effect::Snap { .. } => "/snap",
        Effect::Run { .. } => "/run",
        Effect::Compare { .. } => "/compare",
        Effect::Answer(Answer::Accepted) => "/yes",
        Effect::Answer(Answer::Repeated) => "/again",
        Effect::Answer(Answer::Refused(_)) => "/no",
        Effect::End(_) => "/end",
        Effect::Finish(_) => "/pause",
        other => panic!("{other:?} is no effect of this machine"),
    });
    short(&next) + &due.collect::<String>()
}

#[test]
fn every_event_in_every_state() {
    let states = states();
    let mut table = String::new();
    for (name, what) in events() {
        let cells = states.iter().map(|(_, state)| cell(state, &what));
        let line: Vec<String> = std::iter::once(name.to_owned()).chain(cells).collect();
        table += &line.join(" ");
        table += "\n";
    }
    let heading: Vec<&str> =
        std::iter::once("event").chain(states.iter().map(|(name, _)| *name)).collect();
    let table = format!("{}\n{table}", heading.join(" "));
    let expected: Vec<String> = include_str!("table.txt")
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(table.lines().collect::<Vec<_>>(), expected, "\n{table}");
}

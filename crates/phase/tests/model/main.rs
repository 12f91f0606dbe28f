//! The plan machine against a naive model: the whole history is told again from its beginning, in the
//! order in which a person would tell it.
//!
//! The model has no states: where the history ends, it says what it waits for. Facts go through the
//! cycle's own table, which has tests of its own.

mod calls;
mod draw;
mod told;

use proptest::prelude::*;
use tribunal_phase::plan::{Plan, State};
use tribunal_phase::{Effect, Event, Machine, What};

use crate::draw::Tape;
use crate::told::{Told, tell};

/// What both agree on after a history.
#[derive(Debug, PartialEq)]
enum Standing {
    Waits,
    Ended(String),
}

fn of_machine(state: &State) -> Standing {
    match state.outcome() {
        None => Standing::Waits,
        Some(outcome) => Standing::Ended(format!("{outcome:?}")),
    }
}

/// Timers are the clock's business, and are not told.
fn untimed(effects: Vec<Effect>) -> Vec<Effect> {
    let timed = |effect: &Effect| matches!(effect, Effect::Arm { .. } | Effect::Disarm(_));
    effects.into_iter().filter(|effect| !timed(effect)).collect()
}

/// Plays events against machine and model; gives what the machine took.
fn play(plan: &Plan, tape: &mut Tape, events: usize) -> Vec<Event> {
    let mut state = plan.start();
    let mut taken: Vec<What> = Vec::new();
    let mut history = Vec::new();
    let mut effects = Vec::new();
    for _ in 0..events {
        let told = tell(plan, &taken);
        let what = tape.event(&told.offers);
        let event = Event { at: history.len() as u64, what: what.clone() };
        let mut with: Vec<What> = taken.clone();
        with.push(what.clone());
        let expected = tell(plan, &with);
        match plan.step(&state, &event) {
            Ok((next, due)) => {
                assert!(
                    !expected.is_refused,
                    "the model refuses {what:?} after\n{}",
                    lines(&taken)
                );
                effects.extend(untimed(due));
                state = next;
                taken.push(what);
                history.push(event);
                agree(&state, &expected, &effects, &taken);
            }
            Err(refusal) => {
                assert!(expected.is_refused, "{refusal}: refused after\n{}", lines(&taken));
            }
        }
    }
    history
}

/// A history as people can read it, one event a line.
fn lines(events: &[What]) -> String {
    events.iter().map(|what| format!("{what:?}\n")).collect()
}

fn agree(state: &State, told: &Told, effects: &[Effect], taken: &[What]) {
    let standing = match &told.outcome {
        None => Standing::Waits,
        Some(outcome) => Standing::Ended(format!("{outcome:?}")),
    };
    assert_eq!(of_machine(state), standing, "after\n{}", lines(taken));
    assert_eq!(effects, told.effects, "after\n{}", lines(taken));
    let known: Vec<String> = state.running().map_or_else(Vec::new, |running| {
        running.cycles().iter().map(|cycle| format!("{cycle:?}")).collect()
    });
    assert_eq!(known, told.cycles, "after\n{}", lines(taken));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// What the machine takes and refuses, what it has done next, how it ends, and what each cycle knows.
    #[test]
    fn the_machine_does_what_the_model_tells(
        choices in proptest::collection::vec(any::<u32>(), 1..400), events in 1usize..80,
    ) {
        let mut tape = Tape::new(choices);
        let plan = tape.plan();
        play(&plan, &mut tape, events);
    }

    /// A journal holds events; any beginning of it gives the state the run had there.
    #[test]
    fn replaying_any_prefix_gives_the_state_the_run_had(
        choices in proptest::collection::vec(any::<u32>(), 1..400), events in 1usize..80,
    ) {
        let mut tape = Tape::new(choices);
        let plan = tape.plan();
        let history = play(&plan, &mut tape, events);
        let mut states = vec![plan.start()];
        for event in &history {
            let (next, _) = plan.step(&states[states.len() - 1], event).expect("it was taken");
            states.push(next);
        }
        for length in 0..=history.len() {
            let replayed = history[..length].iter().fold(plan.start(), |state, event| {
                plan.step(&state, event).expect("it was taken").0
            });
            prop_assert_eq!(&replayed, &states[length]);
        }
    }

    /// After the end nothing is taken, and nothing is due.
    #[test]
    fn a_settled_machine_refuses_everything(
        choices in proptest::collection::vec(any::<u32>(), 1..400), later in proptest::collection::vec(any::<u32>(), 40),
    ) {
        let mut tape = Tape::new(choices);
        let plan = tape.plan();
        let history = play(&plan, &mut tape, 80);
        let state = history.iter().fold(plan.start(), |state, event| {
            plan.step(&state, event).expect("it was taken").0
        });
        prop_assume!(matches!(state, State::Settled(..)));
        let mut tape = Tape::new(later);
        for _ in 0..40 {
            // Also what was once right.
            let what = match tape.pick(2) {
                0 => tape.event(&[]),
                _ => history[tape.pick(history.len())].what.clone(),
            };
            let refusal = plan.step(&state, &Event { at: 0, what }).expect_err("a settled run");
            prop_assert_eq!(refusal.expected, Vec::<String>::new());
        }
    }
}

/// The random plans reach what the laws are about.
#[test]
fn the_random_runs_reach_every_kind_of_end() {
    let mut ends = std::collections::BTreeMap::<&str, usize>::new();
    for seed in 0..400_u32 {
        let mut tape = Tape::seeded(seed);
        let plan = tape.plan();
        let history = play(&plan, &mut tape, 10 + seed as usize % 80);
        let state = history
            .iter()
            .fold(plan.start(), |state, event| plan.step(&state, event).expect("it was taken").0);
        let end = match &state {
            State::Unborn => "unborn",
            State::Running(running) if running.pushed > 1 => "running, in a later cycle",
            State::Running(_) => "running",
            State::Paused(..) => "paused",
            State::Settled(_, tribunal_phase::Outcome::Completed) => "completed",
            State::Settled(..) => "failed",
        };
        *ends.entry(end).or_default() += 1;
    }
    for end in ["running", "running, in a later cycle", "paused", "completed", "failed"] {
        assert!(ends.get(end).is_some_and(|count| *count >= 2), "{end}: {ends:?}");
    }
}

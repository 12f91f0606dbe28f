//! What holds for any sequence of calls, edits and breaks.

use proptest::prelude::*;

use super::*;
use crate::Outcome;

#[derive(Debug, Clone)]
enum Move {
    Call(Asked),
    Edit,
    World {
        exit: Option<i32>,
        writes: u32,
        unfounded: u32,
    },
    /// The process is killed after so many events of this call, and the loop resumed.
    Killed(Asked, usize),
    Signal(Asked, usize),
}

fn asks() -> impl Strategy<Value = Asked> {
    let opinion = prop_oneof![Just(Opinion::Clean), Just(Opinion::ChangesRequested)];
    prop_oneof![
        1 => (0_u32..3).prop_map(|n| start(&n.to_string())),
        8 => (opinion, 0_u32..3, any::<bool>(), 0_u32..3).prop_map(|(opinion, findings, basis, n)| {
            let mut asked = review(opinion, findings, basis);
            asked.said = said(&format!("{} {n}", asked.said));
            asked
        }),
        8 => (any::<bool>(), 0_u32..3).prop_map(|(changed, files)| simplify(changed, files)),
        1 => Just(stop()),
        1 => Just(Asked { ask: Ask::Unreadable(Tool::Review), said: said("?") }),
    ]
}

fn moves() -> impl Strategy<Value = Move> {
    prop_oneof![
        10 => asks().prop_map(Move::Call),
        4 => Just(Move::Edit),
        2 => (prop_oneof![Just(Some(0)), Just(Some(1)), Just(None)], 0_u32..4, 0_u32..2)
            .prop_map(|(exit, writes, unfounded)| Move::World { exit, writes, unfounded }),
        2 => (asks(), 0_usize..8).prop_map(|(asked, after)| Move::Killed(asked, after)),
        1 => (asks(), 0_usize..8).prop_map(|(asked, after)| Move::Signal(asked, after)),
    ]
}

/// A call of which only so many events happen.
fn cut(
    machine: ReviewLoop,
    state: &State,
    world: &mut World,
    asked: &Asked,
    after: usize,
) -> State {
    let mut state = state.clone();
    let mut due = vec![What::Asked(asked.clone())];
    for _ in 0..after {
        if due.is_empty() {
            break;
        }
        let Ok((next, effects)) = machine.step(&state, &event(due.remove(0))) else { break };
        state = next;
        for effect in effects {
            if !matches!(effect, Effect::Answer(_)) {
                due.extend(world.answer(&effect));
            }
        }
    }
    state
}

fn open(state: &State) -> Option<(u32, Phase)> {
    match state {
        State::Open(progress, phase) | State::Weighing(progress, phase, _) => {
            Some((progress.round, *phase))
        }
        State::Idle | State::Starting(_) | State::Done(..) => None,
    }
}

proptest! {
    #[test]
    fn no_sequence_of_calls_gets_past_the_rules(
        (max, tests, moves) in (1_u32..4, any::<bool>(), prop::collection::vec(moves(), 1..60))
    ) {
        let machine = machine(max, tests);
        let (mut state, mut world) = (State::Idle, World::default());
        for one in moves {
            let before = state.clone();
            match one {
                Move::Edit => world.tree += 1,
                Move::World { exit, writes, unfounded } => {
                    world = World { exit, writes, unfounded, ..world };
                }
                Move::Killed(asked, after) => {
                    let left = cut(machine, &state, &mut world, &asked, after);
                    let (next, effects) = machine.step(&left, &event(What::Resumed)).expect("taken");
                    prop_assert!(effects.is_empty());
                    prop_assert!(!matches!(next, State::Weighing(..) | State::Starting(_)));
                    state = next;
                }
                Move::Signal(asked, after) => {
                    let left = cut(machine, &state, &mut world, &asked, after);
                    let signal = event(What::Interrupted { signal: 15 });
                    let (next, effects) = machine.step(&left, &signal).expect("taken");
                    prop_assert!(matches!(
                        effects.last(),
                        Some(Effect::Finish(Outcome::Paused(_)))
                    ));
                    state = next;
                }
                Move::Call(asked) => {
                    let (next, answer) = call(machine, &state, &mut world, &asked);
                    match &answer {
                        Answer::Refused(refusal) => {
                            prop_assert!(refusal.expected[0].starts_with(before.expected().name()));
                            prop_assert_eq!(open(&next), open(&before));
                            prop_assert_eq!(next.gate(), before.gate());
                        }
                        Answer::Repeated => prop_assert_eq!(&next, &before),
                        Answer::Accepted => {}
                    }
                    state = next;
                    let (again, answer) = call(machine, &state, &mut world, &asked);
                    if state.progress().is_some_and(|progress| progress.accepted == asked) {
                        prop_assert_eq!(answer, Answer::Repeated);
                        prop_assert_eq!(&again, &state);
                    } else {
                        // A refused call may fit by now: what moved is shown, and the tests have run.
                        state = again;
                    }
                }
            }
            prop_assert!(state.progress().is_none_or(|progress| progress.round <= max));
            if let Some(gate) = before.gate() {
                prop_assert_eq!(state.gate(), Some(gate), "the end is the end");
            } else if state.gate() == Some(Gate::ReviewClean) {
                let progress = state.progress().expect("it has begun");
                prop_assert_eq!(&progress.shown.tree, &tree(world.tree));
                let expected =
                    if tests { Verification::Passed } else { Verification::Unverified };
                prop_assert_eq!(progress.verification(), expected);
            } else if state.gate() == Some(Gate::BudgetExhausted) {
                prop_assert_eq!(state.progress().map(|progress| progress.round), Some(max));
            }
        }
    }

    #[test]
    fn a_state_is_read_back_from_its_text(moves in prop::collection::vec(asks(), 1..20)) {
        let (mut state, mut world) = (State::Idle, World::default());
        for asked in moves {
            world.tree += 1;
            state = call(machine(2, true), &state, &mut world, &asked).0;
            let text = serde_json::to_string(&state).expect("a state is plain data");
            let read: State = serde_json::from_str(&text).expect("our own text");
            prop_assert_eq!(&read, &state);
        }
    }
}

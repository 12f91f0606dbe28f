//! What holds in every world.

use std::num::NonZeroU32;

use proptest::prelude::*;

use super::world::{World, artifact, event, play, play_killed};
use crate::goal::{CHECK, Ending, FIX, Goal, Policy, State};
use crate::{
    CallId, Done, Event, Fault, FrameId, Guarded, Heard, Machine, SnapshotId, StepId, TreeId,
    Usage, What,
};

fn goals() -> impl Strategy<Value = Goal> {
    (1..7u32, 1..5u32, any::<[bool; 3]>()).prop_map(|(max, same, flags)| {
        let [allow_empty, strict, keep_tree] = flags;
        let limit = |number| NonZeroU32::new(number).expect("above zero");
        let (max_cycles, same_failure) = (limit(max), limit(same));
        Goal { policy: Policy { max_cycles, same_failure, allow_empty, strict, keep_tree } }
    })
}

const CHECKS: &[&str] = &["P", "a", "ab", "aab", "abab", "abcdefg", "N", "aN", "E", "abE", "abP"];
const LATE: &[&[u32]] = &[&[], &[1], &[2, 3], &[1, 2, 3, 4, 5, 6]];

fn worlds() -> impl Strategy<Value = World> {
    let faults = prop_oneof![
        4 => Just(None),
        1 => Just(Some(("diagnose", Fault::Blank))),
        1 => Just(Some(("fix", Fault::Exit(1)))),
        1 => Just(Some(("fix", Fault::NotStarted))),
    ];
    let lists = (prop::sample::select(CHECKS), prop::sample::select(LATE));
    (lists, 0..3u32, 0..3u32, any::<[bool; 2]>(), faults).prop_map(
        |((checks, late_writes), diagnosis_writes, refused, [user_edits, idle_worker], fault)| {
            World {
                checks,
                late_writes,
                diagnosis_writes,
                user_edits,
                idle_worker,
                refused,
                fault,
                ..World::default()
            }
        },
    )
}

/// Events, whether they fit or not.
fn events() -> impl Strategy<Value = Event> {
    let calls = (1..3u32, prop::sample::select(vec![CHECK, "diagnose", FIX]), 1..3u32).prop_map(
        |(frame, step, turn)| CallId { frame: FrameId(frame), step: StepId::new(step), turn },
    );
    let numbers = (1..9u32).prop_map(SnapshotId);
    prop_oneof![
        Just(What::Began),
        Just(What::Resumed),
        Just(What::Interrupted { signal: 2 }),
        calls.clone().prop_map(|call| What::Launched { call, attempt: 1, prompt: artifact("p") }),
        calls.clone().prop_map(|call| What::Ran { call, exit: None, output: artifact("o") }),
        calls.clone().prop_map(|call| What::Replied {
            call,
            heard: Heard::Fault(Fault::Blank),
            usage: Usage::default(),
            reply: None
        }),
        calls.clone().prop_map(|call| What::Guarded { call, answer: Guarded::Go }),
        calls.prop_map(|call| {
            let done = Done::Gave { facts: Vec::new(), digest: artifact("d") };
            What::Computed { call, done }
        }),
        numbers.clone().prop_map(|snapshot| What::Snapped { snapshot, tree: TreeId::new("1") }),
        numbers.prop_map(|snapshot| What::Restored { snapshot }),
    ]
    .prop_map(event)
}

fn fold(goal: Goal, events: &[Event]) -> State {
    events.iter().fold(goal.start(), |state, event| {
        goal.step(&state, event).expect("events of a real run").0
    })
}

proptest! {
    #[test]
    fn every_goal_ends_within_its_limits(goal in goals(), world in worlds()) {
        let policy = goal.policy;
        let played = play(goal, world);
        let checks = played.count("run");
        let max = policy.max_cycles.get() as usize;
        prop_assert!(checks >= 1 && checks <= max, "{checks} checks");
        let worked: std::collections::BTreeSet<_> = played
            .effects
            .iter()
            .filter(|effect| effect.starts_with("ask worker"))
            .map(|effect| effect.split('/').next().map(str::to_owned))
            .collect();
        prop_assert!(worked.len() < max, "at most max - 1 cycles are fixed");
        match played.ending() {
            // The last thing done to the tree is never a fix without a check.
            Ending::GoalMet { cycles } => prop_assert_eq!(cycles as usize, checks),
            Ending::SameFailure { times, .. } => {
                prop_assert!(times >= policy.same_failure.get());
                prop_assert_eq!(worked.len(), checks - 1);
            }
            Ending::MaxCycles => prop_assert_eq!(checks, max),
            Ending::NothingVerified => prop_assert!(!policy.allow_empty),
            Ending::Environment | Ending::Failed { .. } => {}
        }
    }

    #[test]
    fn the_same_events_lead_to_the_same_end(goal in goals(), world in worlds()) {
        let played = play(goal, world);
        prop_assert_eq!(fold(goal, &played.events), played.state);
    }

    #[test]
    fn a_goal_that_was_killed_anywhere_owes_something_on_resume(
        goal in goals(), world in worlds(), at in any::<prop::sample::Index>(),
    ) {
        let events = play(goal, world).events;
        let state = fold(goal, &events[..1 + at.index(events.len() - 1)]);
        if state.ending().is_some() {
            return Ok(());
        }
        let (resumed, effects) =
            goal.step(&state, &event(What::Resumed)).expect("what runs can be resumed");
        prop_assert!(!effects.is_empty(), "{resumed:?}");
        let (paused, _) =
            goal.step(&state, &event(What::Interrupted { signal: 15 })).expect("and interrupted");
        let (again, owed) = goal.step(&paused, &event(What::Resumed)).expect("a pause too");
        prop_assert_eq!((again, owed), (resumed, effects));
    }

    #[test]
    fn a_goal_that_was_killed_anywhere_comes_to_the_same_end(
        goal in goals(), world in worlds(), kill in 1..60usize,
    ) {
        // Counted writes and refusals are other ones the second time.
        let (late_writes, diagnosis_writes, refused): (&[u32], _, _) = (&[], 0, 0);
        let world = World { late_writes, diagnosis_writes, refused, ..world };
        let undisturbed = play(goal, world.clone());
        let killed = play_killed(goal, world, kill);
        match (undisturbed.ending(), killed.ending()) {
            // The snapshots are other ones.
            (Ending::Failed { call, .. }, Ending::Failed { call: again, .. }) => {
                prop_assert_eq!(call, again);
            }
            (ending, again) => prop_assert_eq!(ending, again),
        }
    }

    #[test]
    fn no_order_of_events_is_too_much(goal in goals(), events in prop::collection::vec(events(), 0..40)) {
        let mut state = goal.start();
        for event in events {
            match goal.step(&state, &event) {
                Ok((next, _)) => state = next,
                Err(refusal) => prop_assert!(!refusal.place.is_empty() && !refusal.got.is_empty()),
            }
        }
    }
}

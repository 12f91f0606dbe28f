//! Whole runs, in rows.

use std::num::NonZeroU32;

use super::world::{Played, World, artifact, play};
use crate::goal::{Ending, Goal, Policy};
use crate::{Failure, Fault, SnapshotId};

fn goal() -> Goal {
    Goal::default()
}

fn same(name: &str, times: u32) -> Ending {
    Ending::SameFailure { signature: artifact(name), times }
}

fn met(cycles: u32) -> Ending {
    Ending::GoalMet { cycles }
}

/// Checks, the ending, and how often the check ran and the worker was asked.
fn check(rows: &[(&'static str, Ending, usize, usize)]) {
    for (checks, ending, runs, fixes) in rows {
        let played = play(goal(), World { checks, ..World::default() });
        let counts = (played.count("run"), played.count("ask worker"));
        assert_eq!((played.ending(), counts), (ending.clone(), (*runs, *fixes)), "{checks}");
    }
}

/// Seed 001, "Exit Conditions", with D21 and D22.
#[test]
fn the_exit_conditions_of_the_seed() {
    check(&[
        ("P", met(1), 1, 0),
        ("aP", met(2), 2, 1),
        ("abcdP", met(5), 5, 4),
        ("abcdef", Ending::MaxCycles, 5, 4),
        ("aaa", same("a", 3), 3, 2),
        ("abaca", same("a", 3), 5, 4),
        ("N", Ending::NothingVerified, 1, 0),
        ("aN", Ending::NothingVerified, 2, 1),
        ("E", Ending::Environment, 1, 0),
        ("abE", Ending::Environment, 3, 2),
    ]);
}

#[test]
fn qa_04_the_same_failure_stops_after_the_third_cycle() {
    check(&[("aaaaa", same("a", 3), 3, 2)]);
}

#[test]
fn qa_05_failures_that_take_turns_stop_by_the_one_seen_three_times() {
    check(&[("ababa", same("a", 3), 5, 4)]);
}

#[test]
fn qa_09_a_pass_on_another_tree_than_is_there_is_checked_again() {
    let late = |late_writes| World { checks: "aP", late_writes, ..World::default() };
    assert_eq!(play(goal(), late(&[2])).ending(), met(3));
    assert_eq!(play(goal(), late(&[2, 3, 4])).ending(), met(5));
    assert_eq!(play(goal(), late(&[2, 3, 4, 5])).ending(), Ending::MaxCycles);
}

#[test]
fn limits_are_the_users_to_set() {
    let limit = |number| NonZeroU32::new(number).expect("not zero");
    let with = |max, same| Goal {
        policy: Policy { max_cycles: limit(max), same_failure: limit(same), ..Policy::default() },
    };
    let run = |goal, checks| play(goal, World { checks, ..World::default() }).ending();
    assert_eq!(run(with(1, 3), "a"), Ending::MaxCycles);
    assert_eq!(run(with(5, 1), "a"), same("a", 1));
    assert_eq!(run(with(2, 2), "aa"), same("a", 2));
    assert_eq!(run(with(9, 9), "abcdefghi"), Ending::MaxCycles);
}

#[test]
fn a_check_of_nothing_may_be_allowed() {
    let goal = Goal { policy: Policy { allow_empty: true, ..Policy::default() } };
    assert_eq!(play(goal, World { checks: "N", ..World::default() }).ending(), met(1));
}

#[test]
fn the_steps_of_a_cycle_follow_each_other() {
    let played = play(goal(), World { checks: "aP", ..World::default() });
    assert_eq!(
        played.effects,
        [
            "snap Before",
            "run 1/check/1 #1",
            "compute 1/check/1",
            "snap After",
            "ask diagnostician 1/diagnose/1 #1",
            "snap After",
            "compute 1/diagnose/1",
            "ask worker 1/fix/1 #1",
            "snap After",
            "compute 1/fix/1",
            "run 2/check/1 #1",
            "compute 2/check/1",
            "snap After",
            "finish",
        ]
    );
}

#[test]
fn a_refused_fix_is_put_back_and_asked_for_once_more_where_the_policy_is_strict() {
    let run = |strict, refused| {
        let goal = Goal { policy: Policy { strict, ..Policy::default() } };
        play(goal, World { checks: "aP", refused, ..World::default() })
    };
    let counts = |played: &Played| (played.count("ask worker"), played.count("restore"));
    assert_eq!(counts(&run(false, 1)), (1, 0));
    assert_eq!(counts(&run(true, 0)), (1, 0));
    assert_eq!(counts(&run(true, 1)), (2, 1));
    let twice = run(true, 2);
    assert_eq!(counts(&twice), (2, 2));
    assert_eq!(twice.ending(), met(2), "the check decides, also after two refusals");
}

#[test]
fn a_diagnostician_that_writes_is_asked_once_more_and_then_fails() {
    let run = |diagnosis_writes, user_edits| {
        play(goal(), World { checks: "aP", diagnosis_writes, user_edits, ..World::default() })
    };
    let once = run(1, false);
    assert_eq!((once.ending(), once.count("ask diagnostician")), (met(2), 2));
    assert_eq!(once.count("restore"), 1);
    let twice = run(2, false);
    let Ending::Failed { call, failure } = twice.ending() else { panic!("{twice:?}") };
    assert_eq!(call.to_string(), "1/diagnose/2");
    let Failure::Agent { fault, kept: Some(_) } = failure else { panic!("{failure:?}") };
    assert_eq!(fault, Fault::WroteInReadOnlyRole);
    let user = run(1, true);
    assert_eq!((user.ending(), user.count("ask diagnostician")), (met(2), 1));
    assert_eq!(user.count("restore"), 0, "what a user edits is never put back");
}

#[test]
fn an_agent_that_fails_ends_the_loop_and_leaves_the_tree_as_it_was() {
    let run = |step, fault| {
        play(goal(), World { checks: "a", fault: Some((step, fault)), ..World::default() })
    };
    let failed = |played: &Played| match played.ending() {
        Ending::Failed { call, failure } => (call.to_string(), failure),
        other => panic!("{other:?}"),
    };
    let diagnosis = run("diagnose", Fault::Exit(1));
    let failure = Failure::Agent { fault: Fault::Exit(1), kept: None };
    assert_eq!(failed(&diagnosis), ("1/diagnose/1".to_owned(), failure));
    let worker = run("fix", Fault::Deadline);
    let failure = Failure::Agent { fault: Fault::Deadline, kept: Some(SnapshotId(4)) };
    assert_eq!(failed(&worker), ("1/fix/1".to_owned(), failure));
    assert_eq!(worker.count("restore 2"), 1, "the tree after the check");
    let absent = run("fix", Fault::NotStarted);
    assert_eq!(absent.count("restore"), 0);
}

#[test]
fn a_failure_that_passes_on_the_same_tree_is_flaky() {
    let world = World { checks: "aP", idle_worker: true, ..World::default() };
    let flaky = |world| play(goal(), world).state.run().map(crate::goal::Run::flaky);
    assert_eq!(flaky(world.clone()), Some(vec![1]));
    assert_eq!(flaky(World { idle_worker: false, ..world }), Some(vec![]));
}

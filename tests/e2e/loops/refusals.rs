//! Every refusal: what it says, and that nothing moves.

use super::ground::{Ground, TEST, check_refused, standing};

const CHANGED: [&str; 5] = ["simplify", "--changed", "true", "--file", "a.txt"];

#[test]
fn before_a_loop_everything_but_a_start_is_refused() {
    let ground = Ground::new();
    let said = "does not fit a loop that has not begun; expected audit_loop_start";
    for call in [&["review", "clean"][..], &CHANGED] {
        check_refused(&ground.call(call, 2), said, "idle 0 unverified -");
    }
    assert!(ground.run_folders().is_empty());
    let outcome = ground.program(&["start", "  "]).run();
    outcome.expect_code(2);
    assert!(outcome.stderr.contains("SCOPE is blank"), "{}", outcome.stderr);
}

#[test]
fn a_call_in_the_wrong_phase_names_the_right_one() {
    let ground = Ground::new();
    ground.start(&[]);
    let refused = ground.call(&CHANGED, 2);
    let said = "audit_simplify does not fit the review phase; expected audit_review";
    check_refused(&refused, said, "review 0 unverified -");
    assert_eq!(refused["expected_tool"], "audit_review");
    ground.changes(0);
    let said = "audit_review does not fit the simplify phase; expected audit_simplify";
    check_refused(&ground.clean(2), said, "simplify 0 unverified -");
}

#[test]
fn contradictions_are_refused() {
    let ground = Ground::new();
    ground.start(&[]);
    let still = "review 0 unverified -";
    check_refused(&ground.call(&["review", "changes_requested"], 2), "with 0 findings", still);
    let findings = ["review", "clean", "--findings", "2"];
    check_refused(&ground.call(&findings, 2), "clean with 2 findings", still);
    ground.changes(0);
    let still = "simplify 0 unverified -";
    let listed = ["simplify", "--changed", "false", "--file", "a.txt"];
    check_refused(&ground.call(&listed, 2), "changed=false with files", still);
    let unlisted = ["simplify", "--changed", "true"];
    check_refused(&ground.call(&unlisted, 2), "changed=true without files", still);
}

#[test]
fn a_second_start_is_refused_with_the_handle_of_the_first() {
    let ground = Ground::new();
    let first = ground.start(&["--test-command", TEST]);
    let again = ground.start(&["--test-command", TEST]);
    assert_eq!(again, first, "an equal call after a time-out gets the first answer");
    let refused = ground.call(&["start", "other"], 2);
    check_refused(
        &refused,
        "audit_loop_start does not fit the review phase",
        "review 0 unverified -",
    );
    assert_eq!(refused["run"], first["run"]);
    assert_eq!(ground.run_folders().len(), 1);
}

/// A late answer after `done` counts for nothing, whatever it says.
#[test]
fn nothing_is_taken_after_the_end() {
    let ground = Ground::new();
    ground.simplifying(&[]);
    ground.call(&["simplify", "--changed", "false"], 1);
    ground.repo.append("a.txt", "late\n");
    let said = "does not fit a loop that is done; expected audit_loop_start";
    let still = "done 0 unverified nothing_left";
    check_refused(&ground.clean(2), said, still);
    check_refused(&ground.changes(2), said, still);
    check_refused(&ground.call(&CHANGED, 2), said, still);
}

/// LO-12: an equal call once more is answered as the first was, and moves nothing.
#[test]
fn a_repeated_call_is_not_applied_twice() {
    let ground = Ground::new();
    ground.simplifying(&[]);
    let first = ground.pass("four");
    let again = ground.call(&CHANGED, 0);
    assert_eq!(again, first);
    assert_eq!(standing(&again), "review 1 passed -");
    let done = ground.clean(0);
    assert_eq!(ground.clean(0), done);
}

#[test]
fn every_refusal_is_on_record() {
    let ground = Ground::new();
    ground.start(&[]);
    ground.call(&CHANGED, 2);
    ground.changes(0);
    ground.call(&CHANGED, 2);
    let refused: Vec<String> =
        ground.journal().into_iter().filter(|line| line.contains("\"refused\"")).collect();
    assert_eq!(refused.len(), 2, "{refused:#?}");
    assert!(refused[1].contains("git sees no change"), "{}", refused[1]);
    let states = ground.journal().into_iter().filter(|line| line.contains("\"audit_loop_state\""));
    assert_eq!(states.count(), 2);
}

#[test]
fn a_run_that_is_no_loop_or_no_run_is_named() {
    let ground = Ground::new();
    ground.start(&[]);
    let outcome = ground.program(&["status", "--run", "no-such"]).run();
    outcome.expect_code(2);
    assert!(outcome.stderr.contains("no run `no-such`"), "{}", outcome.stderr);
    let outside = ground.sandbox.tribunal(&["loop", "status"]).run();
    outside.expect_code(3);
    assert!(outside.stderr.contains("no git repository"), "{}", outside.stderr);
}

//! The four ends of a loop, and the exit status of each.

use super::ground::{Ground, TEST, standing};

#[test]
fn a_clean_review_on_a_tested_tree_ends_the_loop_well() {
    let ground = Ground::new();
    let begun = ground.simplifying(&[]);
    assert_eq!(standing(&begun), "simplify 0 unverified -");
    let reviewed = ground.pass("four");
    assert_eq!(standing(&reviewed), "review 1 passed -");
    assert_eq!(reviewed["files"], serde_json::json!(["a.txt"]));
    assert_eq!(reviewed["hunks"][0]["text"], "@@ -1,3 +1,4 @@\n one\n two\n three\n+four");
    let done = ground.clean(0);
    assert_eq!(standing(&done), "done 1 passed review_clean");
    let message = done["message"].as_str().unwrap_or_default();
    assert!(
        message.contains("a claim to verify: behaviour preservation is not checked"),
        "{message}"
    );
    assert_eq!(standing(&ground.call(&["status"], 0)), "done 1 passed review_clean");
}

#[test]
fn a_clean_first_review_makes_no_claim_about_behaviour() {
    let ground = Ground::new();
    ground.start(&[]);
    let done = ground.call(&["review", "clean"], 0);
    assert_eq!(standing(&done), "done 0 unverified review_clean");
    let message = done["message"].as_str().unwrap_or_default();
    assert_eq!(message, "review_clean: a review found nothing to change, and nothing was tested.");
}

#[test]
fn a_pass_without_a_change_leaves_findings_open() {
    let ground = Ground::new();
    ground.simplifying(&[]);
    let done = ground.call(&["simplify", "--changed", "false"], 1);
    assert_eq!(standing(&done), "done 0 unverified nothing_left");
    ground.call(&["status"], 1);
}

#[test]
fn the_review_after_the_last_pass_spends_the_budget() {
    let ground = Ground::new();
    ground.simplifying(&["--max-rounds", "2"]);
    ground.pass("four");
    ground.changes(0);
    assert_eq!(standing(&ground.pass("five")), "review 2 passed -");
    assert_eq!(standing(&ground.changes(4)), "done 2 passed budget_exhausted");
    ground.call(&["status"], 4);
}

#[test]
fn a_stop_ends_every_phase_and_another_loop_can_begin() {
    let ground = Ground::new();
    assert_eq!(standing(&ground.call(&["stop"], 0)), "idle 0 unverified -");
    ground.start(&["--test-command", TEST]);
    let done = ground.call(&["stop", "--reason", "lunch"], 1);
    assert_eq!(standing(&done), "done 0 unverified stopped");
    assert_eq!(standing(&ground.call(&["stop"], 1)), "done 0 unverified stopped");
    let next = ground.start(&[]);
    assert_ne!(next["run"], done["run"]);
    assert_eq!(standing(&next), "review 0 unverified -");
}

/// D27: parameter, then settings of the repository, then of the user, then three.
#[test]
fn the_budget_comes_from_the_flag_then_from_the_settings() {
    let ground = Ground::new();
    let config = ground.sandbox.config().join("tribunal");
    std::fs::create_dir_all(&config).expect("the sandbox can be written");
    let max = |expected: u32| {
        let begun = ground.start(&[]);
        assert_eq!(begun["max_rounds"], expected);
        ground.call(&["stop"], 1);
    };
    max(3);
    std::fs::write(config.join("config.yaml"), "loop: {max_rounds: 5}\n").expect("written");
    max(5);
    ground.repo.write("tribunal.yaml", "loop: {max_rounds: 4}\n");
    max(4);
    assert_eq!(ground.start(&["--max-rounds", "2"])["max_rounds"], 2);
    ground.repo.write("tribunal.yaml", "loop: {max_rounds: 0}\n");
    let outcome = ground.program(&["status"]).run();
    outcome.expect_code(2);
    assert!(outcome.stderr.contains("at least 1"), "{}", outcome.stderr);
}

#[test]
fn people_read_what_programs_read() {
    let ground = Ground::new();
    ground.simplifying(&[]);
    ground.pass("four\u{1b}[2J");
    let outcome = ground.program(&["status"]).run();
    outcome.expect_code(0);
    let said = &outcome.stdout;
    for part in [": review, round 1 of 3, 1 findings, tests passed", "H1 a.txt", "+four"] {
        assert!(said.contains(part), "{said}");
    }
    assert!(!said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn a_loop_is_listed_and_shown_among_the_runs() {
    let ground = Ground::new();
    let run = ground.simplifying(&[])["run"].as_str().expect("a handle").to_owned();
    let list = ground.sandbox.tribunal(&["runs", "list"]).run();
    assert!(list.stdout.contains("audit_simplify is next, round 0"), "{}", list.stdout);
    ground.call(&["review", "clean"], 2);
    let show = ground.sandbox.tribunal(&["runs", "show", &run]).run();
    show.expect_code(0);
    for part in [
        "called {\"audit_loop_start\":{\"scope\":\"src\"",
        "accepted: audit_review is next, round 0",
        "refused {\"audit_review\":{\"verdict\":\"clean\"",
        "audit_review does not fit the simplify phase; expected audit_simplify",
    ] {
        assert!(show.stdout.contains(part), "{}", show.stdout);
    }
    let resume = ground.sandbox.tribunal(&["runs", "resume", &run]).run();
    resume.expect_code(2);
    assert!(resume.stderr.contains("is a review loop"), "{}", resume.stderr);
}

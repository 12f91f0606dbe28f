//! Kills, signals, torn records, and several who work at once.

use std::fs;
use std::time::Duration;

use serde_json::Value;
use tribunal_test_support::{Running, Signal, processes_with_argument, wait_until};

use super::ground::{Ground, TEST, check_refused, json, standing};

const PATIENCE: Duration = Duration::from_secs(30);

/// Does what the loop asks for until it is done.
#[track_caller]
fn drive(ground: &Ground) -> Value {
    for step in 0..20 {
        let status = json(&ground.program(&["status", "--json"]).run());
        let arguments: &[&str] = match status["phase"].as_str().expect("a phase") {
            "idle" => &["start", "src", "--test-command", TEST],
            "review" if status["round"] == 0 => {
                &["review", "changes_requested", "--findings", "1", "--basis", "H1: x"]
            }
            "review" => &["review", "clean", "--basis", "H1: same"],
            "simplify" => {
                ground.repo.append("a.txt", &format!("step {step}\n"));
                &["simplify", "--changed", "true", "--file", "a.txt"]
            }
            _ => return status,
        };
        let outcome = ground.program(arguments).run();
        assert!(matches!(outcome.code(), Some(0 | 2)), "{arguments:?}\n{outcome:?}");
    }
    panic!("the loop does not end");
}

/// A kill between any two records loses the call that was open and nothing else.
#[test]
fn a_loop_goes_on_after_a_kill_at_every_record() {
    let ground = Ground::new();
    let run = ground.simplifying(&[])["run"].clone();
    ground.pass("four");
    ground.call(&["review", "clean", "--basis", "H1: same"], 0);
    let journal = ground.journal();
    let file = ground.run_folders()[0].join("journal.jsonl");
    let mut rounds = Vec::new();
    for kept in 1..journal.len() {
        fs::write(&file, journal[..=kept].join("\n") + "\n").expect("the state can be written");
        let status = json(&ground.program(&["status", "--json"]).run());
        if status["phase"] == "idle" {
            // Nobody was told of this loop.
            continue;
        }
        assert_eq!(status["run"], run, "after record {kept}");
        let done = drive(&ground);
        assert_eq!(done["done_reason"], "review_clean", "after record {kept}: {done}");
        rounds.push(done["round"].as_u64().expect("a number"));
        assert_eq!(done["run"], run, "after record {kept}");
    }
    assert!(rounds.len() > 10, "{rounds:?}");
    assert!(rounds.iter().all(|round| *round == 1), "{rounds:?}");
}

/// LO-09.
#[test]
fn a_torn_last_record_is_dropped_and_told() {
    let ground = Ground::new();
    ground.simplifying(&[]);
    ground.pass("four");
    let run = ground.run_folders()[0].clone();
    let mut journal = fs::read(run.join("journal.jsonl")).expect("a journal");
    journal.extend_from_slice(b"{\"seq\":99,\"time\":1,\"bo");
    fs::write(run.join("journal.jsonl"), journal).expect("the state can be written");
    assert_eq!(standing(&ground.call(&["status"], 0)), "review 1 passed -");
    ground.clean(0);
    let name = run.file_name().and_then(|name| name.to_str()).expect("a run's name");
    let shown = ground.sandbox.tribunal(&["runs", "show", name]).run();
    assert!(
        shown.stdout.contains("a torn last record of 22 bytes was dropped"),
        "{}",
        shown.stdout
    );
}

#[test]
fn a_record_that_was_changed_stops_the_loop() {
    let ground = Ground::new();
    ground.simplifying(&[]);
    let file = ground.run_folders()[0].join("journal.jsonl");
    let text = fs::read_to_string(&file).expect("a journal");
    fs::write(&file, text.replacen("\"findings\":1", "\"findings\":2", 1)).expect("written");
    let outcome = ground.program(&["status"]).run();
    outcome.expect_code(3);
    assert!(outcome.stderr.contains("journal.jsonl"), "{}", outcome.stderr);
}

/// A call whose test hangs until the test of this test lets it go.
fn hanging(ground: &Ground, mark: &str) -> Running {
    let hangs = format!("test -e go || {{ touch at-work; exec sleep {mark}; }}");
    ground.repo.write(".gitignore", "at-work\ngo\n");
    ground.start(&["--test-command", &hangs]);
    let running = ground.program(&["review", "clean"]).spawn();
    let at_work = ground.repo.path("at-work");
    wait_until(|| at_work.exists(), PATIENCE, "the test command");
    running
}

#[track_caller]
fn check_signal(signal: Signal, code: i32, mark: &str) {
    let ground = Ground::new();
    let running = hanging(&ground, mark);
    running.signal(signal);
    let outcome = running.wait();
    outcome.expect_code(code);
    assert!(outcome.stderr.contains("the call was not answered"), "{}", outcome.stderr);
    assert!(processes_with_argument(mark).is_empty());
    assert_eq!(standing(&ground.call(&["status"], 0)), "review 0 unverified -");
    ground.repo.write("go", "");
    assert_eq!(standing(&ground.call(&["review", "clean"], 0)), "done 0 passed review_clean");
}

#[test]
fn a_signal_ends_the_tests_and_the_call_can_be_made_again() {
    check_signal(Signal::INT, 130, "86401");
    check_signal(Signal::TERM, 143, "86402");
}

#[test]
fn after_a_kill_the_next_call_ends_what_is_left_and_is_answered() {
    let ground = Ground::new();
    let running = hanging(&ground, "86403");
    running.signal(Signal::KILL);
    assert_eq!(running.wait().signal(), Some(9));
    let status = ground.call(&["status"], 0);
    assert_eq!(standing(&status), "review 0 unverified -");
    ground.repo.write("go", "");
    assert_eq!(standing(&ground.call(&["review", "clean"], 0)), "done 0 passed review_clean");
    assert!(processes_with_argument("86403").is_empty());
}

#[test]
fn an_equal_call_waits_for_the_first_and_gets_its_answer() {
    let ground = Ground::new();
    let first = hanging(&ground, "1");
    let second = ground.program(&["review", "clean", "--json"]).spawn();
    let (first, second) = (first.wait(), second.wait());
    first.expect_code(0);
    second.expect_code(0);
    let states = ground.journal().into_iter().filter(|line| line.contains("audit_loop_state"));
    assert_eq!(states.count(), 2, "the start and one review");
}

#[test]
fn loops_of_two_work_trees_do_not_mix() {
    let ground = Ground::new();
    let beside = ground.sandbox.root().join("beside");
    ground.repo.git(&["worktree", "add", "-q", beside.to_str().expect("UTF-8")]);
    let first = ground.start(&["--test-command", TEST]);
    let there = |arguments: &[&str]| {
        json(&ground.sandbox.tribunal(&["loop"]).args(arguments).arg("--json").dir(&beside).run())
    };
    assert_eq!(standing(&there(&["status"])), "idle 0 unverified -");
    let second = there(&["start", "src"]);
    assert_ne!(first["run"], second["run"]);
    there(&["review", "changes_requested", "--findings", "2"]);
    fs::write(beside.join("a.txt"), "changed\n").expect("written");
    assert_eq!(
        standing(&there(&["simplify", "--changed=true", "--file=a.txt"])),
        "review 1 unverified -"
    );
    assert_eq!(standing(&ground.call(&["status"], 0)), "review 0 unverified -");
    let by_handle = there(&["status", "--run", first["run"].as_str().expect("a handle")]);
    assert_eq!(standing(&by_handle), "review 0 unverified -");
    assert_eq!(standing(&ground.call(&["review", "clean"], 0)), "done 0 passed review_clean");
}

#[test]
fn a_call_leaves_no_temporary_file() {
    let ground = Ground::new();
    ground.simplifying(&[]);
    ground.pass("four");
    check_refused(&ground.call(&["start", "other"], 2), "audit_loop_start", "review 1 passed -");
    let left = fs::read_dir(ground.sandbox.tmp()).expect("it can be listed").count();
    assert_eq!(left, 0);
    let inside: Vec<_> = fs::read_dir(&ground.run_folders()[0])
        .expect("it can be listed")
        .map(|entry| entry.expect("listed").file_name())
        .filter(|name| !["artifacts", "journal.jsonl", "lock"].iter().any(|known| name == known))
        .collect();
    assert!(inside.is_empty(), "{inside:?}");
}

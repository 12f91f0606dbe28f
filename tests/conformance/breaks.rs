//! Clients that give up, servers that are killed, and several who work on one loop.

use std::time::Duration;

use serde_json::{Value, json};
use tribunal_test_support::{processes_with_argument, wait_until};

use crate::ground::{Ground, changed, changes, clean, standing, with_tests};
use crate::raw::Raw;

const PATIENCE: Duration = Duration::from_secs(30);

/// A loop whose test hangs until `go` is there; the process that hangs carries the mark.
fn hanging(ground: &Ground, raw: &mut Raw, mark: &str) -> u64 {
    let hangs = format!(
        "touch at-work; test -e go || sleep {mark} & while ! test -e go; do read -rt 0.05 <> <(:); done"
    );
    raw.call("audit_loop_start", &json!({"scope": "src", "test_command": hangs}));
    let id = raw.send_call("audit_review", &clean());
    let at_work = ground.repo.path("at-work");
    wait_until(|| at_work.exists(), PATIENCE, "the test command");
    id
}

#[track_caller]
fn nobody_is_left(mark: &str) {
    wait_until(|| processes_with_argument(mark).is_empty(), PATIENCE, "the end of the tests");
}

/// LO-12: the client gives up and calls again while the first call is still at work.
#[test]
fn a_call_that_is_repeated_after_a_time_out_moves_the_loop_once() {
    let ground = Ground::new();
    let mut raw = ground.client();
    let first = hanging(&ground, &mut raw, "86411");
    let gives_up = json!({"requestId": first, "reason": "timed out"});
    raw.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": gives_up}));
    let second = raw.send_call("audit_review", &clean());
    assert_eq!(raw.status()["phase"], "review", "a status waits for nobody");
    ground.repo.write("go", "");
    let mut answered = Vec::new();
    while !answered.contains(&second) {
        answered.extend(raw.hear()["id"].as_u64());
    }
    assert_eq!(standing(&raw.status()), "done 0 passed review_clean");
    let states = journal(&ground).matches("audit_loop_state").count();
    assert_eq!(states, 2, "the start and one review");
    nobody_is_left("86411");
}

fn journal(ground: &Ground) -> String {
    let runs = ground.sandbox.state().join("tribunal/runs");
    let mut entries = std::fs::read_dir(runs).expect("runs can be listed");
    let run = entries.next().expect("a run").expect("it can be listed").path();
    std::fs::read_to_string(run.join("journal.jsonl")).expect("a journal")
}

#[test]
fn a_loop_goes_on_with_another_server_after_a_kill() {
    let ground = Ground::new();
    let mut raw = ground.client();
    hanging(&ground, &mut raw, "86412");
    raw.kill();
    let mut next = ground.client();
    assert_eq!(standing(&next.status()), "review 0 unverified -");
    ground.repo.write("go", "");
    assert_eq!(standing(&next.call("audit_review", &clean())), "done 0 passed review_clean");
    nobody_is_left("86412");
}

#[test]
fn a_client_that_goes_away_ends_the_tests() {
    let ground = Ground::new();
    let mut raw = ground.client();
    hanging(&ground, &mut raw, "86413");
    assert_eq!(raw.close(), Some(0));
    nobody_is_left("86413");
    let mut next = ground.client();
    assert_eq!(standing(&next.status()), "review 0 unverified -");
    ground.repo.write("go", "");
    assert_eq!(standing(&next.call("audit_review", &clean())), "done 0 passed review_clean");
}

#[test]
fn a_signal_ends_the_server_and_the_tests() {
    let ground = Ground::new();
    let mut raw = ground.client();
    hanging(&ground, &mut raw, "86414");
    ground.sandbox.program("kill").args(&["-TERM", &raw.pid().to_string()]).run().expect_code(0);
    assert_eq!(raw.ended(), Some(143));
    nobody_is_left("86414");
    assert_eq!(standing(&ground.client().status()), "review 0 unverified -");
}

#[test]
fn a_loop_goes_on_over_a_new_server_for_every_call() {
    let ground = Ground::new();
    let one = |tool: &str, arguments: &Value| {
        let mut raw = ground.client();
        let status = raw.call(tool, arguments);
        raw.kill();
        status
    };
    one("audit_loop_start", &with_tests(2));
    one("audit_review", &changes());
    ground.edit("four");
    one("audit_simplify", &changed());
    assert_eq!(standing(&one("audit_review", &clean())), "done 1 passed review_clean");
}

#[test]
fn two_clients_on_one_loop_see_the_same() {
    let ground = Ground::new();
    let (mut one, mut other) = (ground.client(), ground.client());
    let run = one.call("audit_loop_start", &with_tests(2))["run"].clone();
    assert_eq!(other.status()["run"], run);
    other.call("audit_review", &changes());
    one.refused("audit_review", &clean(), "expected audit_simplify");
    ground.edit("four");
    let (first, second) = (
        one.send_call("audit_simplify", &changed()),
        other.send_call("audit_simplify", &changed()),
    );
    let (first, second) = (one.status_of(first, false), other.status_of(second, false));
    assert_eq!(first, second, "one of them was first, the other got its answer");
    assert_eq!(standing(&one.status()), "review 1 passed -");
}

#[test]
fn loops_in_two_work_trees_do_not_mix() {
    let ground = Ground::new();
    let beside = ground.sandbox.root().join("beside");
    ground.repo.git(&["worktree", "add", "-q", beside.to_str().expect("UTF-8")]);
    let (mut here, mut there) = (ground.client(), ground.client_at(&beside));
    let first = here.call("audit_loop_start", &with_tests(2))["run"].clone();
    let second = there.call("audit_loop_start", &with_tests(2))["run"].clone();
    assert_ne!(first, second);
    here.call("audit_review", &changes());
    assert_eq!(standing(&there.status()), "review 0 unverified -");
    assert_eq!(standing(&there.call("audit_review", &clean())), "done 0 passed review_clean");
    let by_handle = there.call("audit_loop_status", &json!({"run": first}));
    assert_eq!(standing(&by_handle), "simplify 0 unverified -");
}

/// The command line and a server are two faces of one loop.
#[test]
fn a_script_and_a_client_share_a_loop() {
    let ground = Ground::new();
    let mut raw = ground.client();
    raw.call("audit_loop_start", &with_tests(2));
    let script = ["loop", "review", "changes_requested", "--findings", "1"];
    ground.sandbox.tribunal(&script).dir(ground.repo.root()).run().expect_code(0);
    assert_eq!(standing(&raw.status()), "simplify 0 unverified -");
}

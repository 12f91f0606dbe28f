//! A whole loop to each of the four ends, by a raw client.

use serde_json::json;

use crate::ground::{Ground, changed, changes, clean, standing, unchanged, with_tests};

#[test]
fn to_a_clean_review() {
    let ground = Ground::new();
    let mut raw = ground.client();
    assert_eq!(standing(&raw.call("audit_loop_start", &with_tests(3))), "review 0 unverified -");
    assert_eq!(standing(&raw.call("audit_review", &changes())), "simplify 0 unverified -");
    ground.edit("four");
    let reviewed = raw.call("audit_simplify", &changed());
    assert_eq!(standing(&reviewed), "review 1 passed -");
    assert_eq!(reviewed["hunks"][0]["id"], "H1");
    let done = raw.call("audit_review", &clean());
    assert_eq!(standing(&done), "done 1 passed review_clean");
    assert!(done["message"].as_str().is_some_and(|said| said.contains("a claim to verify")));
}

#[test]
fn to_nothing_left() {
    let ground = Ground::new();
    let mut raw = ground.client();
    raw.call("audit_loop_start", &with_tests(3));
    raw.call("audit_review", &changes());
    let done = raw.call("audit_simplify", &unchanged());
    assert_eq!(standing(&done), "done 0 unverified nothing_left");
}

#[test]
fn to_a_spent_budget() {
    let ground = Ground::new();
    let mut raw = ground.client();
    raw.call("audit_loop_start", &with_tests(1));
    raw.call("audit_review", &changes());
    ground.edit("four");
    raw.call("audit_simplify", &changed());
    let done = raw.call("audit_review", &changes());
    assert_eq!(standing(&done), "done 1 passed budget_exhausted");
}

#[test]
fn to_a_stop() {
    let ground = Ground::new();
    let mut raw = ground.client();
    assert_eq!(standing(&raw.call("audit_loop_stop", &json!({}))), "idle 0 unverified -");
    raw.call("audit_loop_start", &with_tests(3));
    let done = raw.call("audit_loop_stop", &json!({"reason": "enough"}));
    assert_eq!(standing(&done), "done 0 unverified stopped");
    assert_eq!(standing(&raw.call("audit_loop_stop", &json!({}))), "done 0 unverified stopped");
}

//! Every refusal over the wire: an error that the model sees, and a loop that has not moved.

use serde_json::json;

use crate::ground::{Ground, changed, changes, clean, standing, unchanged, with_tests};

#[test]
fn in_the_wrong_phase_and_in_contradictions() {
    let ground = Ground::new();
    let mut raw = ground.client();
    raw.refused("audit_review", &clean(), "expected audit_loop_start");
    raw.refused("audit_simplify", &changed(), "expected audit_loop_start");
    let first = raw.call("audit_loop_start", &json!({"scope": "src"}));
    let second = raw.refused("audit_loop_start", &json!({"scope": "x"}), "expected audit_review");
    assert_eq!(second["run"], first["run"]);
    raw.refused("audit_simplify", &changed(), "expected audit_review");
    let none = json!({"verdict": "changes_requested"});
    raw.refused("audit_review", &none, "changes_requested with 0 findings");
    let some = json!({"verdict": "clean", "findings": ["a", "b"]});
    let still = raw.refused("audit_review", &some, "clean with 2 findings");
    assert_eq!(standing(&still), "review 0 unverified -");
    raw.call("audit_review", &changes());
    raw.refused("audit_review", &clean(), "expected audit_simplify");
    raw.refused("audit_simplify", &json!({"changed": true}), "changed=true without files");
    let listed = json!({"changed": false, "files": ["a.txt"]});
    raw.refused("audit_simplify", &listed, "changed=false with files");
    raw.refused("audit_simplify", &changed(), "git sees no change");
    ground.edit("four");
    raw.refused("audit_simplify", &unchanged(), "git sees changes");
    let invented = json!({"changed": true, "files": ["a.txt", "b.txt"]});
    let still = raw.refused("audit_simplify", &invented, "1 of the files not changed");
    assert_eq!(standing(&still), "simplify 0 unverified -");
    raw.call("audit_simplify", &changed());
    raw.refused("audit_review", &json!({"verdict": "clean"}), "without a basis");
}

#[test]
fn without_a_passing_test_on_the_tree_that_was_shown() {
    let ground = Ground::new();
    let mut raw = ground.client();
    ground.repo.write("a.txt", "one\n");
    raw.call("audit_loop_start", &with_tests(3));
    let red = raw.refused("audit_review", &clean(), "a test_command that fails (exit 1)");
    assert_eq!(standing(&red), "review 0 failed -");
    assert_eq!(red["test"]["output_tail"], "too short");
    ground.repo.write("a.txt", "one\ntwo\nthree\n");
    let moved = raw.refused("audit_review", &clean(), "not the one shown");
    assert_eq!(moved["files"], json!(["a.txt"]));
    assert_eq!(standing(&raw.call("audit_review", &clean())), "done 0 passed review_clean");
}

#[test]
fn after_the_end() {
    let ground = Ground::new();
    let mut raw = ground.client();
    raw.call("audit_loop_start", &with_tests(3));
    raw.call("audit_loop_stop", &json!({}));
    for (tool, arguments) in
        [("audit_review", clean()), ("audit_review", changes()), ("audit_simplify", changed())]
    {
        let late = raw.refused(tool, &arguments, "expected audit_loop_start");
        assert_eq!(standing(&late), "done 0 unverified stopped");
    }
}

/// LO-14: text is taken where it can mean one thing, and refused by the kind that is wanted elsewhere.
#[test]
fn of_arguments_that_cannot_be_read() {
    let ground = Ground::new();
    let mut raw = ground.client();
    for (arguments, said) in [
        (json!({}), "audit_loop_start without scope; expected scope as text"),
        (json!({"scope": "  "}), "expected scope as text"),
        (json!({"scope": "s", "max_rounds": 0}), "max_rounds as an integer of at least 1"),
        (json!({"scope": "s", "rounds": 1}), "unknown argument"),
    ] {
        let said = said.split("; ").next().unwrap_or(said);
        raw.refused(
            "audit_loop_start",
            &arguments,
            said.rsplit("expected ").next().unwrap_or(said),
        );
    }
    raw.call("audit_loop_start", &json!({"scope": "s", "max_rounds": "2"}));
    for findings in [json!(-1), json!(1.5), json!("two"), json!(true)] {
        let arguments = json!({"verdict": "changes_requested", "findings": findings});
        raw.refused("audit_review", &arguments, "findings as an integer of at least 0, or a list");
    }
    raw.refused(
        "audit_review",
        &json!({"verdict": "lgtm"}),
        "verdict as clean or changes_requested",
    );
    let text = json!({"verdict": "CHANGES_REQUESTED", "findings": "2", "files": "[\"a.txt\"]"});
    assert_eq!(raw.call("audit_review", &text)["findings"], 2);
    raw.refused("audit_simplify", &json!({"changed": "yes"}), "changed as true or false");
    let never_true = json!({"changed": "false", "files": "[]"});
    let done = raw.call("audit_simplify", &never_true);
    assert_eq!(standing(&done), "done 0 unverified nothing_left");
}

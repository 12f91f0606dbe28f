//! What is claimed of files and tests is held against the tree (D27, D28).

use super::ground::{Ground, TEST, check_refused, standing};

const CHANGED: [&str; 5] = ["simplify", "--changed", "true", "--file", "a.txt"];

#[test]
fn files_that_git_did_not_see_change_are_refused() {
    let ground = Ground::new();
    ground.simplifying(&[]);
    let still = "simplify 0 unverified -";
    check_refused(&ground.call(&CHANGED, 2), "git sees no change", still);
    ground.repo.append("a.txt", "four\n");
    let liar = [&CHANGED[..], &["--file", "src/b.txt", "--file", "none.txt"]].concat();
    let refused = ground.call(&liar, 2);
    check_refused(&refused, "changed=true with 2 of the files not changed", still);
    assert_eq!(refused["files"], serde_json::json!(["a.txt"]), "what git saw is named");
    let quiet = ["simplify", "--changed", "false"];
    check_refused(&ground.call(&quiet, 2), "changed=false, and git sees changes", still);
    let root = ground.repo.root().join("a.txt").display().to_string();
    let absolute = ["simplify", "--changed", "true", "--file", &root];
    assert_eq!(standing(&ground.call(&absolute, 0)), "review 1 passed -");
}

#[test]
fn deleted_new_and_renamed_files_are_changes_and_ignored_ones_are_none() {
    let ground = Ground::new();
    ground.repo.write(".gitignore", "*.log\n");
    ground.start(&[]);
    ground.changes(0);
    ground.repo.write("x.log", "noise");
    let ignored = ["simplify", "--changed", "true", "--file", "x.log"];
    check_refused(&ground.call(&ignored, 2), "git sees no change", "simplify 0 unverified -");
    ground.repo.remove("src/b.txt").write("new.txt", "n\n").remove("a.txt");
    ground.repo.write("c.txt", "one\ntwo\nthree\n");
    let files =
        ["--file", "src/b.txt", "--file", "./new.txt", "--file", "a.txt", "--file", "c.txt"];
    let reviewed = ground.call(&[&["simplify", "--changed", "true"][..], &files].concat(), 0);
    let shown = serde_json::json!(["c.txt (was a.txt)", "new.txt", "src/b.txt"]);
    assert_eq!(reviewed["files"], shown);
}

#[test]
fn clean_is_refused_until_the_tests_pass_on_the_tree_that_is_there() {
    let ground = Ground::new();
    ground.simplifying(&[]);
    ground.repo.write("a.txt", "one\n");
    let reviewed = ground.call(&CHANGED, 0);
    assert_eq!(standing(&reviewed), "review 1 failed -");
    assert_eq!(reviewed["test"]["exit"], 1);
    assert_eq!(reviewed["test"]["output_tail"], "too short");
    let red = "clean with a test_command that fails (exit 1)";
    check_refused(&ground.clean(2), red, "review 1 failed -");
    ground.repo.write("a.txt", "one\ntwo\nthree\nfour\n");
    let moved = "clean on a tree that is not the one shown";
    let shown = ground.clean(2);
    check_refused(&shown, moved, "review 1 unverified -");
    let hunk = shown["hunks"][0]["text"].as_str().unwrap_or_default();
    assert!(hunk.ends_with("+four"), "the changes since the last review: {hunk}");
    assert_eq!(standing(&ground.clean(0)), "done 1 passed review_clean");
}

#[test]
fn a_review_of_changes_needs_a_basis() {
    let ground = Ground::new();
    ground.simplifying(&[]);
    ground.pass("four");
    for basis in [&[][..], &["--basis", " \t"]] {
        let call = [&["review", "clean"][..], basis].concat();
        check_refused(&ground.call(&call, 2), "without a basis", "review 1 passed -");
    }
}

#[test]
fn a_commit_or_an_index_is_no_change_of_the_tree() {
    let ground = Ground::new();
    ground.simplifying(&[]);
    ground.pass("four");
    ground.repo.commit_all("the pass");
    assert_eq!(standing(&ground.clean(0)), "done 1 passed review_clean");
}

#[test]
fn a_test_that_leaves_files_behind_is_run_once_more() {
    let ground = Ground::new();
    let leaves = format!("echo x > cache.bin; {TEST}");
    ground.start(&["--test-command", &leaves]);
    ground.changes(0);
    assert_eq!(standing(&ground.pass("four")), "review 1 passed -");
    ground.call(&["stop"], 1);
    let always = format!("echo x >> cache.bin; {TEST}");
    ground.start(&["--test-command", &always]);
    let said = "a test_command that changes the tree each time it runs";
    check_refused(&ground.call(&["review", "clean"], 2), said, "review 0 unverified -");
}

#[test]
fn a_test_that_does_not_end_is_ended() {
    let ground = Ground::new();
    let hangs = "echo begun; sleep 600 & wait";
    ground.start(&["--test-command", hangs, "--test-timeout", "1"]);
    let refused = ground.call(&["review", "clean"], 2);
    check_refused(&refused, "that did not end by itself", "review 0 failed -");
    assert_eq!(refused["test"]["output_tail"], "begun");
    assert!(tribunal_test_support::processes_with_argument("600").is_empty());
}

#[test]
fn a_broken_pipe_fails_and_a_test_knows_that_nobody_watches() {
    let ground = Ground::new();
    ground.start(&["--test-command", "false | cat"]);
    let refused = ground.call(&["review", "clean"], 2);
    check_refused(&refused, "that fails (exit 1)", "review 0 failed -");
    ground.call(&["stop"], 1);
    let asks = "test \"$CI\" = true && ! read -r line && test \"$PWD\" = \"$(git rev-parse --show-toplevel)\"";
    ground.start(&["--test-command", asks]);
    ground.call(&["review", "clean"], 0);
}

#[test]
fn a_range_of_commits_is_what_the_first_review_sees() {
    let ground = Ground::new();
    ground.repo.append("a.txt", "four\n");
    ground.repo.commit_all("second");
    let begun = ground.call(&["start", "HEAD~1..HEAD"], 0);
    assert_eq!(begun["files"], serde_json::json!(["a.txt"]));
    assert_eq!(begun["hunks"][0]["id"], "H1");
    ground.repo.commit_all("third");
    assert_eq!(
        ground.call(&["status"], 0)["hunks"],
        begun["hunks"],
        "the range is the one of the start"
    );
    ground.call(&["stop"], 1);
    let described = ground.call(&["start", "the parser, all of it"], 0);
    assert_eq!(
        (&described["hunks"], &described["scope"]),
        (&serde_json::json!([]), &serde_json::json!("the parser, all of it"),)
    );
}

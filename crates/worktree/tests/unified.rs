//! Changes with their lines, from real repositories.

use tribunal_test_support::Repo;
use tribunal_worktree::{Excluded, FileDiff, Limits, SnapshotName, Worktree};

fn shown(diffs: &[FileDiff]) -> Vec<String> {
    diffs
        .iter()
        .map(|diff| match &diff.was {
            Some(was) => format!("{was} -> {}: {}", diff.path, diff.hunks.join("|")),
            None => format!("{}: {}", diff.path, diff.hunks.join("|")),
        })
        .collect()
}

#[track_caller]
fn check(edit: impl for<'r> FnOnce(&'r Repo) -> &'r Repo, expected: &[&str]) {
    let repo = Repo::new();
    repo.write("a.rs", "one\ntwo\nthree\n").write("link-to", "x\n").write("b.bin", b"\0\x01");
    repo.commit_all("first");
    let worktree = Worktree::open(repo.root()).expect("a repository");
    let snapshot = |number| {
        let name = SnapshotName::of_run("r1", number).expect("a name");
        worktree.snapshot(&name, &Excluded::default(), &Limits::default()).expect("taken")
    };
    let before = snapshot(1);
    edit(&repo);
    let after = snapshot(2);
    assert_eq!(shown(&worktree.unified(&before, &after).expect("stored")), expected);
}

#[test]
fn every_change_is_shown_by_its_lines_or_by_a_note() {
    check(|repo| repo, &[]);
    check(
        |repo| repo.write("a.rs", "one\nTWO\nthree\n"),
        &["a.rs: @@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three"],
    );
    check(|repo| repo.write("new", "x\n"), &["new: @@ -0,0 +1 @@\n+x"]);
    check(|repo| repo.write("empty", ""), &["empty: (an empty file)"]);
    check(|repo| repo.remove("a.rs"), &["a.rs: @@ -1,3 +0,0 @@\n-one\n-two\n-three"]);
    check(|repo| repo.write("b.bin", b"\0\x02"), &["b.bin: (binary)"]);
    check(
        |repo| repo.remove("a.rs").write("c.rs", "one\ntwo\nthree\n"),
        &["a.rs -> c.rs: (renamed)"],
    );
    check(
        |repo| repo.write("ignored.log", "x").write(".gitignore", "*.log\n"),
        &[".gitignore: @@ -0,0 +1 @@\n+*.log"],
    );
}

#[test]
fn two_distant_edits_are_two_hunks() {
    let lines = |changed: &[usize]| -> String {
        let line =
            |n: usize| if changed.contains(&n) { format!("new {n}\n") } else { format!("{n}\n") };
        (1..=30).map(line).collect()
    };
    let repo = Repo::new();
    repo.write("a", lines(&[]));
    repo.commit_all("first");
    repo.write("a", lines(&[2, 25]));
    repo.commit_all("second");
    let worktree = Worktree::open(repo.root()).expect("a repository");
    let diffs = worktree.range("HEAD~1..HEAD").expect("readable").expect("a range");
    assert_eq!(diffs.len(), 1);
    assert_eq!(diffs[0].hunks.len(), 2, "{diffs:?}");
    for text in ["HEAD", "src", "no..such", "", "a description..", "HEAD~1..nowhere"] {
        assert_eq!(worktree.range(text).expect("readable"), None, "{text}");
    }
}

#[test]
fn three_dots_begin_where_the_branches_parted() {
    let repo = Repo::new();
    repo.write("a", "1\n");
    repo.commit_all("first");
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("topic", "t\n");
    repo.commit_all("on the topic");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("main", "m\n");
    repo.commit_all("on main");
    let worktree = Worktree::open(repo.root()).expect("a repository");
    let files = |range: &str| shown(&worktree.range(range).expect("readable").expect("a range"));
    assert_eq!(files("main...topic"), ["topic: @@ -0,0 +1 @@\n+t"]);
    assert_eq!(files("main..topic").len(), 2);
}

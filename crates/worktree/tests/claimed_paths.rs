//! A look at a few paths alone says of them what the evidence of two snapshots says.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use tribunal_test_support::Repo;
use tribunal_verify::RepoPath;
use tribunal_worktree::{Excluded, Limits, Snapshot, SnapshotName, Worktree};

fn base() -> Repo {
    let repo = Repo::new();
    repo.write("src/a.rs", "fn main() {}\n").write("src/b.rs", "fn b() {}\n").write("run", "r\n");
    repo.write(".gitignore", "*.log\nout/\n").write("forced.log", "f\n");
    symlink("a.rs", repo.path("src/link.rs")).expect("there is room");
    repo.git(&["add", "-f", "forced.log"]);
    repo.commit_all("base");
    repo.append("src/b.rs", "// dirt of before\n").write("mine", "untracked\n");
    repo
}

fn take(tree: &Worktree, name: &str) -> Snapshot {
    let name = SnapshotName::single(name).expect("a plain name");
    tree.snapshot(&name, &excluded(), &Limits::default()).expect("a snapshot")
}

fn excluded() -> Excluded {
    Excluded { paths: vec!["eval".into()] }
}

/// Everything that the rows ask about, and what is never a path of the tree.
const ASKED: [&str; 15] = [
    "src/a.rs",
    "src/b.rs",
    "src/link.rs",
    "run",
    "mine",
    "new",
    "forced.log",
    "a.log",
    "out/x",
    "eval/x",
    "src",
    "missing/x",
    "../outside",
    ".git/HEAD",
    "",
];

#[track_caller]
fn check(act: impl FnOnce(&Repo), expected: &[&str]) {
    let repo = base();
    fs::write(repo.path("../outside"), "o").expect("there is room");
    let tree = Worktree::open(repo.root()).expect("a repository");
    let before = take(&tree, "1");
    act(&repo);
    let stored = || repo.git(&["count-objects", "-v"]);
    let objects = stored();
    let asked: Vec<RepoPath> = ASKED.iter().map(|path| RepoPath::from(*path)).collect();
    let changed = tree.changed_among(&asked, &before, &excluded()).expect("an answer");
    assert_eq!(stored(), objects, "nothing is stored");
    let changed: Vec<String> = changed.iter().map(ToString::to_string).collect();
    assert_eq!(changed, expected);
    let evidence = tree.evidence(&before, &take(&tree, "2")).expect("evidence");
    let mut seen: Vec<String> = Vec::new();
    for change in &evidence.changes {
        seen.push(change.path.to_string());
        seen.extend(change.was.as_ref().map(ToString::to_string));
    }
    let mut among: Vec<&str> =
        ASKED.into_iter().filter(|path| seen.iter().any(|it| it == path)).collect();
    among.sort_unstable();
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(among, expected, "as the evidence says");
}

#[test]
fn what_differs_is_told_whatever_git_knows_of_it() {
    check(|_| {}, &[]);
    let edit = |repo: &Repo| {
        repo.append("src/a.rs", "// fix\n").append("forced.log", "f\n").append("mine", "m\n");
    };
    check(edit, &["src/a.rs", "mine", "forced.log"]);
    let staged = |repo: &Repo| {
        repo.append("src/a.rs", "// fix\n").write("new", "n\n");
        repo.git(&["add", "-A"]);
    };
    check(staged, &["src/a.rs", "new"]);
    let committed = |repo: &Repo| {
        repo.remove("src/a.rs").append("src/b.rs", "// fix\n");
        repo.commit_all("fix");
    };
    check(committed, &["src/a.rs", "src/b.rs"]);
    check(|repo| drop(repo.commit_all("dirt of before")), &[]);
    let equal_size = |repo: &Repo| {
        repo.write("src/a.rs", "fn niam() {}\n");
    };
    check(equal_size, &["src/a.rs"]);
}

#[test]
fn modes_links_and_folders() {
    let run = |repo: &Repo| {
        fs::set_permissions(repo.path("run"), Permissions::from_mode(0o755)).expect("it is ours");
    };
    check(run, &["run"]);
    let untrusted = |repo: &Repo| {
        repo.git(&["config", "core.fileMode", "false"]);
        run(repo);
    };
    check(untrusted, &[]);
    let links = |repo: &Repo| {
        repo.remove("src/link.rs").remove("run").write("src/link.rs", "a.rs");
        symlink("src", repo.path("run")).expect("there is room");
    };
    check(links, &["src/link.rs", "run"]);
    let folder = |repo: &Repo| {
        repo.remove("run").write("run/inside", "x\n");
    };
    check(folder, &["run"]);
    let moved_out = |repo: &Repo| {
        fs::rename(repo.path("src"), repo.path("../src")).expect("there is room");
        symlink("../src", repo.path("src")).expect("there is room");
    };
    check(moved_out, &["src/a.rs", "src/b.rs", "src/link.rs", "src"]);
}

#[test]
fn what_is_ignored_excluded_or_outside_never_differs() {
    let act = |repo: &Repo| {
        repo.write("a.log", "l\n").write("out/x", "x\n").write("eval/x", "e\n");
        fs::write(repo.path("../outside"), "other").expect("there is room");
        repo.git(&["switch", "-q", "-c", "topic"]);
    };
    check(act, &[]);
    let forced = |repo: &Repo| {
        repo.write("a.log", "l\n");
        repo.git(&["add", "-f", "a.log"]);
    };
    check(forced, &["a.log"]);
}

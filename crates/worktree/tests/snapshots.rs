//! What a snapshot holds, leaves out, and never touches.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;

use tribunal_test_support::Repo;
use tribunal_worktree::{Excluded, Limits, Snapshot, SnapshotName, Worktree, WorktreeError};

fn name(text: &str) -> SnapshotName {
    SnapshotName::new(text).expect("a plain name")
}

fn snapshot(tree: &Worktree, named: &str) -> Snapshot {
    tree.snapshot(&name(named), &Excluded::default(), &Limits::default()).expect("a snapshot")
}

fn base() -> Repo {
    let repo = Repo::new();
    repo.write("src/a.rs", "fn main() {}\n").write("src/b.rs", "fn b() {}\n");
    repo.commit_all("base");
    repo
}

/// The changes as `kind presence path`, or `kind presence was -> path`.
fn changes(repo: &Repo, act: impl FnOnce(&Repo)) -> Vec<String> {
    let tree = Worktree::open(repo.root()).expect("a repository");
    let before = snapshot(&tree, "run/1");
    act(repo);
    // A value of its own, so that nothing depends on what was remembered.
    let tree = Worktree::open(repo.root()).expect("a repository");
    let after = snapshot(&tree, "run/2");
    let before = tree.load(before.name()).expect("it was kept");
    let evidence = tree.evidence(&before, &after).expect("evidence");
    let line = |change: &tribunal_verify::Change| {
        let was = change.was.as_ref().map(|was| format!("{was} -> ")).unwrap_or_default();
        let eol = if change.eol_only { " eol" } else { "" };
        let (kind, presence) = (change.kind.word(), change.presence.word());
        format!("{kind}{eol}, {presence}: {was}{}", change.path)
    };
    evidence.changes.iter().map(line).collect()
}

fn check(repo: &Repo, act: impl FnOnce(&Repo), expected: &[&str]) {
    assert_eq!(changes(repo, act), expected);
}

#[test]
fn a_clean_tree_is_no_evidence() {
    check(&base(), |_| {}, &[]);
}

#[test]
fn an_edit_is_tracked_until_it_is_staged_or_committed() {
    let edit = |repo: &Repo| {
        repo.append("src/a.rs", "// fix\n");
    };
    check(&base(), edit, &["modified, tracked: src/a.rs"]);
    let staged = |repo: &Repo| {
        edit(repo);
        repo.git(&["rm", "-q", "src/b.rs"]);
        repo.git(&["add", "-A"]);
    };
    check(&base(), staged, &["modified, staged: src/a.rs", "deleted, staged: src/b.rs"]);
    let committed = |repo: &Repo| {
        edit(repo);
        repo.git(&["commit", "-qam", "fix"]);
    };
    check(&base(), committed, &["modified, committed: src/a.rs"]);
}

/// Every kind of change at every distance that git knows it from.
#[test]
fn each_change_is_told_by_kind_and_by_how_far_git_knows_it() {
    let program = |repo: &Repo| {
        fs::set_permissions(repo.path("src/b.rs"), fs::Permissions::from_mode(0o755)).unwrap();
    };
    type Act<'a> = &'a dyn Fn(&Repo);
    let acts: [(Act<'_>, &str, &str); 5] = [
        (&|repo| _ = repo.write("new", "n\n"), "added", "new"),
        (&|repo| _ = repo.append("src/b.rs", "// fix\n"), "modified", "src/b.rs"),
        (&|repo| _ = repo.remove("src/b.rs"), "deleted", "src/b.rs"),
        (&program, "mode only", "src/b.rs"),
        (
            &|repo| fs::rename(repo.path("src/b.rs"), repo.path("src/c.rs")).unwrap(),
            "renamed",
            "src/b.rs -> src/c.rs",
        ),
    ];
    for (act, kind, path) in acts {
        let alone = if kind == "added" { "untracked" } else { "tracked" };
        check(&base(), act, &[&format!("{kind}, {alone}: {path}")]);
        let staged = |repo: &Repo| {
            act(repo);
            repo.git(&["add", "-A"]);
        };
        check(&base(), staged, &[&format!("{kind}, staged: {path}")]);
        let committed = |repo: &Repo| {
            act(repo);
            repo.commit_all("fix");
        };
        check(&base(), committed, &[&format!("{kind}, committed: {path}")]);
    }
    let repo = base();
    repo.write("mine", "untracked\n").write("gone", "as well\n");
    let act = |repo: &Repo| {
        repo.append("mine", "// fix\n").remove("gone");
    };
    check(&repo, act, &["deleted, untracked: gone", "modified, untracked: mine"]);
}

#[test]
fn hunks_are_line_ranges_before_and_after() {
    let lines = |count: u32| (1..=count).map(|line| format!("line {line}\n")).collect::<String>();
    let repo = base();
    repo.write("edited", lines(20)).write("gone", lines(2)).write("old", lines(30));
    repo.commit_all("lines");
    let tree = Worktree::open(repo.root()).expect("a repository");
    let before = snapshot(&tree, "run/1");
    repo.write("edited", lines(20).replace("line 3\n", "").replace("line 9\n", "a\nb\n") + "end\n");
    repo.remove("gone").write("new", "x\ny\nz\n").write("binary", "a\0b\n");
    fs::rename(repo.path("old"), repo.path("renamed")).unwrap();
    repo.append("renamed", "end\n");
    let evidence = tree.evidence(&before, &snapshot(&tree, "run/2")).expect("evidence");
    let shown: Vec<(String, Vec<[u32; 4]>)> = evidence
        .changes
        .iter()
        .map(|change| {
            let ranges = change.hunks.iter().map(|hunk| {
                [hunk.before.start, hunk.before.count, hunk.after.start, hunk.after.count]
            });
            (change.path.to_string(), ranges.collect())
        })
        .collect();
    let expected: [(&str, &[[u32; 4]]); 5] = [
        ("binary", &[]),
        ("edited", &[[3, 1, 2, 0], [9, 1, 8, 2], [20, 0, 21, 1]]),
        ("gone", &[[1, 2, 0, 0]]),
        ("new", &[[0, 0, 1, 3]]),
        ("renamed", &[[30, 0, 31, 1]]),
    ];
    assert_eq!(shown, expected.map(|(path, hunks)| (path.to_owned(), hunks.to_vec())));
}

#[test]
fn dirt_of_before_never_counts_not_even_when_it_is_committed_later() {
    let repo = base();
    repo.append("src/a.rs", "// mine\n").write("notes", "mine\n");
    check(&repo, |_| {}, &[]);
    check(&repo, |repo| drop(repo.commit_all("all of it")), &[]);
}

#[test]
fn renames_are_found_by_content() {
    let repo = base();
    let long: String = (0..40).map(|line| format!("line {line}\n")).collect();
    repo.write("long.txt", &long);
    repo.commit_all("long");
    let act = |repo: &Repo| {
        repo.git(&["mv", "src/b.rs", "src/c.rs"]);
        fs::rename(repo.path("long.txt"), repo.path("longer.txt")).unwrap();
        repo.append("longer.txt", "one more\n");
    };
    let expected =
        ["renamed, untracked: long.txt -> longer.txt", "renamed, staged: src/b.rs -> src/c.rs"];
    // The old name of the first one is still in the index.
    let expected = [&expected[0].replace("untracked", "tracked"), expected[1]];
    check(&repo, act, &expected);
}

#[test]
fn mode_and_line_ends_are_marked() {
    let act = |repo: &Repo| {
        let run = fs::Permissions::from_mode(0o755);
        fs::set_permissions(repo.path("src/a.rs"), run).unwrap();
        repo.write("src/b.rs", "fn b() {}\r\n");
    };
    let expected = ["mode only, tracked: src/a.rs", "modified eol, tracked: src/b.rs"];
    check(&base(), act, &expected);
}

#[test]
fn a_forged_time_stamp_hides_nothing() {
    let repo = base();
    let stamp = fs::metadata(repo.path("src/a.rs")).unwrap().modified().unwrap();
    let act = |repo: &Repo| {
        repo.write("src/a.rs", "fn niam() {}\n");
        let file = fs::File::options().write(true).open(repo.path("src/a.rs")).unwrap();
        file.set_modified(stamp).unwrap();
    };
    check(&repo, act, &["modified, tracked: src/a.rs"]);
}

#[test]
fn ignored_files_never_count_unless_they_are_tracked() {
    let repo = base();
    repo.write(".gitignore", "target/\n*.log\n!keep.log\n").write("target/forced", "1\n");
    repo.git(&["add", "-f", "target/forced"]);
    repo.commit_all("rules");
    let act = |repo: &Repo| {
        repo.write("target/x", "x").write("a.log", "x").write("keep.log", "x");
        repo.write("src/deep/b.log", "x").append("target/forced", "2\n");
    };
    check(&repo, act, &["added, untracked: keep.log", "modified, tracked: target/forced"]);
}

#[test]
fn a_change_of_the_ignore_rules_alone_makes_no_files_appear_or_vanish() {
    let repo = base();
    repo.write(".gitignore", "*.log\n").write("old.log", "x").write("tmp/a", "x");
    let act = |repo: &Repo| {
        repo.write(".gitignore", "tmp/\n").write("new.txt", "x");
    };
    check(&repo, act, &["modified, untracked: .gitignore", "added, untracked: new.txt"]);
}

#[test]
fn excluded_paths_never_count_even_when_they_are_tracked() {
    let repo = base();
    repo.write("eval/out/x", "1");
    repo.commit_all("tracked output");
    let tree = Worktree::open(repo.root()).unwrap();
    let excluded = Excluded { paths: vec![PathBuf::from("./eval/out"), repo.path("state")] };
    let take = |named| tree.snapshot(&name(named), &excluded, &Limits::default()).unwrap();
    let before = take("run/1");
    repo.write("eval/out/x", "2").write("eval/out/y", "2").write("state/z", "3");
    let after = take("run/2");
    assert_eq!(before.tree(), after.tree());
    assert!(tree.drift(&before, &after).unwrap().is_none());
}

#[test]
fn a_repository_cloned_into_the_tree_has_its_own_index_and_ignore_rules() {
    let (inner, repo) = (base(), base());
    repo.git(&["clone", "-q", inner.root().to_str().unwrap(), "vendor/clone"]);
    repo.write("vendor/clone/.gitignore", "*.tmp\n");
    let act = |repo: &Repo| {
        repo.append("vendor/clone/src/b.rs", "// fix\n");
        repo.write("vendor/clone/x.tmp", "ignored there");
        repo.git(&["-C", "vendor/clone", "add", "src/b.rs"]);
    };
    check(&repo, act, &["modified, untracked: vendor/clone/src/b.rs"]);
}

#[test]
fn other_index_versions_are_read() {
    for version in ["2", "3", "4"] {
        let repo = base();
        repo.write("src/deep/er/c.rs", "c\n").write("z", "z\n");
        repo.commit_all("more");
        repo.git(&["update-index", "--index-version", version]);
        repo.write("intended", "i\n");
        repo.git(&["add", "-N", "intended"]);
        let act = |repo: &Repo| {
            repo.append("src/deep/er/c.rs", "// fix\n").append("intended", "more\n");
        };
        check(&repo, act, &["modified, tracked: intended", "modified, tracked: src/deep/er/c.rs"]);
    }
}

#[test]
fn untracked_files_have_limits_and_tracked_ones_have_none() {
    let repo = base();
    repo.write("tracked", "x".repeat(100));
    repo.commit_all("large");
    let tree = Worktree::open(repo.root()).unwrap();
    let limits = Limits { untracked_file: 50, untracked_in_all: 80 };
    let take = || tree.snapshot(&name("run/1"), &Excluded::default(), &limits);
    take().expect("nothing untracked");
    repo.write("one", "x".repeat(50));
    take().expect("at the limit");
    repo.write("two", "x".repeat(51));
    match take() {
        Err(WorktreeError::TooLarge { path, size: 51, limit: 50 }) => {
            assert_eq!(path, repo.path("two"));
        }
        other => panic!("{other:?}"),
    }
    repo.write("two", "x".repeat(31));
    assert!(matches!(take(), Err(WorktreeError::TooMuch { limit: 80, .. })));
}

#[test]
fn a_snapshot_touches_nothing_of_the_users() {
    let repo = base();
    repo.append("src/a.rs", "// dirty\n").write("new", "n\n");
    repo.git(&["add", "src/a.rs"]);
    repo.git(&["stash", "push", "-q", "--", "src/a.rs"]);
    repo.append("src/b.rs", "// more\n");
    repo.git(&["config", "core.logAllRefUpdates", "true"]);
    let state = || {
        let stat = |path: &str| {
            let it = fs::metadata(repo.path(path)).unwrap();
            (it.mtime(), it.mtime_nsec(), it.ctime(), it.ctime_nsec(), it.ino())
        };
        let files = ["src/a.rs", "src/b.rs", "new", ".git/index", ".git/HEAD"].map(stat);
        let refs = repo.git(&["for-each-ref", "--exclude=refs/tribunal/"]);
        let logs = [".git/logs/HEAD", ".git/logs/refs/heads/main", ".git/logs/refs/stash"]
            .map(|log| repo.read(log));
        (files, refs, logs, fs::read(repo.path(".git/index")).unwrap())
    };
    let before = state();
    let tree = Worktree::open(repo.root()).unwrap();
    snapshot(&tree, "run/1");
    snapshot(&tree, "single/x");
    assert_eq!(state(), before);
    assert_eq!(
        repo.git(&["for-each-ref", "--format=%(refname)", "refs/tribunal"]).lines().count(),
        2
    );
    repo.git(&["fsck", "--strict", "--no-dangling"]);
}

#[test]
fn snapshots_survive_a_collection_and_go_when_they_are_dropped() {
    let repo = base();
    repo.write("untracked", "u\n");
    let tree = Worktree::open(repo.root()).unwrap();
    let first = snapshot(&tree, "run/1");
    snapshot(&tree, "run/2");
    snapshot(&tree, "other/1");
    repo.git(&["gc", "-q", "--prune=now"]);
    let again = Worktree::open(repo.root()).unwrap();
    assert_eq!(again.load(&name("run/1")).unwrap(), first);
    let mut names = again.snapshots("run").unwrap();
    names.sort();
    assert_eq!(names, [name("run/1"), name("run/2")]);
    assert_eq!(again.drop_snapshots("run").unwrap(), 2);
    assert!(matches!(again.load(&name("run/1")), Err(WorktreeError::UnknownSnapshot { .. })));
    again.load(&name("other/1")).expect("of another run");
    repo.git(&["gc", "-q", "--prune=now"]);
    snapshot(&again, "run/1");
    repo.git(&["fsck", "--strict", "--no-dangling"]);
}

#[test]
fn equal_states_give_equal_snapshots() {
    let repo = base();
    let tree = Worktree::open(repo.root()).unwrap();
    let first = snapshot(&tree, "run/1");
    assert_eq!(snapshot(&tree, "run/1").commit(), first.commit());
    assert_eq!(snapshot(&tree, "run/2").tree(), first.tree());
}

#[test]
fn drift_tells_files_head_and_index_apart() {
    let check = |act: &dyn Fn(&Repo), expected: [bool; 3]| {
        let repo = base();
        let tree = Worktree::open(repo.root()).unwrap();
        let before = snapshot(&tree, "run/1");
        act(&repo);
        let drift = tree.drift(&before, &snapshot(&tree, "run/2")).unwrap();
        assert_eq!([drift.files, drift.head, drift.index], expected);
    };
    check(&|_| {}, [false, false, false]);
    check(
        &|repo| {
            // Refreshes the stat data in the index, as every reader does.
            repo.write("src/a.rs", "fn main() {}\n");
            repo.git(&["status"]);
            fs::create_dir(repo.path("empty")).unwrap();
        },
        [false, false, false],
    );
    check(
        &|repo| {
            repo.write("new", "n");
        },
        [true, false, false],
    );
    check(
        &|repo| drop(repo.git(&["commit", "-q", "--allow-empty", "-m", "x"])),
        [false, true, false],
    );
    check(&|repo| drop(repo.git(&["switch", "-q", "-c", "topic"])), [false, true, false]);
    check(&|repo| drop(repo.git(&["rm", "-q", "--cached", "src/a.rs"])), [false, false, true]);
}

#[test]
fn a_snapshot_whose_ref_is_gone_or_elsewhere_is_adopted_by_its_commit() {
    let repo = base();
    repo.write("mine", "m\n");
    let tree = Worktree::open(repo.root()).unwrap();
    let first = snapshot(&tree, "run/1");
    let reference = "refs/tribunal/run/1";
    let acts: [&[&str]; 4] = [
        &["update-ref", "-d", reference],
        &["update-ref", reference, "HEAD"],
        &["symbolic-ref", reference, "refs/heads/main"],
        &["pack-refs", "--all"],
    ];
    let branch = repo.head();
    for act in acts {
        repo.git(act);
        let tree = Worktree::open(repo.root()).unwrap();
        assert_eq!(tree.adopt(first.name(), &first.commit()).unwrap(), first, "{act:?}");
        assert_eq!(tree.load(first.name()).unwrap(), first, "{act:?}");
        assert_eq!(repo.head(), branch);
    }
    for in_the_way in ["refs/tribunal/run", "refs/tribunal", "refs/tribunal/run/1/more"] {
        repo.git(&["update-ref", "-d", reference]);
        repo.git(&["update-ref", in_the_way, "HEAD"]);
        assert_eq!(tree.adopt(first.name(), &first.commit()).unwrap(), first, "{in_the_way}");
    }
    repo.git(&["gc", "-q", "--prune=now"]);
    assert_eq!(tree.adopt(first.name(), &first.commit()).unwrap(), first);
}

#[test]
fn what_is_no_snapshot_of_the_name_is_not_adopted() {
    let repo = base();
    let tree = Worktree::open(repo.root()).unwrap();
    let first = snapshot(&tree, "run/1");
    let head = repo.head().parse().unwrap();
    for (named, commit) in [("run/2", first.commit()), ("run/1", head)] {
        let refused = tree.adopt(&name(named), &commit).unwrap_err();
        assert!(matches!(refused, WorktreeError::BrokenSnapshot { .. }), "{refused}");
    }
    assert!(matches!(tree.load(&name("run/2")), Err(WorktreeError::UnknownSnapshot { .. })));
    repo.git(&["update-ref", "-d", "refs/tribunal/run/1"]);
    repo.git(&["gc", "-q", "--prune=now"]);
    let collected = tree.adopt(first.name(), &first.commit()).unwrap_err();
    assert!(matches!(collected, WorktreeError::UnknownSnapshot { .. }), "{collected}");
}

#[test]
fn what_cannot_be_read_is_named_unless_it_is_ignored() {
    for unreadable in ["mine", "folder/", "src/b.rs"] {
        let repo = base();
        repo.write(".gitignore", "*.log\nout/\n").write("a.log", "l\n").write("out/x", "x\n");
        repo.write("mine", "m\n").write("folder/x", "x\n");
        let close = |path: &str| {
            fs::set_permissions(repo.path(path), fs::Permissions::from_mode(0o000)).unwrap();
        };
        close("a.log");
        close("out");
        if fs::read_dir(repo.path("out")).is_ok() {
            eprintln!("skipped: nothing is closed to root");
            return;
        }
        let tree = Worktree::open(repo.root()).unwrap();
        snapshot(&tree, "run/1");
        close(unreadable);
        match tree.snapshot(&name("run/2"), &Excluded::default(), &Limits::default()) {
            Err(WorktreeError::Io { path, .. }) => assert_eq!(path, repo.path(unreadable)),
            other => panic!("{other:?}"),
        }
        for path in ["out", "folder"] {
            fs::set_permissions(repo.path(path), fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
}

/// Snapshots had no list of what was left out at first.
#[test]
fn a_snapshot_of_an_earlier_version_is_still_read() {
    let repo = base();
    let tree = Worktree::open(repo.root()).unwrap();
    let first = snapshot(&tree, "run/1");
    let script = "set -e; old=refs/tribunal/run/1
        tree=$(git ls-tree $old | grep -v left-out | git mktree)
        commit=$(git log -1 --format=%B $old | git commit-tree -p HEAD $tree)
        git update-ref $old $commit";
    let made = std::process::Command::new("sh")
        .args(["-c", script])
        .current_dir(repo.root())
        .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_NAME"), "x")))
        .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_EMAIL"), "x")))
        .status();
    assert!(made.unwrap().success());
    let old = tree.load(&name("run/1")).unwrap();
    assert_ne!(old, first);
    repo.write("new", "n\n");
    let left = snapshot(&tree, "run/2");
    assert_eq!(tree.evidence(&old, &left).unwrap().changes.len(), 1);
    tree.restore(&old, &left, &Excluded::default()).unwrap();
    assert!(!repo.path("new").exists());
}

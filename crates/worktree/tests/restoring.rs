//! The way back, byte for byte.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use tribunal_test_support::Repo;
use tribunal_worktree::{
    Excluded, Limits, Restored, Snapshot, SnapshotName, Worktree, WorktreeError,
};

fn base() -> Repo {
    let repo = Repo::new();
    repo.write("src/a.rs", "fn main() {}\n").write("src/b.rs", "fn b() {}\n");
    repo.write("run.sh", "#!/bin/sh\n").write("docs/deep/x.md", "x\n");
    fs::set_permissions(repo.path("run.sh"), Permissions::from_mode(0o755)).expect("it is ours");
    symlink("src/a.rs", repo.path("link")).expect("nothing stands there");
    repo.write(".gitignore", "*.log\ntarget/\n");
    repo.commit_all("base");
    repo
}

fn open(repo: &Repo) -> Worktree {
    Worktree::open(repo.root()).expect("a repository")
}

fn take(tree: &Worktree, name: &str, excluded: &Excluded) -> Snapshot {
    let name = SnapshotName::new(name).expect("a plain name");
    tree.snapshot(&name, excluded, &Limits::default()).expect("a snapshot")
}

/// Every path below the root but `.git`, with its kind, mode and content.
fn picture(root: &Path) -> Vec<String> {
    let mut seen = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.file_name().is_some_and(|name| name == ".git") {
                continue;
            }
            let metadata = fs::symlink_metadata(&path).expect("it is there");
            let below = path.strip_prefix(root).expect("below the root");
            let mode = metadata.mode();
            let content = if metadata.is_dir() {
                open.push(path.clone());
                String::new()
            } else if metadata.is_symlink() {
                format!("-> {:?}", fs::read_link(&path).expect("a link"))
            } else {
                format!("{:?}", fs::read(&path).expect("a file"))
            };
            seen.push(format!("{below:?} {mode:o} {content}"));
        }
    }
    seen.sort();
    seen
}

fn git_state(repo: &Repo) -> (Vec<u8>, (i64, i64), String) {
    let index = repo.path(".git/index");
    let metadata = fs::metadata(&index).expect("an index");
    let time = (metadata.mtime(), metadata.mtime_nsec());
    (fs::read(&index).expect("an index"), time, repo.read(".git/HEAD"))
}

/// Lets `act` loose and restores; everything must be as it was.
fn check(repo: &Repo, act: impl FnOnce(&Repo)) -> Restored {
    let tree = open(repo);
    let none = Excluded::default();
    let before = take(&tree, "run/1", &none);
    let (files, git, head) =
        (picture(repo.root()), git_state(repo), repo.git_outcome(&["rev-parse", "HEAD"]));
    act(repo);
    let tree = open(repo);
    let left = take(&tree, "run/2", &none);
    let before = tree.load(before.name()).expect("it was kept");
    let restored = tree.restore(&before, &left, &none).expect("a restore");
    assert_eq!(picture(repo.root()), files);
    assert_eq!(git_state(repo), git);
    assert_eq!(repo.git_outcome(&["rev-parse", "HEAD"]).stdout, head.stdout);
    let again = take(&tree, "run/3", &none);
    assert!(tree.drift(&before, &again).expect("both are there").is_none());
    assert!(!repo.path(".git/index.lock").exists());
    restored
}

#[test]
fn edits_deletions_additions_and_modes_are_taken_back() {
    let restored = check(&base(), |repo| {
        repo.append("src/a.rs", "// edited\n").remove("src/b.rs").write("new/deep/file", "n\n");
        fs::set_permissions(repo.path("run.sh"), Permissions::from_mode(0o644)).unwrap();
        fs::remove_file(repo.path("link")).unwrap();
        fs::remove_dir_all(repo.path("docs")).unwrap();
    });
    let paths: Vec<String> = restored.paths.iter().map(ToString::to_string).collect();
    let expected = ["docs/deep/x.md", "link", "new/deep/file", "run.sh", "src/a.rs", "src/b.rs"];
    assert_eq!(paths, expected);
}

#[test]
fn nothing_to_do_is_nothing_done() {
    let repo = base();
    repo.append("src/a.rs", "// mine\n").write("mine", "m\n");
    let stamp = |path: &str| fs::metadata(repo.path(path)).unwrap().modified().unwrap();
    let before = ["src/a.rs", "mine", "run.sh"].map(stamp);
    let restored = check(&repo, |_| {});
    assert_eq!(restored, Restored::default());
    assert_eq!(["src/a.rs", "mine", "run.sh"].map(stamp), before);
}

#[test]
fn the_users_dirt_staged_and_untracked_comes_back() {
    let repo = base();
    repo.append("src/a.rs", "// staged\n");
    repo.git(&["add", "src/a.rs"]);
    repo.append("src/a.rs", "// and not staged\n").write("mine/notes", "n\n");
    repo.git(&["rm", "-q", "--cached", "src/b.rs"]);
    check(&repo, |repo| {
        repo.git(&["reset", "-q", "--hard"]);
        repo.git(&["clean", "-fdq"]);
    });
    let staged = repo.git(&["show", ":src/a.rs"]);
    assert_eq!(staged, "fn main() {}\n// staged");
}

#[test]
fn a_staged_blob_that_was_collected_meanwhile_is_still_there() {
    let repo = base();
    repo.write("src/a.rs", "only in the index\n");
    repo.git(&["add", "src/a.rs"]);
    repo.write("src/a.rs", "on disk\n");
    check(&repo, |repo| {
        repo.git(&["reset", "-q", "--hard"]);
        repo.git(&["reflog", "expire", "--expire=now", "--all"]);
        repo.git(&["gc", "-q", "--prune=now"]);
    });
    assert_eq!(repo.git(&["show", ":src/a.rs"]), "only in the index");
}

#[test]
fn commits_and_branches_of_the_agent_are_taken_back_and_other_refs_are_listed() {
    let repo = base();
    let first = repo.head();
    let restored = check(&repo, |repo| {
        repo.append("src/a.rs", "// fix\n");
        repo.commit_all("fix");
        repo.git(&["tag", "done"]);
        repo.git(&["switch", "-q", "-c", "topic"]);
        repo.append("src/b.rs", "// more\n");
        repo.git(&["stash", "-q"]);
    });
    assert_eq!(repo.head(), first);
    assert_eq!(repo.git(&["symbolic-ref", "HEAD"]), "refs/heads/main");
    let moved: Vec<&str> = restored.moved_refs.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(moved, ["refs/heads/topic", "refs/stash", "refs/tags/done"]);
    assert!(restored.moved_refs.iter().all(|it| it.was.is_none() && it.is.is_some()));
}

#[test]
fn a_detached_head_and_an_unborn_one_come_back() {
    let repo = base();
    repo.commit_all("second");
    repo.git(&["switch", "-q", "--detach", "HEAD~1"]);
    check(&repo, |repo| drop(repo.git(&["switch", "-q", "main"])));
    check(&repo, |repo| drop(repo.git(&["switch", "-q", "--detach", "main"])));

    let unborn = Repo::new();
    unborn.write("a", "a\n");
    unborn.git(&["add", "a"]);
    check(&unborn, |repo| drop(repo.commit_all("first")));
    assert!(!unborn.git_outcome(&["rev-parse", "--verify", "-q", "main"]).status.success());
}

#[test]
fn files_folders_and_links_that_changed_places_change_back() {
    let repo = base();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("a.rs"), "not ours\n").unwrap();
    check(&repo, |repo| {
        fs::remove_dir_all(repo.path("src")).unwrap();
        symlink(outside.path(), repo.path("src")).unwrap();
        fs::remove_file(repo.path("run.sh")).unwrap();
        repo.write("run.sh/inside/x", "x\n");
        fs::remove_dir_all(repo.path("docs")).unwrap();
        repo.write("docs", "a file now\n");
        fs::remove_file(repo.path("link")).unwrap();
        repo.write("link", "src/a.rs");
    });
    assert_eq!(fs::read_to_string(outside.path().join("a.rs")).unwrap(), "not ours\n");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}

#[test]
fn permissions_beyond_the_executable_bit_and_empty_folders_come_back() {
    let repo = base();
    repo.write("secret", "s\n");
    fs::set_permissions(repo.path("secret"), Permissions::from_mode(0o600)).unwrap();
    fs::create_dir_all(repo.path("empty/folder")).unwrap();
    check(&repo, |repo| {
        fs::set_permissions(repo.path("secret"), Permissions::from_mode(0o644)).unwrap();
        fs::set_permissions(repo.path("src/a.rs"), Permissions::from_mode(0o600)).unwrap();
        fs::set_permissions(repo.path(".gitignore"), Permissions::from_mode(0o640)).unwrap();
        fs::remove_dir_all(repo.path("empty")).unwrap();
        fs::create_dir_all(repo.path("fresh/folder")).unwrap();
    });
}

#[test]
fn ignored_files_are_never_touched_whatever_became_of_the_rules() {
    let repo = base();
    repo.write("target/out", "o\n").write("a.log", "l\n");
    check(&repo, |repo| {
        repo.write(".gitignore", "mine\n");
        repo.append("src/a.rs", "// fix\n");
    });
    repo.write("mine", "m\n");
    check(&repo, |repo| {
        repo.append(".gitignore", "mine\n");
    });
    check(&repo, |repo| {
        repo.remove(".gitignore");
    });
    assert_eq!((repo.read("target/out"), repo.read("mine")), ("o\n".to_owned(), "m\n".to_owned()));
}

#[test]
fn an_ignored_file_that_was_staged_meanwhile_stays_on_disk() {
    let repo = base();
    repo.write("user.log", "the user's\n");
    check(&repo, |repo| drop(repo.git(&["add", "-f", "user.log"])));
    assert_eq!(repo.read("user.log"), "the user's\n");
}

#[test]
fn excluded_paths_are_never_touched() {
    let repo = base();
    repo.write("eval/old", "1\n");
    repo.commit_all("output");
    let excluded = Excluded { paths: vec![PathBuf::from("eval")] };
    let tree = open(&repo);
    let before = take(&tree, "run/1", &excluded);
    repo.write("eval/old", "2\n").write("eval/new", "2\n").write("other/new", "x\n");
    let left = take(&tree, "run/2", &excluded);
    tree.restore(&before, &left, &excluded).unwrap();
    assert_eq!(
        (repo.read("eval/old"), repo.read("eval/new")),
        ("2\n".to_owned(), "2\n".to_owned())
    );
    assert!(!repo.path("other").exists());
}

#[test]
fn an_ignored_file_in_the_place_of_a_folder_is_named_and_kept() {
    let repo = base();
    let tree = open(&repo);
    let none = Excluded::default();
    let before = take(&tree, "run/1", &none);
    fs::remove_file(repo.path("run.sh")).unwrap();
    repo.write("run.sh/x.log", "ignored\n");
    let left = take(&tree, "run/2", &none);
    match tree.restore(&before, &left, &none) {
        Err(WorktreeError::Occupied { path }) => assert_eq!(path, repo.path("run.sh")),
        other => panic!("{other:?}"),
    }
    assert_eq!(repo.read("run.sh/x.log"), "ignored\n");
    assert!(!repo.path(".git/index.lock").exists());
}

#[test]
fn a_head_that_moved_since_it_was_left_is_not_touched() {
    let repo = base();
    let tree = open(&repo);
    let none = Excluded::default();
    let before = take(&tree, "run/1", &none);
    repo.append("src/a.rs", "// agent\n");
    repo.commit_all("agent");
    let left = take(&tree, "run/2", &none);
    repo.append("src/a.rs", "// user\n");
    let users = repo.commit_all("user");
    match tree.restore(&before, &left, &none) {
        Err(WorktreeError::RefMoved { name, .. }) => assert_eq!(name, "refs/heads/main"),
        other => panic!("{other:?}"),
    }
    assert_eq!(repo.head(), users);
    assert!(repo.read("src/a.rs").ends_with("// user\n"));
    repo.git(&["switch", "-q", "-c", "users"]);
    match tree.restore(&before, &left, &none) {
        Err(WorktreeError::RefMoved { name, .. }) => assert_eq!(name, "HEAD"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_locked_index_is_respected_and_a_second_call_finishes_the_first() {
    let repo = base();
    let tree = open(&repo);
    let none = Excluded::default();
    let before = take(&tree, "run/1", &none);
    repo.append("src/a.rs", "// agent\n");
    repo.commit_all("agent");
    let left = take(&tree, "run/2", &none);
    repo.write(".git/index.lock", "");
    assert!(matches!(tree.restore(&before, &left, &none), Err(WorktreeError::Locked { .. })));
    repo.remove(".git/index.lock");
    tree.restore(&before, &left, &none).unwrap();
    let second = tree.restore(&before, &left, &none).unwrap();
    assert_eq!(second, Restored::default());
    assert_eq!(repo.status(), "");
}

#[test]
fn a_file_that_was_dirty_in_the_tick_of_the_index_is_dirty_after_a_restore() {
    for _ in 0..10 {
        let repo = Repo::new();
        repo.write("a", "old\n").write("b", "b\n");
        repo.git(&["add", "-A"]);
        repo.write("a", "new\n");
        check(&repo, |repo| {
            repo.git(&["rm", "-q", "--cached", "b"]);
        });
        assert_eq!(repo.git(&["diff", "--name-only"]), "a");
    }
}

#[test]
fn nested_repositories_get_their_files_back_and_keep_their_own_history() {
    let (inner, repo) = (base(), base());
    repo.git(&["clone", "-q", inner.root().to_str().unwrap(), "vendor/clone"]);
    let nested = |arguments: &[&str]| repo.git(&[&["-C", "vendor/clone"], arguments].concat());
    let tip = nested(&["rev-parse", "HEAD"]);
    check(&repo, |repo| {
        repo.append("vendor/clone/src/a.rs", "// fix\n").remove("vendor/clone/src/b.rs");
    });
    assert_eq!(
        (nested(&["rev-parse", "HEAD"]), nested(&["status", "--porcelain"])),
        (tip, String::new())
    );
}

#[test]
fn what_a_killed_process_of_the_run_locked_is_freed_and_nothing_else() {
    let repo = base();
    let tree = open(&repo);
    let excluded = Excluded::default();
    let before = take(&tree, "run/1", &excluded);
    repo.write("src/a.rs", "fn other() {}\n");
    let left = take(&tree, "run/2", &excluded);

    let git = repo.path(".git");
    let (own, lock) = (git.join("tribunal-run.index"), git.join("index.lock"));
    fs::write(&own, "half of an index").expect("ours to write");
    fs::hard_link(&own, &lock).expect("nothing stands there");
    let mine = [git.join("refs/tribunal/run/3.lock"), own];
    fs::write(&mine[0], "").expect("ours to write");
    let others = [git.join("refs/tribunal/run2/3.lock"), git.join("refs/heads/main.lock")];
    for other in &others {
        fs::create_dir_all(other.parent().expect("a folder")).expect("ours to make");
        fs::write(other, "").expect("ours to write");
    }
    let refused = tree.restore(&before, &left, &excluded).expect_err("it is locked");
    assert!(matches!(refused, WorktreeError::Locked { .. }), "{refused}");
    fs::hard_link(&lock, &mine[1]).expect("the refused restore took its own name away");

    tree.free_locks("run").expect("freed");
    assert!(mine.iter().all(|path| !path.exists()) && !lock.exists());
    assert!(others.iter().all(|path| path.exists()));
    take(&tree, "run/3", &excluded);
    tree.restore(&before, &left, &excluded).expect("restored");
    assert_eq!(repo.read("src/a.rs"), "fn main() {}\n");
    assert!(!mine[1].exists() && !lock.exists());

    fs::write(&lock, "").expect("ours to write");
    tree.free_locks("run").expect("nothing to free");
    assert!(lock.exists(), "another git holds it");
}

/// What was ignored by rules outside of the tree, and how an agent takes those rules away.
#[test]
fn ignored_files_stay_whatever_became_of_the_rules_outside_of_the_tree() {
    let elsewhere = tempfile::tempdir().unwrap();
    let rules = elsewhere.path().join("rules");
    let acts: [&dyn Fn(&Repo); 6] = [
        &|repo| {
            repo.write(".git/info/exclude", "");
        },
        &|repo| drop(repo.git(&["config", "core.worktree", elsewhere.path().to_str().unwrap()])),
        &|repo| drop(repo.git(&["config", "core.bare", "true"])),
        &|repo| drop(repo.git(&["config", "core.excludesFile", "/nowhere"])),
        &|_| fs::write(&rules, "").unwrap(),
        &|repo| {
            repo.write(".git/info/exclude", "!*\n").write(".gitignore", "").write("src/new", "n\n");
        },
    ];
    for act in acts {
        let repo = base();
        fs::write(&rules, "*.own\n").unwrap();
        repo.git(&["config", "core.excludesFile", rules.to_str().unwrap()]);
        repo.write(".git/info/exclude", "/private/\n*.secret\n");
        repo.write("private/deep/x", "x\n").write("src/a.secret", "s\n").write("a.own", "o\n");
        repo.write("target/out", "o\n").write("b.log", "l\n");
        let tree = open(&repo);
        let none = Excluded::default();
        let before = take(&tree, "run/1", &none);
        let there = picture(repo.root());
        act(&repo);
        let left = take(&tree, "run/2", &none);
        let paths = |evidence: &tribunal_verify::Evidence| {
            evidence.changes.iter().map(|it| it.path.to_string()).collect::<Vec<_>>()
        };
        let evidence = paths(&tree.evidence(&before, &left).unwrap());
        let in_the_tree = repo.path("src/new").exists();
        let expected: &[&str] = if in_the_tree { &[".gitignore", "src/new"] } else { &[] };
        assert_eq!(evidence, expected);
        assert_eq!(tree.drift(&before, &left).unwrap().files, in_the_tree);
        tree.restore(&before, &left, &none).unwrap();
        assert_eq!(picture(repo.root()), there);
        let again = take(&tree, "run/3", &none);
        assert!(tree.drift(&before, &again).unwrap().is_none());
    }
}

#[test]
fn what_the_agent_hides_by_rules_outside_of_the_tree_is_put_back() {
    let repo = base();
    repo.write("notes", "the user's\n");
    let tree = open(&repo);
    let none = Excluded::default();
    let before = take(&tree, "run/1", &none);
    repo.write(".git/info/exclude", "*\n").write("notes", "the agent's\n").write("src/new", "n\n");
    let left = take(&tree, "run/2", &none);
    assert!(tree.drift(&before, &left).unwrap().files);
    tree.restore(&before, &left, &none).unwrap();
    assert_eq!(repo.read("notes"), "the user's\n");
}

fn mode(repo: &Repo, path: &str, bits: u32) {
    fs::set_permissions(repo.path(path), Permissions::from_mode(bits)).expect("it is ours");
}

fn pipe(repo: &Repo, path: &str) {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let bits = Mode::RUSR | Mode::WUSR;
    mknodat(CWD, repo.path(path), FileType::Fifo, bits, 0).expect("there is room");
}

#[test]
fn permissions_of_folders_come_back_and_closed_ones_are_entered() {
    let repo = base();
    repo.write("narrow/deep/x", "x\n").write("wide/y", "y\n");
    mode(&repo, "narrow/deep", 0o555);
    mode(&repo, "narrow", 0o555);
    mode(&repo, "wide", 0o2777);
    let restored = check(&repo, |repo| {
        mode(repo, "narrow", 0o755);
        mode(repo, "narrow/deep", 0o755);
        repo.write("narrow/deep/x", "other\n").write("narrow/new", "n\n");
        fs::remove_dir_all(repo.path("wide")).unwrap();
        fs::create_dir(repo.path("src/new")).unwrap();
        mode(repo, "src", 0o700);
        mode(repo, ".", 0o700);
    });
    assert_eq!(restored.not_restored, []);
    let tree = open(&repo);
    let none = Excluded::default();
    let before = take(&tree, "run/1", &none);
    let there = picture(repo.root());
    repo.append("src/a.rs", "// agent\n").write("made/by/agent", "m\n");
    let left = take(&tree, "run/2", &none);
    for (path, bits) in [
        ("src/a.rs", 0o000),
        ("src", 0o000),
        ("made/by/agent", 0o000),
        ("made/by", 0o000),
        ("made", 0o444),
        ("docs/deep", 0o400),
        ("narrow", 0o000),
        (".", 0o555),
    ] {
        mode(&repo, path, bits);
    }
    let restored = tree.restore(&before, &left, &none).unwrap();
    assert_eq!(picture(repo.root()), there);
    assert_eq!(restored.not_restored, []);
    for path in ["narrow", "narrow/deep"] {
        mode(&repo, path, 0o755);
    }
}

#[test]
fn ignored_folders_keep_their_permissions() {
    let repo = base();
    repo.write("target/x", "x\n");
    check(&repo, |repo| {
        repo.write(".gitignore", "");
        repo.append("src/a.rs", "// agent\n");
    });
    mode(&repo, "target", 0o500);
    check(&repo, |repo| {
        repo.append("src/a.rs", "// more\n");
    });
    mode(&repo, "target", 0o700);
}

#[test]
fn pipes_and_sockets_made_since_are_removed_and_those_of_before_stay() {
    let repo = base();
    check(&repo, |repo| {
        pipe(repo, "src/pipe");
        fs::create_dir(repo.path("fresh")).unwrap();
        pipe(repo, "fresh/pipe");
        std::os::unix::net::UnixListener::bind(repo.path("docs/socket")).unwrap();
        fs::remove_file(repo.path("run.sh")).unwrap();
        pipe(repo, "run.sh");
    });
    pipe(&repo, "mine");
    pipe(&repo, "gone");
    pipe(&repo, "x.log");
    let tree = open(&repo);
    let none = Excluded::default();
    let before = take(&tree, "run/1", &none);
    repo.remove("gone").write(".git/info/exclude", "").write(".gitignore", "");
    pipe(&repo, "other");
    let left = take(&tree, "run/2", &none);
    let restored = tree.restore(&before, &left, &none).unwrap();
    let there = |path: &str| fs::symlink_metadata(repo.path(path)).is_ok();
    assert!(there("mine") && there("x.log") && !there("other"));
    let shown: Vec<String> = restored.not_restored.iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["gone"]);
}

#[test]
fn repositories_made_or_removed_inside_since_are_named() {
    let (inner, repo) = (base(), base());
    repo.git(&["clone", "-q", inner.root().to_str().unwrap(), "vendor/clone"]);
    repo.git(&["clone", "-q", inner.root().to_str().unwrap(), "vendor/kept"]);
    let files = picture(repo.root());
    let tree = open(&repo);
    let none = Excluded::default();
    let before = take(&tree, "run/1", &none);
    repo.git(&["init", "-q", "src"]);
    repo.write("src/.git/info/exclude", "*\n").write("src/a.rs", "hidden\n");
    repo.write("src/new", "hidden\n").remove("src/b.rs");
    repo.git(&["init", "-q", "fresh"]);
    fs::remove_dir_all(repo.path("vendor/clone/.git")).unwrap();
    let left = take(&tree, "run/2", &none);
    let restored = tree.restore(&before, &left, &none).unwrap();
    let shown: Vec<String> = restored.not_restored.iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["fresh/.git", "src/.git", "vendor/clone/.git"]);
    fs::remove_dir_all(repo.path("fresh")).unwrap();
    assert_eq!(picture(repo.root()), files);
}

#[test]
fn what_a_lost_ref_let_be_collected_is_stored_again_by_the_next_snapshot() {
    let repo = base();
    repo.write("mine", "m\n");
    let tree = open(&repo);
    let none = Excluded::default();
    take(&tree, "run/1", &none);
    repo.git(&["update-ref", "-d", "refs/tribunal/run/1"]);
    repo.git(&["gc", "-q", "--prune=now"]);
    let before = take(&tree, "run/2", &none);
    repo.remove("mine");
    let left = take(&tree, "run/3", &none);
    tree.restore(&before, &left, &none).unwrap();
    assert_eq!(repo.read("mine"), "m\n");
}

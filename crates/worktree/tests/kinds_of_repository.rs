//! Every kind of repository: an agent edits it, the evidence says so, and the way back leads to the
//! same bytes, modes, links and index; no foreign program is started on the way.

use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use tribunal_test_support::Repo;
use tribunal_verify::Change;
use tribunal_worktree::{Excluded, Head, Limits, Snapshot, SnapshotName, Worktree, WorktreeError};

fn base() -> Repo {
    let repo = Repo::new();
    repo.write("src/a.rs", "fn main() {}\n").write("src/b.rs", "fn b() {}\n");
    repo.commit_all("base");
    repo
}

fn take(root: &Path, name: &str) -> Result<Snapshot, WorktreeError> {
    let name = SnapshotName::of_run("run", name.parse().expect("a number")).expect("a name");
    // A value of its own each time, so that nothing depends on what was remembered.
    Worktree::open(root)?.snapshot(&name, &Excluded::default(), &Limits::default())
}

/// `kind, presence: path`, or `kind, presence: was -> path`.
fn line(change: &Change) -> String {
    let was = change.was.as_ref().map(|was| format!("{was} -> ")).unwrap_or_default();
    let eol = if change.eol_only { " eol" } else { "" };
    let (kind, presence) = (change.kind.word(), change.presence.word());
    format!("{kind}{eol}, {presence}: {was}{}", change.path)
}

/// Lets the agent act, holds the evidence against what is expected, and goes back.
#[track_caller]
fn check(repo: &Repo, act: impl FnOnce(&Repo), expected: &[&str]) {
    check_in(repo, repo.root(), act, expected);
}

/// The same in a work tree of the repository's.
#[track_caller]
fn check_in(repo: &Repo, root: &Path, act: impl FnOnce(&Repo), expected: &[&str]) {
    let tree = Worktree::open(root).expect("a repository");
    let index = || fs::read(git_folder(root).join("index")).ok();
    let (picture, first_index) = (repo.picture(".git"), index());
    let before = take(root, "1").expect("a snapshot");
    assert_eq!((repo.picture(".git"), index()), (picture.clone(), first_index.clone()));
    act(repo);
    let left = take(root, "2").expect("a snapshot");
    let evidence = tree.evidence(&before, &left).expect("evidence");
    assert_eq!(evidence.changes.iter().map(line).collect::<Vec<_>>(), expected);
    tree.restore(&before, &left, &Excluded::default()).expect("a restore");
    assert_eq!(repo.picture(".git"), picture, "the tree is back");
    assert_eq!(index(), first_index, "the index is back");
    let back = take(root, "3").expect("a snapshot");
    assert_eq!(back.head(), before.head());
    assert!(tree.drift(&before, &back).expect("both are kept").is_none());
}

/// Where the index of a work tree lies.
fn git_folder(root: &Path) -> std::path::PathBuf {
    match fs::read_to_string(root.join(".git")) {
        Ok(link) => root.join(link.trim_start_matches("gitdir: ").trim_end()),
        Err(_) => root.join(".git"),
    }
}

fn edit(repo: &Repo) {
    repo.append("src/a.rs", "// fix\n");
}

const EDITED: &str = "modified, tracked: src/a.rs";

/// A script that does its part and leaves a mark that it ran.
fn marking(repo: &Repo, name: &str, part: &str) -> String {
    let mark = repo.path("../mark");
    let script = repo.path("..").join(name);
    fs::write(&script, format!("#!/bin/sh\necho {name} >>'{}'\n{part}\n", mark.display()))
        .expect("it can be written and read");
    fs::set_permissions(&script, Permissions::from_mode(0o755))
        .expect("it can be written and read");
    script.to_str().expect("UTF-8").to_owned()
}

/// Requires that none of the scripts has run since.
#[track_caller]
fn without_marks(repo: &Repo, act: impl FnOnce()) {
    let mark = repo.path("../mark");
    fs::write(&mark, "").expect("it can be written and read");
    act();
    assert_eq!(
        fs::read_to_string(&mark).expect("it can be written and read"),
        "",
        "a foreign program ran"
    );
}

#[test]
fn submodules_with_their_files_and_without_their_git_folders() {
    let inner = base();
    let repo = base();
    for path in ["sub", "absent"] {
        let inner = inner.root().to_str().expect("it can be written and read");
        let add = ["-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, path];
        repo.git(&add);
    }
    repo.commit_all("submodules");
    repo.git(&["submodule", "deinit", "-q", "-f", "absent"]);
    let act = |repo: &Repo| {
        repo.append("sub/src/a.rs", "// fix\n").write("sub/new", "n\n").write("absent/x", "x\n");
    };
    let expected =
        ["added, tracked: absent/x", "added, tracked: sub/new", "modified, tracked: sub/src/a.rs"];
    check(&repo, act, &expected);
}

#[test]
fn a_sparse_checkout_by_folders_and_by_patterns() {
    for arguments in [
        &["set", "--cone", "--sparse-index", "in"][..],
        &["set", "--cone", "--no-sparse-index", "in"],
        &["set", "--no-cone", "/in/"],
    ] {
        let repo = base();
        repo.write("in/x", "x\n").write("out/y", "y\n").write("out/z", "z\n");
        repo.commit_all("more");
        repo.git(&[&["sparse-checkout"], arguments].concat());
        assert!(!repo.path("out").exists());
        let act = |repo: &Repo| {
            repo.append("in/x", "// fix\n").write("out/y", "other\n");
        };
        check(&repo, act, &["modified, tracked: in/x", "added, tracked: out/y"]);
        assert!(!repo.path("out").exists());
        let expanded = |repo: &Repo| {
            act(repo);
            repo.git(&["ls-files"]);
            repo.git(&["add", "--sparse", "in"]);
        };
        check(&repo, expanded, &["modified, staged: in/x", "added, tracked: out/y"]);
    }
}

#[test]
fn a_linked_worktree_and_the_main_one_each_for_itself() {
    let repo = base();
    let linked = repo.path("../linked");
    repo.git(&[
        "worktree",
        "add",
        "-q",
        "-b",
        "topic",
        linked.to_str().expect("it can be written and read"),
    ]);
    repo.append("src/b.rs", "// mine\n");
    let (main, status) = (repo.head(), repo.status());
    let root = linked.canonicalize().expect("it can be written and read");
    let before = fs::read(linked.join("src/a.rs")).expect("it can be written and read");
    let act = |repo: &Repo| {
        fs::write(linked.join("src/a.rs"), "fn fixed() {}\n").expect("it can be written and read");
        repo.git(&[
            "-C",
            linked.to_str().expect("it can be written and read"),
            "commit",
            "-qam",
            "fix",
        ]);
    };
    check_in(&repo, &root, act, &["modified, committed: src/a.rs"]);
    assert_eq!(fs::read(linked.join("src/a.rs")).expect("it can be written and read"), before);
    assert_eq!((repo.head(), repo.status()), (main, status), "the main one is not touched");
    check(&repo, edit, &[EDITED]);
}

#[test]
fn a_git_folder_that_lies_elsewhere() {
    let repo = base();
    repo.git(&[
        "init",
        "-q",
        "--separate-git-dir",
        repo.path("../elsewhere").to_str().expect("it can be written and read"),
    ]);
    assert!(repo.path(".git").is_file());
    check(&repo, edit, &[EDITED]);
}

#[test]
fn an_executable_bit_that_git_is_told_not_to_trust() {
    let repo = base();
    repo.git(&["config", "core.fileMode", "false"]);
    let act = |repo: &Repo| {
        fs::set_permissions(repo.path("src/a.rs"), Permissions::from_mode(0o755))
            .expect("it can be written and read");
    };
    check(&repo, act, &[]);
}

#[test]
fn line_ends_that_git_converts() {
    for convert in ["true", "input"] {
        let repo = Repo::new();
        repo.git(&["config", "core.autocrlf", convert]);
        repo.write("crlf.txt", "a\r\nb\r\n").write("lf.txt", "a\nb\n").write("src/a.rs", "a\r\n");
        repo.commit_all("converted");
        check(&repo, |_| {}, &[]);
        let act = |repo: &Repo| {
            repo.write("crlf.txt", "a\nb\n")
                .write("lf.txt", "a\r\nb\r\n")
                .append("src/a.rs", "b\r\n");
        };
        let expected = ["modified eol, tracked: crlf.txt", "modified eol, tracked: lf.txt", EDITED];
        check(&repo, act, &expected);
    }
}

/// Snapshots are raw bytes (D12): a filter is a program that the repository names, and is never run.
#[test]
fn filters_hooks_and_monitors_of_the_repository_are_never_started() {
    let repo = base();
    let rot = marking(&repo, "rot", "tr a-z n-za-m");
    for (key, script) in [
        ("filter.rot.clean", &rot),
        ("filter.rot.smudge", &rot),
        ("filter.rot.required", &"true".to_owned()),
        ("core.fsmonitor", &marking(&repo, "monitor", "exit 1")),
        ("diff.external", &marking(&repo, "external", "exit 1")),
        ("diff.rot.textconv", &rot),
    ] {
        repo.git(&["config", key, script]);
    }
    repo.write(".gitattributes", "*.txt text=auto\n*.rot filter=rot diff=rot\n*.id ident\n");
    repo.write("crlf.txt", "a\r\nb\r\n").write("x.rot", "hello\n").write("x.id", "$Id$\n");
    repo.commit_all("converted");
    assert_eq!(repo.git(&["show", "HEAD:x.rot"]), "uryyb");
    repo.git(&["checkout-index", "-f", "-a"]);
    for hook in ["post-index-change", "reference-transaction", "post-checkout", "pre-commit"] {
        fs::rename(marking(&repo, hook, ""), repo.path(".git/hooks").join(hook))
            .expect("it can be written and read");
    }
    without_marks(&repo, || {
        check(&repo, |_| {}, &[]);
        let act = |repo: &Repo| {
            repo.write("crlf.txt", "a\nb\n").write("x.rot", "uryyb\n").append("x.id", "more\n");
        };
        let expected = [
            "modified eol, tracked: crlf.txt",
            "modified, tracked: x.id",
            "modified, tracked: x.rot",
        ];
        check(&repo, act, &expected);
    });
}

/// What LFS puts on disk is kept, not the pointer that it stages; a pointer on disk is a file.
#[test]
fn large_files_behind_pointers() {
    let repo = base();
    let pointer = "printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize 7\\n' \
                   $(sha256sum | cut -d' ' -f1)";
    repo.git(&["config", "filter.lfs.clean", &marking(&repo, "clean", pointer)]);
    repo.git(&["config", "filter.lfs.smudge", &marking(&repo, "smudge", "cat")]);
    repo.git(&["config", "filter.lfs.required", "true"]);
    repo.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    repo.write("large.bin", "\0bytes\n");
    let staged = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n";
    repo.commit_all("large");
    assert!(repo.git(&["show", "HEAD:large.bin"]).starts_with("version https://git-lfs"));
    repo.write("pointer.bin", staged);
    without_marks(&repo, || {
        check(&repo, |_| {}, &[]);
        let act = |repo: &Repo| {
            repo.write("large.bin", "\0other\n").append("pointer.bin", "x\n");
        };
        check(&repo, act, &["modified, tracked: large.bin", "modified, untracked: pointer.bin"]);
    });
    assert_eq!(repo.read("large.bin"), "\0bytes\n");
}

#[test]
fn entries_that_are_flagged_assume_unchanged_or_skip_worktree() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let repo = base();
        repo.git(&["update-index", flag, "src/a.rs"]);
        check(&repo, edit, &[EDITED]);
        let unflag = |repo: &Repo| {
            edit(repo);
            repo.git(&["update-index", &flag.replace("--", "--no-"), "src/a.rs"]);
        };
        check(&repo, unflag, &[EDITED]);
    }
}

#[test]
fn links_to_files_to_folders_to_nowhere_and_out_of_the_tree() {
    let repo = base();
    fs::create_dir(repo.path("../outside")).expect("it can be written and read");
    fs::write(repo.path("../outside/secret"), "s").expect("it can be written and read");
    symlink("../outside", repo.path("out")).expect("it can be written and read");
    symlink("src", repo.path("folder")).expect("it can be written and read");
    symlink("a.rs", repo.path("src/link.rs")).expect("it can be written and read");
    symlink("nowhere", repo.path("dangling")).expect("it can be written and read");
    repo.commit_all("links");
    let act = |repo: &Repo| {
        repo.remove("out").write("out/secret", "mine").remove("folder").remove("dangling");
        symlink("elsewhere", repo.path("dangling")).expect("it can be written and read");
        repo.remove("src/link.rs").write("src/link.rs", "a.rs");
    };
    let expected = [
        "modified, tracked: dangling",
        "deleted, tracked: folder",
        "deleted, tracked: out",
        "added, untracked: out/secret",
        "modified, tracked: src/link.rs",
    ];
    check(&repo, act, &expected);
    assert_eq!(
        fs::read_to_string(repo.path("../outside/secret")).expect("it can be written and read"),
        "s"
    );
}

#[test]
fn names_that_are_no_utf_8_or_hold_anything_but_nul_and_slash() {
    let repo = base();
    let latin = std::ffi::OsStr::from_bytes(b"caf\xe9");
    fs::write(repo.root().join(latin), "x\n").expect("it can be written and read");
    repo.write("tab\there\nand \"more\"", "z\n").write("über blick.md", "y\n").write("-f", "f\n");
    repo.commit_all("names");
    let act = |repo: &Repo| {
        fs::write(repo.root().join(latin), "other\n").expect("it can be written and read");
        repo.append("tab\there\nand \"more\"", "z\n").append("über blick.md", "y\n").remove("-f");
    };
    let expected = [
        "deleted, tracked: -f",
        "modified, tracked: caf\u{fffd}",
        "modified, tracked: tab\there\nand \"more\"",
        "modified, tracked: über blick.md",
    ];
    check(&repo, act, &expected);
}

/// Longer than any path that the system takes in one piece; the folders are entered one by one.
#[test]
fn paths_longer_than_the_system_takes_in_one_piece() {
    let repo = base();
    let step = "d".repeat(250);
    let deep = |script: &str| {
        let script =
            format!("for n in $(seq 20); do mkdir -p {step}; cd -P {step}; done\n{script}");
        let done = std::process::Command::new("bash")
            .args(["-c", &script])
            .current_dir(repo.root())
            .output()
            .expect("bash runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).expect("UTF-8")
    };
    deep("echo first >deep");
    let before = take(repo.root(), "1").expect("a snapshot");
    deep("echo second >deep; echo new >new");
    let left = take(repo.root(), "2").expect("a snapshot");
    let tree = Worktree::open(repo.root()).expect("a repository");
    let evidence = tree.evidence(&before, &left).expect("evidence");
    let ends: Vec<&str> = evidence.changes.iter().map(|it| it.kind.word()).collect();
    assert_eq!(ends, ["modified", "added"]);
    assert!(evidence.changes[0].path.as_bytes().len() > 5000);
    tree.restore(&before, &left, &Excluded::default()).expect("a restore");
    assert_eq!(deep("cat *"), "first\n");
}

#[test]
fn names_that_differ_in_case_alone() {
    for ignore_case in ["false", "true"] {
        let repo = base();
        repo.git(&["config", "core.ignoreCase", ignore_case]);
        repo.write("Readme", "one\n").write("README", "two\n").write("Src/A.rs", "three\n");
        for file in ["Readme", "README", "Src/A.rs"] {
            let blob = repo.git(&["hash-object", "-w", file]);
            repo.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{blob},{file}")]);
        }
        repo.git(&["commit", "-qm", "twins"]);
        let act = |repo: &Repo| {
            repo.append("README", "fix\n").append("Src/A.rs", "fix\n").write("SRC/a.rs", "new\n");
        };
        let expected = [
            "modified, tracked: README",
            "added, untracked: SRC/a.rs",
            "modified, tracked: Src/A.rs",
        ];
        check(&repo, act, &expected);
    }
}

#[test]
fn a_repository_without_a_commit() {
    let repo = Repo::new();
    let new = |repo: &Repo| {
        repo.write("a", "a\n");
    };
    check(&repo, new, &["added, untracked: a"]);
    repo.write("src/a.rs", "fn main() {}\n");
    repo.git(&["add", "-A"]);
    let head = Head::Branch { reference: "refs/heads/main".to_owned(), commit: None };
    assert_eq!(*take(repo.root(), "1").expect("a snapshot").head(), head);
    check(&repo, edit, &[EDITED]);
    let commit = |repo: &Repo| {
        edit(repo);
        repo.commit_all("first");
    };
    check(&repo, commit, &["modified, committed: src/a.rs"]);
}

/// A clone of a repository of three commits, made with these options.
fn clone(options: &[&str]) -> (Repo, Repo) {
    let origin = base();
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    origin.append("src/a.rs", "// two\n").write("docs/x", "x\n").commit_all("two");
    origin.append("src/a.rs", "// three\n").commit_all("three");
    let url = format!("file://{}", origin.root().display());
    let to = origin.path("../clone");
    origin.git(&[&["clone", "-q"], options, &[&url, to.to_str().expect("UTF-8")]].concat());
    let cloned = origin.neighbour(&to);
    (origin, cloned)
}

#[test]
fn a_shallow_clone() {
    let (_origin, repo) = clone(&["--depth", "1"]);
    check(&repo, edit, &[EDITED]);
    let commit = |repo: &Repo| {
        edit(repo);
        repo.commit_all("fix");
    };
    check(&repo, commit, &["modified, committed: src/a.rs"]);
    repo.git(&["fsck", "--no-dangling"]);
}

/// What was never fetched is not asked for: nothing talks to the origin, which is gone here.
#[test]
fn a_partial_clone_without_what_it_has_not_fetched() {
    for options in [&["--filter=blob:none"][..], &["--filter=tree:0", "--sparse"]] {
        let (origin, repo) = clone(options);
        drop(origin.git(&["config", "uploadpack.allowFilter", "false"]));
        repo.git(&["remote", "set-url", "origin", "file:///nowhere"]);
        let act = |repo: &Repo| {
            repo.write("src/a.rs", "fn fixed() {}\n").write("new", "n\n");
        };
        let sparse = options.len() > 1;
        let kind = if sparse { "added" } else { "modified" };
        check(&repo, act, &["added, untracked: new", &format!("{kind}, tracked: src/a.rs")]);
    }
}

/// Extensions that concern neither objects nor refs are no reason to refuse a repository.
#[test]
fn extensions_that_change_nothing_about_files() {
    for extension in ["partialClone", "worktreeConfig", "preciousObjects", "relativeWorktrees"] {
        let repo = base();
        repo.git(&["config", "core.repositoryFormatVersion", "1"]);
        repo.git(&["config", &format!("extensions.{extension}"), "true"]);
        if extension == "partialClone" {
            repo.git(&["config", "extensions.partialClone", "origin"]);
        }
        match take(repo.root(), "1") {
            Ok(_) => check(&repo, edit, &[EDITED]),
            Err(error) => panic!("{extension}: {error}"),
        }
    }
}

#[test]
fn a_split_index_is_refused_by_name() {
    let repo = base();
    repo.git(&["update-index", "--split-index"]);
    match take(repo.root(), "1") {
        Err(WorktreeError::UnsupportedFormat { format, .. }) => assert_eq!(format, "split index"),
        other => panic!("{other:?}"),
    }
}

/// A snapshot reads the index and never locks it; a restore must write it and waits for nobody.
#[test]
fn an_index_that_another_git_holds() {
    let repo = base();
    repo.write(".git/index.lock", "");
    let before = take(repo.root(), "1").expect("a snapshot");
    edit(&repo);
    let left = take(repo.root(), "2").expect("a snapshot");
    let tree = Worktree::open(repo.root()).expect("a repository");
    assert_eq!(tree.evidence(&before, &left).expect("evidence").changes.len(), 1);
    match tree.restore(&before, &left, &Excluded::default()) {
        Err(WorktreeError::Locked { path }) => assert_eq!(path, repo.path(".git/index.lock")),
        other => panic!("{other:?}"),
    }
    assert!(repo.read("src/a.rs").ends_with("// fix\n"), "nothing was touched");
    repo.remove(".git/index.lock");
    tree.restore(&before, &left, &Excluded::default()).expect("a restore");
    assert_eq!(repo.read("src/a.rs"), "fn main() {}\n");
}

/// Conflicts stand in the index alone; they come back as they were.
#[test]
fn a_merge_that_stopped_at_a_conflict() {
    let repo = base();
    repo.git(&["switch", "-qc", "topic"]);
    repo.write("src/a.rs", "fn theirs() {}\n").commit_all("theirs");
    repo.git(&["switch", "-q", "main"]);
    repo.write("src/a.rs", "fn ours() {}\n").commit_all("ours");
    assert!(!repo.git_outcome(&["merge", "-q", "topic"]).status.success());
    assert_eq!(repo.status(), "UU src/a.rs");
    let act = |repo: &Repo| {
        repo.write("src/a.rs", "fn both() {}\n");
        repo.git(&["add", "src/a.rs"]);
    };
    check(&repo, act, &["modified, staged: src/a.rs"]);
    assert_eq!(repo.status(), "UU src/a.rs");
}

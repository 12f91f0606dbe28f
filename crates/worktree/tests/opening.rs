//! Which repositories are opened, and what is said about the others.

use std::fs;
use std::os::unix::fs::{chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use tribunal_test_support::Repo;
use tribunal_worktree::{Excluded, Limits, SnapshotName, Worktree, WorktreeError};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn error(path: &Path) -> WorktreeError {
    let error = Worktree::open(path).expect_err("it cannot be opened");
    let shown = error.to_string();
    let name = path.file_name().expect("a name").to_str().expect("UTF-8").to_owned();
    assert!(shown.contains(&name), "{shown} does not name {name}");
    error
}

fn init(path: &Path, arguments: &[&str]) -> bool {
    let done = Command::new("git").args(["init", "-q"]).args(arguments).arg(path).status();
    done.expect("git runs").success()
}

#[test]
fn the_root_is_found_from_any_path_below_it() {
    let repo = Repo::new();
    repo.write("src/deep/a.rs", "a\n");
    for path in ["", "src", "src/deep", "src/deep/a.rs"] {
        assert_eq!(Worktree::open(&repo.path(path)).unwrap().root(), repo.root());
    }
    let elsewhere = folder();
    let link = elsewhere.path().join("link");
    symlink(repo.root(), &link).unwrap();
    assert_eq!(Worktree::open(&link).unwrap().root(), repo.root());
}

#[test]
fn what_is_no_repository_is_named() {
    let folder = folder();
    assert!(matches!(error(folder.path()), WorktreeError::NotARepository { .. }));
    let missing = folder.path().join("missing");
    assert!(matches!(error(&missing), WorktreeError::Io { .. }));
}

#[test]
fn a_bare_repository_has_no_work_tree() {
    let folder = folder();
    let bare = folder.path().join("bare");
    assert!(init(&bare, &["--bare"]));
    assert!(matches!(error(&bare), WorktreeError::Bare { .. }));
}

#[test]
fn unsupported_formats_are_named() {
    for (option, expected) in
        [("--object-format=sha256", "sha256"), ("--ref-format=reftable", "reftable")]
    {
        let folder = folder();
        let repo = folder.path().join("repo");
        assert!(init(&repo, &[option]), "git knows {option}");
        match error(&repo) {
            WorktreeError::UnsupportedFormat { format, .. } => assert_eq!(format, expected),
            other => panic!("{other:?}"),
        }
    }
}

/// VE-09: only an answer is an answer.
#[test]
fn a_repository_of_another_owner_is_refused_with_gits_message() {
    let repo = Repo::new();
    repo.write("a", "a\n");
    for path in [repo.root().to_owned(), repo.path(".git")] {
        if chown(path, Some(12_345), Some(12_345)).is_err() {
            eprintln!("skipped: only root can give a repository away");
            return;
        }
    }
    match error(repo.root()) {
        WorktreeError::ForeignOwner { why, .. } => assert!(why.contains("owned by"), "{why}"),
        other => panic!("{other:?}"),
    }
}

/// VE-10: the repository is the one at the path. This test runs itself again under the leak.
#[test]
fn variables_of_a_surrounding_git_have_no_influence() {
    const LEAKED: &str = "TRIBUNAL_TEST_LEAKED_ROOT";
    if let Some(root) = std::env::var_os(LEAKED) {
        let tree = Worktree::open(Path::new(&root)).expect("a repository");
        assert_eq!(tree.root(), Path::new(&root));
        let take = |name: &str| {
            let name = SnapshotName::new(name).expect("a name");
            tree.snapshot(&name, &Excluded::default(), &Limits::default()).expect("a snapshot")
        };
        let before = take("run/1");
        fs::write(Path::new(&root).join("a"), "fixed\n").expect("it can be written");
        let evidence = tree.evidence(&before, &take("run/2")).expect("evidence");
        assert_eq!(evidence.changes.len(), 1);
        return;
    }
    let (repo, decoy) = (Repo::new(), Repo::new());
    repo.write("a", "a\n");
    repo.commit_all("base");
    decoy.write("z", "z\n");
    decoy.commit_all("decoy");
    let test = std::env::current_exe().expect("this test is a program");
    let outcome = Command::new(test)
        .args(["--exact", "variables_of_a_surrounding_git_have_no_influence"])
        .env(LEAKED, repo.root())
        .env("GIT_DIR", decoy.path(".git"))
        .env("GIT_WORK_TREE", decoy.root())
        .env("GIT_INDEX_FILE", decoy.path(".git/index"))
        .env("GIT_OBJECT_DIRECTORY", decoy.path(".git/objects"))
        .env("GIT_CEILING_DIRECTORIES", repo.root())
        .output()
        .expect("it starts again");
    assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stdout));
    let refs = ["for-each-ref", "--format=%(refname)", "refs/tribunal"];
    assert_eq!(repo.git(&refs).lines().count(), 2);
    assert_eq!(decoy.git(&refs), "");
}

#[test]
fn a_target_is_given_relative_to_the_root_or_refused() {
    let repo = Repo::new();
    repo.write("src/a.rs", "a\n");
    let tree = Worktree::open(repo.root()).unwrap();
    let check = |path: PathBuf, expected: &str| {
        assert_eq!(tree.target_inside(&path).unwrap(), Path::new(expected));
    };
    check(repo.root().to_owned(), ".");
    check(repo.path("src"), "src");
    check(repo.path("src/../src/a.rs"), "src/a.rs");
    let outside = folder();
    symlink(outside.path(), repo.path("out")).unwrap();
    for path in [outside.path().to_owned(), repo.path("out"), repo.path("..")] {
        let error = tree.target_inside(&path).unwrap_err();
        assert!(matches!(error, WorktreeError::Outside { .. }), "{error}");
    }
}

#[test]
fn a_folder_that_is_no_repository_is_kept_in_a_store_of_ours() {
    let (root, store) = (folder(), folder());
    let write = |path: &str, text: &str| fs::write(root.path().join(path), text).unwrap();
    fs::create_dir(root.path().join("target")).unwrap();
    write("a", "a\n");
    write("target/big", "ignored\n");
    write(".gitignore", "target/\n");
    let tree = Worktree::without_git(root.path(), store.path()).unwrap();
    let take = |tree: &Worktree, name: &str| {
        let name = SnapshotName::new(name).unwrap();
        tree.snapshot(&name, &Excluded::default(), &Limits::default()).unwrap()
    };
    let before = take(&tree, "run/1");
    write("a", "b\n");
    write("new", "n\n");
    write("target/big", "still ignored\n");
    let tree = Worktree::without_git(root.path(), store.path()).unwrap();
    let after = take(&tree, "run/2");
    let evidence = tree.evidence(&before, &after).unwrap();
    let paths: Vec<String> = evidence.changes.iter().map(|it| it.path.to_string()).collect();
    assert_eq!(paths, ["a", "new"]);
    let restored = tree.restore(&before, &after, &Excluded::default()).unwrap();
    assert_eq!(restored.paths.len(), 2);
    assert_eq!(fs::read_to_string(root.path().join("a")).unwrap(), "a\n");
    assert!(!root.path().join("new").exists());
    assert!(root.path().join("target/big").exists());
    assert!(!root.path().join(".git").exists());
    let names: Vec<_> =
        fs::read_dir(root.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3);
}

#[test]
fn whether_git_tracks_anything_at_or_below_a_path() {
    let repo = Repo::new();
    repo.write("src/a.rs", "a\n").write("out/old/x", "x\n").write("output", "o\n");
    repo.commit_all("base");
    repo.write("free/y", "y\n");
    repo.remove("out/old/x");
    symlink("src", repo.path("link")).unwrap();
    let tree = Worktree::open(repo.root()).unwrap();
    let rows = [
        (PathBuf::from("out"), true),
        (PathBuf::from("./out/old/"), true),
        (PathBuf::from("out/old/x"), true),
        (PathBuf::from("."), true),
        (repo.path("src"), true),
        (PathBuf::from("link"), true),
        (PathBuf::from("free/../src"), true),
        (PathBuf::from("ou"), false),
        (PathBuf::from("out/new"), false),
        (PathBuf::from("free"), false),
        (PathBuf::from("link/new/deep"), false),
        (PathBuf::from("missing/deep"), false),
        (PathBuf::from("/"), false),
    ];
    for (path, expected) in rows {
        assert_eq!(tree.tracks_below(&path).unwrap(), expected, "{}", path.display());
    }
    let (root, store) = (folder(), folder());
    fs::write(root.path().join("a"), "a\n").unwrap();
    let tree = Worktree::without_git(root.path(), store.path()).unwrap();
    assert!(!tree.tracks_below(Path::new("a")).unwrap());

    repo.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "src"]);
    let tree = Worktree::open(repo.root()).unwrap();
    assert!(tree.tracks_below(Path::new("out/old/more")).unwrap());
    assert!(tree.tracks_below(Path::new("out")).unwrap());
}

//! Where the audit is to happen.

use std::fs;
use std::path::{Path, PathBuf};

use tribunal_test_support::Portrait;

use crate::stage::{ONE_CYCLE, Stage, holds, swallowed};

use super::words;

/// An audit in a folder beside the stage's repository that must be refused, and change nothing there.
#[track_caller]
fn check(stage: &Stage, folder: &Path, said: &str) {
    let before = Portrait::of(folder);
    for command in [&["audit"][..], &["recipe", "run", "quality-audit-cycle"]] {
        let outcome = stage.with_agent(command, &[]).dir(folder).run();
        assert_eq!(words(stage, &outcome), said);
        outcome.expect_code(3);
        assert_eq!(outcome.stdout, "");
    }
    assert!(stage.calls().is_empty(), "{:?}", stage.calls());
    assert!(stage.run_folders().is_empty(), "{:?}", stage.run_folders());
    before.expect_unchanged();
}

/// Makes a repository with git itself; `None`, and a line, where this git cannot.
fn made(stage: &Stage, name: &str, arguments: &[&str]) -> Option<PathBuf> {
    let folder = stage.sandbox.root().join(name);
    let git = stage.sandbox.program("git").args(&["init", "--quiet"]).args(arguments);
    let outcome = git.arg(&folder).run();
    if outcome.code() == Some(0) {
        return Some(folder);
    }
    eprintln!("skipped: this git cannot make it: {}", outcome.stderr);
    None
}

/// CL-09
#[test]
fn where_there_is_no_repository_the_remedy_is_named_before_anybody_is_asked() {
    let stage = Stage::new([swallowed()]);
    let plain = stage.sandbox.root().join("plain");
    fs::create_dir(&plain).expect("the sandbox can be written");
    check(
        &stage,
        &plain,
        "error: no git repository at or above ROOT/plain\n  remedy: fixes are verified against git: run \
         `git init`, or pass --no-git to compare content hashes",
    );
}

#[test]
fn a_bare_repository_has_no_work_tree() {
    let stage = Stage::new([swallowed()]);
    let bare = made(&stage, "bare", &["--bare"]).expect("every git can");
    check(
        &stage,
        &bare,
        "error: bare repository without a work tree: ROOT/bare/\n  remedy: audit a work tree of it: `git \
         worktree add DIR`",
    );
}

#[test]
fn sha256_and_reftable_repositories_are_refused_by_name() {
    let stage = Stage::new([swallowed()]);
    for (name, argument) in
        [("sha256", "--object-format=sha256"), ("reftable", "--ref-format=reftable")]
    {
        let Some(folder) = made(&stage, name, &[argument]) else { continue };
        let said = format!(
            "error: unsupported repository format at ROOT/{name}: {name}\n  remedy: work in a clone with \
             sha1 objects and refs as files, or pass --no-git to compare content hashes"
        );
        check(&stage, &folder, &said);
    }
}

#[test]
fn sha256_and_reftable_repositories_can_be_audited_without_git() {
    for argument in ["--object-format=sha256", "--ref-format=reftable"] {
        let stage = Stage::new([swallowed()]);
        let Some(folder) = made(&stage, "other", &[argument]) else { continue };
        fs::create_dir(folder.join("src")).expect("the sandbox");
        fs::copy(stage.repo.path("src/cart.py"), folder.join("src/cart.py")).expect("the sandbox");
        let git = Portrait::of(&folder.join(".git"));
        let outcome = stage.audit(&ONE_CYCLE).arg("--no-git").dir(&folder).run();
        outcome.expect_code(0);
        let fixed = fs::read_to_string(folder.join("src/cart.py")).expect("it is there");
        holds(&fixed, "except KeyError: raise");
        git.expect_unchanged();
    }
}

#[test]
fn a_repository_of_someone_else_is_refused_until_its_owner_is_trusted() {
    let stage = Stage::new([swallowed()]);
    let theirs = stage.sandbox.root().join("theirs");
    let root = stage.repo.root();
    stage.sandbox.program("cp").arg("-a").arg(root).arg(&theirs).run().expect_code(0);
    let given = stage.sandbox.program("chown").args(&["-R", "4711:4711"]).arg(&theirs).run();
    if given.code() != Some(0) {
        eprintln!("skipped: this user cannot give files away: {}", given.stderr);
        return;
    }
    check(
        &stage,
        &theirs,
        "error: repository of another owner at ROOT/theirs: repository path 'ROOT/theirs' is not owned by \
         current user\n  remedy: if you trust its owner: git config --global --add safe.directory \
         'ROOT/theirs'",
    );
    let config = stage.sandbox.home().join(".gitconfig");
    let trusted = format!("[safe]\n\tdirectory = {}\n", theirs.display());
    fs::write(config, trusted).expect("the sandbox can be written");
    stage.audit(&ONE_CYCLE).dir(&theirs).run().expect_code(0);
}

#[test]
fn an_unborn_head_is_audited_and_stays_unborn() {
    let stage = Stage::uncommitted([swallowed()]);
    stage.one_cycle().expect_code(0);
    assert_eq!(stage.fates(), [("F1".to_owned(), "fixed".to_owned())]);
    let head = stage.repo.git_outcome(&["rev-parse", "--verify", "--quiet", "HEAD"]);
    assert_ne!(head.code(), Some(0), "HEAD has no commit yet");
    assert_eq!(stage.repo.git(&["symbolic-ref", "HEAD"]), "refs/heads/main");
}

#[test]
fn a_broken_repository_is_an_error_with_the_place_and_never_clean() {
    for (file, broken, said) in [
        (".git/config", "[core", "failed to parse config file"),
        (".git/index", "garbage", "index"),
        (".git/HEAD", "garbage", "HEAD"),
    ] {
        let stage = Stage::new([swallowed()]);
        stage.repo.write(file, broken);
        let before =
            [Portrait::of(&stage.repo.path(".git/refs")), Portrait::of(&stage.repo.path("src"))];
        let outcome = stage.one_cycle();
        outcome.expect_code(3);
        assert_eq!(outcome.stdout, "");
        holds(&outcome.stderr, said);
        holds(&outcome.stderr, "remedy: ");
        assert!(stage.calls().is_empty(), "{:?}", stage.calls());
        before.iter().for_each(Portrait::expect_unchanged);
        assert_eq!(stage.repo.read(file), broken);
    }
}

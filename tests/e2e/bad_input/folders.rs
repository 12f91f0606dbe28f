//! Folders of Tribunal's own, put where they must not be or cannot be.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use tribunal_test_support::Portrait;

use crate::stage::{ONE_CYCLE, Stage, holds, swallowed};

use super::check_refused;

const REMEDY: &str = "\n  remedy: name a folder of its own, which git does not track";

#[track_caller]
fn check_output_dir(stage: &Stage, folder: &str, said: &str) {
    let variable = format!("output_dir={folder}");
    let said = format!("error: output_dir `{folder}`: {said}")
        .replace(stage.sandbox.root().to_str().expect("UTF-8"), "ROOT");
    check_refused(stage, stage.audit(&["-c", &variable]), 2, &said);
}

#[test]
fn results_lie_in_a_folder_of_their_own() {
    let stage = Stage::new([swallowed()]);
    let is_root = format!("is the repository itself{REMEDY}");
    let tracked = format!("holds files that git tracks{REMEDY}");
    let in_git = format!("lies in `.git`{REMEDY}");
    let out = "leads out of the repository ROOT/shop\n  remedy: name a place inside, or an absolute path \
               where one may be";
    symlink(stage.repo.root(), stage.sandbox.root().join("way")).expect("the sandbox");
    let absolute = |below: &str| format!("{}/{below}", stage.repo.root().display());
    let by_link = |below: &str| format!("{}/way/{below}", stage.sandbox.root().display());
    for (folder, said) in [
        (".", is_root.as_str()),
        ("./", &is_root),
        ("", &is_root),
        ("src/..", &is_root),
        ("src", &tracked),
        ("src/../src", &tracked),
        ("..", out),
        (".git/refs", &in_git),
        ("sub/.git/x", &in_git),
        (&absolute(".git/results"), &in_git),
        (&absolute("src"), &tracked),
        (&by_link(".git/results"), &in_git),
        (&by_link("src"), &tracked),
    ] {
        check_output_dir(&stage, folder, said);
    }
}

#[test]
fn results_do_not_lie_in_the_git_folder_that_a_linked_work_tree_shares() {
    let stage = Stage::new([swallowed()]);
    let linked = stage.sandbox.root().join("linked");
    stage.repo.git(&["worktree", "add", "--quiet", linked.to_str().expect("UTF-8")]);
    let folder = format!("{}/.git/results", stage.repo.root().display());
    let variable = format!("output_dir={folder}");
    let audit = stage.audit(&["-c", &variable]).dir(&linked);
    let said = format!("error: output_dir `ROOT/shop/.git/results`: lies in `.git`{REMEDY}");
    check_refused(&stage, audit, 2, &said);
}

/// A folder for results that cannot be used: they go to a private folder, and it is named (D11).
#[track_caller]
fn check_kept_elsewhere(stage: &Stage, folder: &str, why: &str) {
    let before = Portrait::of(&stage.repo.path(".git/refs"));
    let variable = format!("output_dir={folder}");
    let outcome = stage.audit(&ONE_CYCLE).args(&["-c", &variable]).run();
    outcome.expect_code(0);
    let prefix = format!("{folder}: {why}; written to ");
    for name in ["report.md", "findings.json"] {
        let line = outcome
            .stderr
            .lines()
            .find(|line| line.starts_with(&prefix) && line.ends_with(name))
            .unwrap_or_else(|| panic!("`{prefix}…{name}` in\n{}", outcome.stderr));
        let place = Path::new(&line[prefix.len()..]);
        assert!(place.starts_with(stage.sandbox.tmp()), "{}", place.display());
        assert!(place.is_file(), "{}", place.display());
    }
    drop(before);
}

#[test]
fn results_are_not_led_elsewhere_by_a_link() {
    let stage = Stage::new([swallowed()]);
    let outside = stage.sandbox.root().join("outside");
    fs::create_dir(&outside).expect("the sandbox");
    let before = Portrait::of(&outside);
    symlink(&outside, stage.repo.path("out")).expect("the sandbox");
    symlink(".git", stage.repo.path("git")).expect("the sandbox");
    check_kept_elsewhere(&stage, "out", "out: is a link");
    check_kept_elsewhere(&stage, "out/deep", "out: is a link");
    check_kept_elsewhere(&stage, "git/results", "git: is a link");
    before.expect_unchanged();
    assert!(!stage.repo.path(".git/results").exists());
}

#[test]
fn results_are_kept_where_their_folder_cannot_be() {
    let stage = Stage::new([swallowed()]);
    stage.repo.write("file", "not a folder\n");
    let why = "file: Not a directory (os error 20)";
    check_kept_elsewhere(&stage, "file", why);
    check_kept_elsewhere(&stage, "file/deep", why);
    check_kept_elsewhere(
        &stage,
        "/proc/results",
        "results: No such file or directory (os error 2)",
    );
    assert_eq!(stage.repo.read("file"), "not a folder\n");
}

#[test]
fn runs_are_not_kept_among_what_is_audited() {
    let stage = Stage::new([swallowed()]);
    let root = stage.repo.root().to_owned();
    for (folder, below, said) in
        [(".", "", "is the repository itself"), ("src", "/src", "holds files that git tracks")]
    {
        let audit = stage.audit(&["--state-dir", folder]);
        let said = format!("error: --state-dir `ROOT/shop{below}`: {said}{REMEDY}");
        // A relative folder is told as it was understood.
        let said = if folder == "." { said.replace("ROOT/shop`", "ROOT/shop/.`") } else { said };
        check_refused(&stage, audit, 2, &said);
    }
    assert!(!root.join("runs").exists() && !root.join("src/runs").exists());
    let outcome = stage.audit(&ONE_CYCLE).args(&["--state-dir", ".state"]).run();
    outcome.expect_code(0);
    assert!(stage.repo.path(".state/runs").is_dir(), "a folder of its own may be inside");
}

#[test]
fn runs_that_cannot_be_kept_are_not_begun() {
    let stage = Stage::new([swallowed()]);
    let remedy = "\n  remedy: see that the folder can be written and its disk has room; --state-dir names \
                  another for runs, TMPDIR another for temporary files";
    for (folder, said) in [
        ("/dev/null", "error: /dev/null: is no folder".to_owned()),
        (
            "/proc/state",
            format!(
                "error: /proc/state: cannot create: No such file or directory (os error 2){remedy}"
            ),
        ),
    ] {
        check_refused(&stage, stage.audit(&["--state-dir", folder]), 3, &said);
    }
    let link = stage.sandbox.root().join("link");
    symlink(stage.sandbox.home(), &link).expect("the sandbox");
    let audit = stage.audit(&["--state-dir", link.to_str().expect("UTF-8")]);
    check_refused(&stage, audit, 3, "error: ROOT/link: is a link");
}

#[test]
fn a_folder_for_temporary_files_that_is_not_there_is_named() {
    let stage = Stage::new([swallowed()]);
    let outcome = stage.audit(&ONE_CYCLE).env("TMPDIR", "/nowhere").run();
    outcome.expect_code(3);
    holds(&outcome.stderr, "error: /nowhere/tribunal-");
    holds(&outcome.stderr, "TMPDIR another for temporary files");
    assert!(stage.calls().is_empty() && stage.changed().is_empty());
}

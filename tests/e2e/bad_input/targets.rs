//! What is to be audited.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::stage::{Stage, swallowed};

use super::check_refused;

const IN_GIT: &str = "lies in `.git`\n  remedy: name a folder of its own, which git does not track";

fn link(stage: &Stage, to: impl AsRef<Path>, name: &str) {
    symlink(to, stage.repo.path(name)).expect("the sandbox can be written");
}

#[test]
fn a_target_that_is_not_there_is_refused() {
    let stage = Stage::new([swallowed()]);
    link(&stage, "nowhere", "dangling");
    link(&stage, "round", "round");
    for target in ["nowhere", "dangling", "src/cart.py/below"] {
        let said = format!("error: {target}: does not exist");
        check_refused(&stage, stage.audit_of(target, &[]), 2, &said);
    }
    let said = "error: round: Too many levels of symbolic links (os error 40)";
    check_refused(&stage, stage.audit_of("round", &[]), 2, said);
    let said = "error: : no path is given\n  remedy: write `.` for all of it";
    check_refused(&stage, stage.audit_of("", &[]), 2, said);
    for name in ["target_path", "repo_path"] {
        let variable = format!("{name}=");
        let run = ["recipe", "run", "quality-audit-cycle", "-c", &variable];
        check_refused(&stage, stage.with_agent(&run, &[]), 2, said);
    }
}

#[test]
fn a_target_that_leaves_the_repository_is_refused() {
    let stage = Stage::new([swallowed()]);
    fs::write(stage.sandbox.root().join("outside.py"), "x\n").expect("the sandbox");
    let said = |target: &str| {
        format!(
            "error: {target}: leads out of the repository ROOT/shop\n  remedy: name a place inside, or an \
             absolute path where one may be"
        )
    };
    for target in ["../outside.py", "..", "src/../../outside.py", "/"] {
        let variable = format!("target_path={target}");
        let run = ["recipe", "run", "quality-audit-cycle", "-c", &variable];
        check_refused(&stage, stage.with_agent(&run, &[]), 2, &said(target));
    }
    let below = ["recipe", "run", "quality-audit-cycle", "-c", "repo_path=src"];
    let said = "error: src: lies below the root of its repository, ROOT/shop\n  remedy: name the root as \
                repo_path, and the folder as target_path";
    check_refused(&stage, stage.with_agent(&below, &[]), 2, said);
}

#[test]
fn a_link_out_of_the_repository_is_refused() {
    let stage = Stage::new([swallowed()]);
    let other = stage.sandbox.repo("other");
    other.write("src/a.py", "x\n").commit_all("another one");
    link(&stage, other.root(), "other");
    link(&stage, "/", "src/everything");
    for (target, link, to) in [
        ("other", "other", "ROOT/other"),
        ("other/src/a.py", "other", "ROOT/other/src/a.py"),
        ("src/everything", "src/everything", "/"),
    ] {
        let said = format!(
            "error: {target}: the link ROOT/shop/{link} leads out of the repository ROOT/shop, to {to}\n  \
             remedy: name the place itself, if it is meant"
        );
        check_refused(&stage, stage.audit_of(target, &[]), 2, &said);
    }
    let run = ["recipe", "run", "quality-audit-cycle", "-c", "target_path=other"];
    let said = "error: other: leads out of the repository ROOT/shop\n  remedy: name a place inside, or an \
                absolute path where one may be";
    check_refused(&stage, stage.with_agent(&run, &[]), 2, said);
}

#[test]
fn what_is_no_part_of_the_tree_is_refused() {
    let stage = Stage::new([swallowed()]);
    for target in [".git", ".git/refs", ".git/HEAD"] {
        let said = format!("error: {target}: {IN_GIT}");
        check_refused(&stage, stage.audit_of(target, &[]), 2, &said);
    }
    let pipe = stage.repo.path("pipe");
    let made = stage.sandbox.program("mkfifo").arg(&pipe).run();
    made.expect_code(0);
    let said = "error: pipe: is neither a file nor a folder";
    // A portrait does not look into a pipe.
    check_refused(&stage, stage.audit_of("pipe", &[]), 2, said);
}

#[test]
fn a_name_from_anybody_is_shown_inert() {
    let stage = Stage::new([swallowed()]);
    let audit = stage.audit_of("no\u{1b}[31m\n::error::pe", &[]);
    check_refused(&stage, audit, 2, "error: no\\u{1b}[31m\n\\::error::pe: does not exist");
}

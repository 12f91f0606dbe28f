//! What people, scripts and disks get wrong: the exact words, the exit status, and nothing changed.
//!
//! The texts of recipes, and numbers on the command line, have golden cases of their own,
//! `tests/golden/bad-input-*`; settings have rows in `crates/cli/src/settings/file.rs`.

mod disks;
mod folders;
mod homes;
mod recipes;
mod repositories;
mod settings;
mod targets;
mod variables;

use tribunal_test_support::{Outcome, Portrait, Program};

use crate::stage::Stage;

/// Runs what must be refused before anybody is asked: it exits so and says exactly this on standard
/// error, where `ROOT` stands for the sandbox's folder; no run is on record, and not a byte of the
/// repository is changed, git's own files included.
#[track_caller]
pub(super) fn check_refused(stage: &Stage, program: Program, code: i32, said: &str) {
    let before = Portrait::of(stage.repo.root());
    let outcome = program.run();
    assert_eq!(words(stage, &outcome), said);
    outcome.expect_code(code);
    assert_eq!(outcome.stdout, "", "nothing that could be taken for a result");
    assert!(stage.calls().is_empty(), "{:?}", stage.calls());
    assert!(stage.run_folders().is_empty(), "{:?}", stage.run_folders());
    before.expect_unchanged();
}

/// Standard error without the sandbox's folder and the line end.
fn words(stage: &Stage, outcome: &Outcome) -> String {
    let root = stage.sandbox.root().to_str().expect("temporary folders have UTF-8 names");
    outcome.stderr.trim_end().replace(root, "ROOT")
}

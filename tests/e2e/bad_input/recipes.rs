//! Files of recipes. Faults of their text are golden cases: `tests/golden/bad-input-recipe`.

use std::fs;
use std::time::{Duration, Instant};

use crate::stage::{ONE_CYCLE, Stage, holds, swallowed};

use super::check_refused;

/// What people write on other systems reads the same.
#[test]
fn line_ends_of_other_systems_mean_nothing() {
    let stage = Stage::new([swallowed()]);
    let shown = stage.tribunal(&["recipe", "show", "quality-audit-cycle"]).run();
    let file = stage.sandbox.root().join("crlf.yaml");
    fs::write(&file, shown.stdout.replace('\n', "\r\n")).expect("the sandbox");
    let run = ["recipe", "run", file.to_str().expect("UTF-8"), "--verbose"];
    stage.with_agent(&run, &ONE_CYCLE).run().expect_code(0);
    assert_eq!(stage.fates(), [("F1".to_owned(), "fixed".to_owned())]);

    let text = "name: r\r\nsteps:\r\n  - id: s\r\n    command: |\r\n      cat <<'E'\r\n      one\r\n      E\r\n    output: o\r\n";
    fs::write(&file, text).expect("the sandbox");
    let outcome = stage.tribunal(&["recipe", "run", file.to_str().expect("UTF-8")]).run();
    outcome.expect_code(0);
    assert_eq!(outcome.stdout, "one\n");
}

#[test]
fn a_recipe_with_a_fault_changes_nothing_when_it_is_run() {
    let stage = Stage::new([swallowed()]);
    let file = stage.sandbox.root().join("r.yaml");
    fs::write(&file, "name: r\nsteps:\n  - id: s\n    command: touch made\n    timeout: 0\n")
        .expect("the sandbox");
    check_refused(
        &stage,
        stage.tribunal(&["recipe", "run", file.to_str().expect("UTF-8")]),
        2,
        "  × step `s`: `timeout` is a whole number from 1, found `0`
   ╭─[ROOT/r.yaml:5:14]
 4 │     command: touch made
 5 │     timeout: 0
   ·              ┬
   ·              ╰── here
   ╰────",
    );
}

#[test]
fn what_never_ends_is_not_read_to_its_end() {
    let stage = Stage::new([swallowed()]);
    let start = Instant::now();
    let said = "error: /dev/zero: is longer than 1000000 bytes\n  remedy: look at the file and its \
                permissions";
    check_refused(&stage, stage.tribunal(&["recipe", "validate", "/dev/zero"]), 2, said);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// CL-06: options behind free text are options.
#[test]
fn an_option_behind_the_target_is_an_option() {
    let stage = Stage::new([swallowed()]);
    let outcome = stage.tribunal(&["audit", ".", "--fix-attempts=0"]).run();
    outcome.expect_code(2);
    holds(&outcome.stderr, "invalid value '0' for '--fix-attempts <N>'");
    let outcome = stage.tribunal(&["audit", ". --fix-attempts=0"]).run();
    outcome.expect_code(2);
    holds(&outcome.stderr, "error: . --fix-attempts=0: does not exist");
    assert!(stage.run_folders().is_empty());
}

//! Settings files: whatever stands in the place of `tribunal.yaml`.

use std::fs;
use std::os::unix::fs::symlink;

use crate::stage::{ONE_CYCLE, Stage, holds, lacks, swallowed};

use super::check_refused;

#[test]
fn a_fault_is_shown_at_its_place() {
    let stage = Stage::new([swallowed()]);
    stage.repo.write("tribunal.yaml", "# ours\nfix_attempts: 010\n");
    check_refused(
        &stage,
        stage.audit(&[]),
        2,
        "  × expected a whole number from 1, in decimal and without quotes, found string \"010\"
   ╭─[ROOT/shop/tribunal.yaml:2:1]
 1 │ # ours
 2 │ fix_attempts: 010
   · ──────┬─────
   ·       ╰── here
   ╰────",
    );
    stage.repo.write("tribunal.yaml", "fix_atempts: 1\n");
    check_refused(
        &stage,
        stage.audit(&[]),
        2,
        "  × unknown key `fix_atempts`
   ╭─[ROOT/shop/tribunal.yaml:1:1]
 1 │ fix_atempts: 1
   · ─────┬─────
   ·      ╰── here
   ╰────
  help: did you mean `fix_attempts`?",
    );
    stage.repo.write("tribunal.yaml", b"# ours\n\xff\xfe\n");
    let said = "error: ROOT/shop/tribunal.yaml: line 2 is no UTF-8 text";
    check_refused(&stage, stage.audit(&[]), 2, said);
    stage.repo.write("tribunal.yaml", "#".repeat(1_000_001));
    let said = "error: ROOT/shop/tribunal.yaml: is longer than 1000000 bytes";
    check_refused(&stage, stage.audit(&[]), 2, said);
}

#[test]
fn settings_of_a_repository_are_not_read_through_a_link() {
    let stage = Stage::new([swallowed()]);
    let secret = stage.sandbox.home().join("secret");
    fs::write(&secret, "s3cr3t: word\n").expect("the sandbox");
    symlink(&secret, stage.repo.path("tribunal.yaml")).expect("the sandbox");
    let said = "error: ROOT/shop/tribunal.yaml: is a link, and the settings of a repository are its own\n  \
                remedy: put the file itself in the place of the link";
    check_refused(&stage, stage.audit(&[]), 2, said);
    let trusted = stage.tribunal(&["trust"]).run();
    trusted.expect_code(2);
    lacks(&trusted.stderr, "s3cr3t");
    holds(&trusted.stderr, "trust is kept by content");
}

#[test]
fn nothing_that_stands_in_the_place_of_settings_keeps_tribunal_waiting() {
    for (make, said) in [
        (&["mkfifo", "tribunal.yaml"][..], "is no regular file"),
        (&["mkdir", "tribunal.yaml"], "is no regular file"),
        (&["ln", "-s", "/dev/zero", "tribunal.yaml"], "is a link"),
    ] {
        let stage = Stage::new([swallowed()]);
        let made = stage.sandbox.program(make[0]).args(&make[1..]).dir(stage.repo.root()).run();
        made.expect_code(0);
        let outcome = stage.audit(&[]).run();
        outcome.expect_code(2);
        holds(&outcome.stderr, said);
        assert!(stage.calls().is_empty() && stage.run_folders().is_empty());
    }
}

#[test]
fn the_users_own_settings_may_be_a_link() {
    let stage = Stage::new([swallowed()]);
    let kept = stage.sandbox.home().join("dotfiles.yaml");
    fs::write(&kept, "\u{feff}fix_attempts: 1\r\ncycle_timeout: 60\r\n").expect("the sandbox");
    let folder = stage.sandbox.config().join("tribunal");
    fs::create_dir_all(&folder).expect("the sandbox");
    symlink(&kept, folder.join("config.yaml")).expect("the sandbox");
    stage.audit(&ONE_CYCLE).run().expect_code(0);
    fs::write(&kept, "fix_attempts: 0\n").expect("the sandbox");
    let outcome = stage.audit(&ONE_CYCLE).run();
    outcome.expect_code(2);
    holds(&outcome.stderr, "expected a whole number from 1");
    holds(&outcome.stderr, "config.yaml:1:1");
}

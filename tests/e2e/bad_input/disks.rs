//! Disks that cannot be written, or have no room left.
//!
//! They are made in a namespace of mounts that goes with the program: nothing has to be cleared away.
//! Where the system gives none, the tests say so and end.

use std::fs;
use std::path::Path;

use tribunal_test_support::{Outcome, Portrait, Program, binary};

use crate::stage::{ONE_CYCLE, Stage, holds, swallowed};

use super::words;

/// Runs a bash script as the owner of a namespace of mounts; `None`, and a line, where there is none.
/// `"${tribunal[@]}"` in it is the audit, `$1` and `$2` are the first two arguments.
fn mounted(stage: &Stage, script: &str, arguments: &[&Path]) -> Option<Outcome> {
    let try_it = "mount -t tmpfs -o size=64k tmpfs /mnt";
    let unshare = |script: &str| -> Program {
        stage.sandbox.program("unshare").args(&["-rm", "bash", "-c", script, "_"])
    };
    let tried = unshare(try_it).run();
    if tried.code() != Some(0) {
        eprintln!("skipped: this system gives no namespace of mounts: {}", tried.stderr);
        return None;
    }
    let script = format!(
        "set -eu\ntribunal=('{}' audit . {} --agent-command \"$AGENT\")\n{script}",
        binary("tribunal").display(),
        ONE_CYCLE.join(" ")
    );
    let program = unshare(&script).env("AGENT", stage.own_agent_command());
    let program = arguments.iter().fold(program, Program::arg);
    Some(program.dir(stage.repo.root()).run())
}

const READ_ONLY: &str = "mount --bind \"$1\" \"$1\"; mount -o remount,ro,bind \"$1\"\n";

#[test]
fn a_repository_on_a_read_only_disk_is_an_error_before_anybody_is_asked() {
    let stage = Stage::new([swallowed()]);
    let before = Portrait::of(stage.repo.root());
    let script = format!("{READ_ONLY}cd \"$1\"; exec \"${{tribunal[@]}}\"");
    let Some(outcome) = mounted(&stage, &script, &[stage.repo.root()]) else { return };
    outcome.expect_code(3);
    assert_eq!(outcome.stdout, "");
    let said = words(&stage, &outcome);
    holds(&said, "error: git at ROOT/shop/.git/: failed to create temporary file");
    holds(&said, "Read-only file system");
    holds(&said, "remedy: see that the repository can be written and its disk has room");
    assert!(stage.calls().is_empty(), "{:?}", stage.calls());
    before.expect_unchanged();

    // With the disk it goes on.
    holds(&said, &format!("go on later: tribunal runs resume {}", stage.run_id()));
    stage.tribunal(&["runs", "resume", &stage.run_id()]).run().expect_code(0);
    assert_eq!(stage.fates(), [("F1".to_owned(), "fixed".to_owned())]);
}

#[test]
fn runs_on_a_read_only_disk_are_not_begun() {
    let stage = Stage::new([swallowed()]);
    let before = Portrait::of(stage.repo.root());
    let script = format!("{READ_ONLY}exec \"${{tribunal[@]}}\"");
    let Some(outcome) = mounted(&stage, &script, &[&stage.sandbox.state()]) else { return };
    assert_eq!(
        words(&stage, &outcome),
        "error: ROOT/state/tribunal: cannot create: Read-only file system (os error 30)\n  remedy: see \
         that the folder can be written and its disk has room; --state-dir names another for runs, TMPDIR \
         another for temporary files"
    );
    outcome.expect_code(3);
    assert_eq!(outcome.stdout, "");
    assert!(stage.calls().is_empty(), "{:?}", stage.calls());
    before.expect_unchanged();
}

/// The disk of the runs is so small that a run fills it, somewhere; then it gets room, and the run goes
/// on from there.
#[test]
fn a_run_whose_disk_is_full_goes_on_when_there_is_room_again() {
    // Sizes in KiB, from no room for the first record to room for nearly all of them.
    for size in [4, 16, 32, 40, 48, 56, 64, 80] {
        let stage = Stage::new([swallowed()]);
        let before = Portrait::of(stage.repo.root());
        let script = format!(
            "mkdir -p \"$1\"; mount -t tmpfs -o size={size}k tmpfs \"$1\"
             code=0; \"${{tribunal[@]}}\" --state-dir \"$1\" || code=$?
             echo \"first: $code\" >&2
             mount -o remount,size=64m \"$1\"
             run=$(ls \"$1/runs\" 2>/dev/null | head -n 1)
             if [ $code != 0 ] && [ -n \"$run\" ]; then
               '{tribunal}' --state-dir \"$1\" runs resume \"$run\" || code=$?
               echo \"then: $code\" >&2
             fi",
            tribunal = binary("tribunal").display()
        );
        let disk = stage.sandbox.root().join("disk");
        let Some(outcome) = mounted(&stage, &script, &[&disk]) else { return };
        let said = words(&stage, &outcome);
        if said.contains("first: 0") {
            assert!(size > 16, "{said}");
            continue;
        }
        assert!(said.contains("first: 3"), "{size} KiB: {said}");
        holds(&said, "No space left on device (os error 28)");
        holds(&said, "its disk has room");
        if said.contains("go on later") {
            assert!(
                said.contains("VERIFY: PASS") && stage.fates()[0].1 == "fixed",
                "{size} KiB: {said}"
            );
        } else {
            before.expect_unchanged();
        }
    }
}

#[test]
fn a_repository_whose_disk_is_full_is_an_error_and_its_files_stay() {
    let stage = Stage::new([swallowed()]);
    let copied = stage.sandbox.root().join("copied");
    let script = "mount -t tmpfs -o size=1m tmpfs /mnt; cp -a \"$1/.\" /mnt; cd /mnt
        dd if=/dev/zero of=.git/ballast bs=1k 2>/dev/null || true
        code=0; \"${tribunal[@]}\" || code=$?
        rm .git/ballast; cp -a /mnt/. \"$2\"; exit $code";
    fs::create_dir(&copied).expect("the sandbox");
    let Some(outcome) = mounted(&stage, script, &[stage.repo.root(), &copied]) else { return };
    outcome.expect_code(3);
    holds(&outcome.stderr, "No space left on device");
    holds(&outcome.stderr, "its disk has room");
    assert!(stage.calls().is_empty(), "{:?}", stage.calls());
    for file in ["README.md", "src/cart.py", ".git/HEAD", ".git/index"] {
        let kept = fs::read(copied.join(file)).expect(file);
        assert_eq!(kept, fs::read(stage.repo.path(file)).expect(file), "{file}");
    }
}

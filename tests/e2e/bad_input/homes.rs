//! A machine without the folders that programs expect.

use tribunal_test_support::{Program, binary};

use crate::stage::{ONE_CYCLE, Stage, swallowed};

use super::check_refused;

#[test]
fn a_missing_home_does_no_harm_where_the_folders_are_named() {
    let stage = Stage::new([swallowed()]);
    stage.audit(&ONE_CYCLE).env_remove("HOME").run().expect_code(0);
    assert_eq!(stage.run_folders().len(), 1);
    let empty = Stage::new([swallowed()]);
    empty.audit(&ONE_CYCLE).env("HOME", "").env("TMPDIR", "").run().expect_code(0);
}

/// Where the user has no home folder in the system's list either.
#[test]
fn without_any_home_the_folder_for_runs_must_be_named() {
    let stage = Stage::new([swallowed()]);
    // In a namespace of its own the list of users is an empty file, and there is no other list.
    let script = "mount --bind /dev/null /etc/passwd && echo 'passwd: files' > \"$LIST\" &&
        mount --bind \"$LIST\" /etc/nsswitch.conf || exit 99; exec \"$@\"";
    let tribunal = binary("tribunal");
    let homeless = |arguments: &[&str]| {
        let program = stage.sandbox.program("unshare").args(&["-rm", "bash", "-c", script, "_"]);
        let program = program.arg(&tribunal).args(arguments).dir(stage.repo.root());
        let program = program.env("LIST", stage.sandbox.root().join("nsswitch.conf"));
        let gone = ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"];
        gone.into_iter().fold(program, Program::env_remove)
    };
    if homeless(&["--version"]).run().code() != Some(0) {
        eprintln!("skipped: this system gives no namespace of mounts");
        return;
    }
    check_refused(
        &stage,
        homeless(&["recipe", "list"]),
        3,
        "error: no home folder is known, so there is no place for runs\n  remedy: set HOME, or name a \
         folder with --state-dir",
    );
    let state = stage.sandbox.root().join("named");
    let command = stage.own_agent_command();
    let named =
        ["audit", ".", "--state-dir", state.to_str().expect("UTF-8"), "--agent-command", &command];
    homeless(&named).args(&ONE_CYCLE).run().expect_code(0);
}

#[test]
fn a_home_or_temporary_folder_that_is_named_relatively_is_refused() {
    let stage = Stage::new([swallowed()]);
    // Such a folder would be looked for in the audited repository.
    stage.repo.write("home/.config/tribunal/config.yaml", "agent: theirs\n");
    let said =
        "error: HOME is `home`, which is no absolute path\n  remedy: set it to your home folder";
    let audit = stage.audit(&[]).env("HOME", "home").env_remove("XDG_CONFIG_HOME");
    check_refused(&stage, audit, 3, said);
    let said = "error: TMPDIR is `tmp`, which is no absolute path\n  remedy: set it to a folder for \
                temporary files, or unset it";
    check_refused(&stage, stage.audit(&[]).env("TMPDIR", "tmp"), 3, said);
}

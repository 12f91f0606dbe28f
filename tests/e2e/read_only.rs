//! Calls that change the tree although they may not, and fixers that do not end well.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tribunal_test_support::{Act, Cue, Outcome, Role};

use crate::stage::{ONE_CYCLE, Stage, holds, lacks, swallowed};

const STRAY: &str = "src/stray.txt";

fn stray() -> Act {
    Act::WritesAlthoughReadOnly(STRAY.to_owned())
}

/// Requires the stray file to be gone from the tree and kept in a snapshot that the report names.
#[track_caller]
fn is_kept_and_gone(stage: &Stage) {
    assert!(!stage.repo.path(STRAY).exists(), "the tree is put back");
    let report = stage.findings();
    let places = report["snapshots"].as_array().expect("a list").iter();
    let mut places = places.map(|snapshot| snapshot["place"].as_str().expect("a place"));
    let holds_stray = |place: &str| {
        let files = stage.repo.git(&["ls-tree", "-r", "--name-only", place]);
        files.lines().any(|file| file.ends_with(STRAY))
    };
    assert!(places.any(holds_stray), "{report:#}");
}

#[test]
fn a_validator_that_writes_is_undone_and_the_group_is_asked_again_one_by_one() {
    let cue = Cue::to(stray()).step("validate-agent-2").turn(1);
    let stage = Stage::new([swallowed()]).cue(cue);
    let outcome = stage.one_cycle();
    outcome.expect_code(0);
    is_kept_and_gone(&stage);
    holds(&outcome.stderr, "changed the tree in a read-only role");
    assert_eq!(stage.findings()["findings"][0]["vote"]["confirmed"], 3);
    let calls = stage.calls();
    for n in [1, 2, 3] {
        let turns = [1, 2].map(|turn| format!("1/validate-agent-{n}/{turn}"));
        assert!(turns.iter().all(|call| calls.contains(call)), "{calls:?}");
        assert_eq!(stage.times_asked(&format!("validate-agent-{n}")), 2, "asked again once");
    }
}

#[test]
fn what_cannot_be_put_back_is_named() {
    let repository = Act::WritesAlthoughReadOnly("src/.git".to_owned());
    let stage = Stage::new([swallowed()])
        .cue(Cue::to(stray()).step("validate-agent-2").turn(1))
        .cue(Cue::to(repository).step("validate-agent-3").turn(1));
    let outcome = stage.one_cycle();
    outcome.expect_code(0);
    is_kept_and_gone(&stage);
    holds(&outcome.stderr, "not put back, stays as it is: `src/.git`");
}

#[test]
fn the_second_asking_is_alone() {
    let stage = Stage::new([swallowed()]).cue(Cue::to(stray()).step("validate-agent-2").turn(1));
    stage.one_cycle().expect_code(0);
    let stamps = stage.stamps();
    let again =
        stamps.iter().filter(|stamp| stamp.role == Role::Validator && stamp.call.ends_with("/2"));
    let calls: Vec<&str> = again.map(|stamp| stamp.call.as_str()).collect();
    assert_eq!(calls.len(), 6, "{calls:?}");
    assert!(calls.chunks(2).all(|pair| pair[0] == pair[1]), "{calls:?}");
}

#[test]
fn a_validator_that_writes_again_has_no_vote() {
    let stage = Stage::new([swallowed()]).cue(Cue::to(stray()).step("validate-agent-2"));
    let outcome = stage.one_cycle();
    outcome.expect_code(0);
    is_kept_and_gone(&stage);
    holds(
        &outcome.stderr,
        "[merge-validations] WARNING: validator v2 failed (changed the tree in a read-only role); \
         counting zero votes from it.",
    );
    assert_eq!(stage.findings()["findings"][0]["vote"]["confirmed"], 2);
}

#[test]
fn validators_that_all_write_shut_the_gate() {
    let stage = Stage::new([swallowed()]).cue(Cue::to(stray()).role(Role::Validator));
    let outcome = stage.one_cycle();
    outcome.expect_code(1);
    holds(&outcome.stderr, "[merge-validations] FATAL");
    is_kept_and_gone(&stage);
}

#[test]
fn a_seeker_that_writes_once_is_asked_again() {
    let stage = Stage::new([swallowed()]).cue(Cue::to(stray()).step("seek").turn(1));
    stage.one_cycle().expect_code(0);
    is_kept_and_gone(&stage);
    assert_eq!(stage.times_asked("seek"), 2);
}

#[test]
fn a_seeker_that_writes_again_is_a_fault() {
    let stage = Stage::new([swallowed()]).cue(Cue::to(stray()).step("seek"));
    let outcome = stage.one_cycle();
    outcome.expect_code(3);
    is_kept_and_gone(&stage);
    assert_eq!(stage.times_asked("validate-agent-1"), 0);
    holds(&outcome.stdout, "did not complete");
}

#[test]
fn a_summarizer_that_writes_is_undone_too() {
    let stage = Stage::new([swallowed()]).cue(Cue::to(stray()).step("summary").turn(1));
    stage.one_cycle().expect_code(0);
    is_kept_and_gone(&stage);
    assert_eq!(stage.changed(), [" M src/cart.py"], "the fix stays");
}

#[test]
fn with_keep_tree_nothing_is_put_back() {
    let stage = Stage::new([swallowed()]).cue(Cue::to(stray()).step("validate-agent-2").turn(1));
    stage.audit(&ONE_CYCLE).args(&["--keep-tree"]).run().expect_code(0);
    assert!(stage.repo.path(STRAY).exists());
}

/// Somebody who saves a file again and again while agents run, and looks that nobody takes a word
/// back in between.
fn keep_editing(file: &Path, is_over: &AtomicBool) -> usize {
    let mut written = 0;
    while !is_over.load(Ordering::Relaxed) {
        written += 1;
        let scratch = file.with_extension("new");
        fs::write(&scratch, format!("{written}\n")).expect("the file can be written");
        fs::rename(&scratch, file).expect("it gets its name");
        let now = fs::read_to_string(file).expect("it is there");
        assert_eq!(now, format!("{written}\n"), "somebody put the file back");
    }
    written
}

#[test]
fn a_user_who_edits_meanwhile_is_neither_blamed_on_the_validators_nor_overwritten() {
    let stage = Stage::new([swallowed()]);
    stage.repo.write(".gitignore", "*.new\n").write("notes.txt", "0\n");
    let (file, is_over) = (stage.repo.path("notes.txt"), AtomicBool::new(false));
    let (outcome, written) = thread::scope(|scope| {
        let user = scope.spawn(|| keep_editing(&file, &is_over));
        let outcome = stage.audit(&ONE_CYCLE).args(&["--no-fix"]).run();
        is_over.store(true, Ordering::Relaxed);
        (outcome, user.join().expect("nobody took an edit back"))
    });
    outcome.expect_code(0);
    holds(&outcome.stderr, "the tree changed while no agent ran; nothing is put back");
    lacks(&outcome.stderr, "read-only role");
    assert_eq!(stage.repo.read("notes.txt"), format!("{written}\n"));
    assert_eq!(stage.findings()["findings"][0]["vote"]["confirmed"], 3);
    for n in [1, 2, 3] {
        assert_eq!(stage.times_asked(&format!("validate-agent-{n}")), 1);
    }
}

/// An audit in which this step runs a bash script before it plays its part.
fn with_script(stage: &Stage, step: &str, script: &str) -> Outcome {
    let script = format!("if [ \"$TRIBUNAL_STEP\" = {step} ]; then {script}; fi");
    let command = stage.agent_after(&script);
    stage.tribunal(&["audit", ".", "--agent-command", &command]).args(&ONE_CYCLE).run()
}

#[test]
fn a_validator_that_commits_is_undone_too() {
    let stage = Stage::new([swallowed()]);
    let head = stage.repo.head();
    let commit = "git -c user.name=X -c user.email=x@example.org commit -q --allow-empty -m stray";
    let outcome = with_script(&stage, "validate-agent-2", commit);
    outcome.expect_code(0);
    assert_eq!(stage.repo.head(), head);
    assert_eq!(stage.repo.git(&["symbolic-ref", "HEAD"]), "refs/heads/main");
    assert_eq!(stage.findings()["findings"][0]["vote"]["confirmed"], 2);
}

#[test]
fn a_validator_that_stages_is_undone_too() {
    let stage = Stage::new([swallowed()]);
    stage.repo.append("README.md", "mine\n");
    let outcome = with_script(&stage, "validate-agent-2", "git add -A");
    outcome.expect_code(0);
    assert_eq!(stage.changed(), [" M README.md", " M src/cart.py"], "nothing is staged");
}

#[test]
fn ignored_files_and_the_output_folder_belong_to_nobody() {
    let stage = Stage::new([swallowed()]);
    stage.repo.write(".gitignore", "target/\n");
    stage.repo.commit_all("ignore");
    let litter = "mkdir -p target eval_results/quality_audit; echo x >> target/x; \
                  echo x >> eval_results/quality_audit/note";
    let outcome = with_script(&stage, "validate-agent-2", litter);
    outcome.expect_code(0);
    lacks(&outcome.stderr, "read-only role");
    assert_eq!(stage.times_asked("validate-agent-2"), 1);
    assert!(stage.repo.path("target/x").exists());
}

/// A fixer that ends badly after it wrote: its state is kept, the tree is restored, status 3.
#[track_caller]
fn check_fixer(ending: &[Act], options: &[&str]) {
    let act = Act::All([&[stray()], ending].concat());
    let stage = Stage::new([swallowed()]).cue(Cue::to(act).role(Role::Fixer));
    stage.repo.write("notes.txt", "mine\n");
    let outcome = stage.audit(&ONE_CYCLE).args(options).run();
    outcome.expect_code(3);
    is_kept_and_gone(&stage);
    assert_eq!(stage.changed(), ["?? notes.txt"], "the tree is as it was");
    holds(&outcome.stdout, "snapshot");
}

#[test]
fn a_fixer_that_fails_leaves_a_restored_tree_and_names_the_snapshot() {
    check_fixer(&[Act::Exit(1)], &[]);
}

#[test]
fn a_fixer_that_says_nothing_has_failed() {
    check_fixer(&[Act::Silent], &[]);
}

#[test]
fn a_fixer_past_its_deadline_has_failed() {
    check_fixer(&[Act::Hang], &["--deadline", "1"]);
}

/// A role that must answer and does not.
#[track_caller]
fn check_fault(step: &str, act: Act) {
    let stage = Stage::new([swallowed()]).cue(Cue::to(act).step(step));
    let outcome = stage.one_cycle();
    outcome.expect_code(3);
    holds(&outcome.stdout, step);
    holds(&outcome.stdout, "did not complete");
}

#[test]
fn a_seeker_without_an_answer_is_a_fault_and_never_a_clean_audit() {
    check_fault("seek", Act::Silent);
    check_fault("seek", Act::Exit(1));
    check_fault("seek", Act::Garbage);
    check_fault("seek", Act::Say("{\"status\":\"all good\"}".to_owned()));
    check_fault("summary", Act::Silent);
}

/// A fixer that runs this script and then fails; the tree must be as before it, whatever it did to the
/// refs that hold the way back, to ignore rules or to git's own settings.
#[track_caller]
fn check_vandal(script: &str) {
    let stage = Stage::new([swallowed()]);
    stage.repo.write(".git/info/exclude", "secret.env\n").write("secret.env", "kept out of git");
    stage.repo.write("notes.txt", "untracked");
    let before = stage.repo.status();
    let script = format!("if [ \"$TRIBUNAL_ROLE\" = fixer ]; then {script}; exit 1; fi");
    let command = stage.agent_after(&script);
    let audit = stage.tribunal(&["audit", "."]).args(&ONE_CYCLE);
    let outcome = audit.args(&["--agent-command", &command]).run();
    outcome.expect_code(3);
    holds(&outcome.stderr, "the tree is put back");
    assert_eq!(stage.repo.read("secret.env"), "kept out of git", "{script}");
    assert_eq!(stage.repo.read("notes.txt"), "untracked", "{script}");
    stage.repo.write(".git/info/exclude", "secret.env\neval_results\n");
    assert_eq!(stage.repo.status(), before, "{script}");
}

#[test]
fn the_way_back_holds_whatever_a_fixer_did_to_it() {
    check_vandal(
        "rm -rf src notes.txt; git for-each-ref --format='%(refname)' refs/tribunal | xargs -n1 git update-ref -d",
    );
    check_vandal(
        "rm -rf src; for r in $(git for-each-ref --format='%(refname)' refs/tribunal); do git update-ref $r HEAD; done",
    );
    check_vandal("rm -rf src; : > .git/info/exclude");
    check_vandal("git commit -qam mine; git switch -qc elsewhere");
}

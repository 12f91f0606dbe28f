//! Fixes in a running audit: what is claimed, what git shows, and what is said about it.

use std::os::unix::fs::chown;

use tribunal_test_support::{Act, Cue, Outcome, Role};

use crate::stage::{ONE_CYCLE, Stage, endless, holds, lacks, medium, swallowed};

const PASS: &str = "VERIFY: PASS";
const NOTHING_CHANGED: &str =
    "VERIFY: FAIL — fix-agent claims 1 files fixed but git diff shows no file modifications";

fn fixer(act: Act) -> Cue {
    Cue::to(act).role(Role::Fixer)
}

/// An audit of one fault with this fixer.
fn with_fixer(act: Act) -> Stage {
    Stage::new([swallowed()]).cue(fixer(act))
}

#[track_caller]
fn verified(outcome: &Outcome, code: i32, line: &str) {
    outcome.expect_code(code);
    assert!(
        outcome.stdout.lines().any(|one| one.trim() == line),
        "`{line}` in\n{}",
        outcome.stdout
    );
}

#[test]
fn a_liar_ends_with_the_phantom_line() {
    let stage = with_fixer(Act::Liar);
    let outcome = stage.one_cycle();
    verified(&outcome, 1, NOTHING_CHANGED);
    assert_eq!(stage.fates(), [("F1".to_owned(), "phantom".to_owned())]);
    assert_eq!(stage.times_asked("fix"), 2, "it is asked again before the cycle closes");
    let told = stage.block("1/fix/2", "fix_verification");
    for part in ["phantom", "src/cart.py did not change", "F1"] {
        holds(&told, part);
    }
}

#[test]
fn a_liar_that_mends_when_asked_again_passes() {
    let stage = Stage::new([swallowed()]).cue(fixer(Act::Liar).turn(1));
    let outcome = stage.one_cycle();
    verified(&outcome, 0, PASS);
    assert_eq!(stage.changed(), [" M src/cart.py"]);
}

#[test]
fn a_partial_fixer_is_asked_again_with_the_reason_and_judged_on_all_it_did() {
    let stage = Stage::new([swallowed(), endless()]).cue(fixer(Act::Partial));
    let outcome = stage.one_cycle();
    verified(&outcome, 0, PASS);
    assert_eq!(stage.times_asked("fix"), 2);
    let told = stage.block("1/fix/2", "fix_verification");
    holds(&told, "neither in fixes_applied nor in fixes_skipped");
    holds(&told, "F2");
    assert_eq!(stage.block("1/fix/1", "fix_verification").trim(), "");
}

#[test]
fn with_a_single_attempt_what_is_left_fails_the_verification() {
    let stage = Stage::new([swallowed(), endless()]).cue(fixer(Act::Partial));
    let outcome = stage.audit(&ONE_CYCLE).args(&["--fix-attempts", "1"]).run();
    verified(&outcome, 1, "VERIFY: FAIL — 1 confirmed findings not accounted for: F2");
    let fates = [("F1", "fixed"), ("F2", "unaccounted")];
    assert_eq!(stage.fates(), fates.map(|(id, fate)| (id.to_owned(), fate.to_owned())));
}

#[test]
fn unaccounted_findings_are_a_warning_where_not_all_must_be_fixed_but_phantoms_never() {
    let limits = ["-c", "min_cycles=1", "-c", "fix_all_per_cycle=FALSE", "--fix-attempts", "1"];
    let stage = Stage::new([swallowed(), endless()]).cue(fixer(Act::Partial));
    let outcome = stage.audit(&limits).run();
    verified(&outcome, 0, PASS);
    holds(&outcome.stderr, "F2");
    verified(&with_fixer(Act::Liar).audit(&limits).run(), 1, NOTHING_CHANGED);
}

#[test]
fn open_findings_at_the_last_cycle_are_the_status_4() {
    let stage = Stage::new([swallowed(), endless()]).cue(fixer(Act::Partial));
    let limits = ["-c", "fix_all_per_cycle=false", "--fix-attempts", "1"];
    stage.audit(&ONE_CYCLE).args(&limits).run().expect_code(4);
}

// D15.
#[test]
fn a_bare_excuse_is_no_reason_and_a_technical_one_is() {
    for excuse in ["low priority", " Out of scope. ", "later", ""] {
        let outcome = with_fixer(Act::Excuses(excuse.to_owned())).one_cycle();
        verified(&outcome, 1, "VERIFY: FAIL — 1 confirmed findings not accounted for: F1");
    }
    let stage = with_fixer(Act::Excuses("the call is inside a vendored library".to_owned()));
    verified(&stage.one_cycle(), 0, PASS);
    assert_eq!(stage.fates(), [("F1".to_owned(), "skipped".to_owned())]);
}

#[test]
fn an_unreadable_fix_report_fails_although_the_files_changed() {
    let stage = with_fixer(Act::Garbage);
    let outcome = stage.one_cycle();
    let line = "VERIFY: FAIL — fix report unreadable, 1 confirmed findings not accounted for: F1";
    verified(&outcome, 1, line);
}

// D12 and D13: evidence is what differs between two snapshots.
#[test]
fn committed_staged_and_new_files_count_as_changes() {
    let committed = with_fixer(Act::Committer);
    let before = committed.repo.head();
    verified(&committed.one_cycle(), 0, PASS);
    assert_ne!(committed.repo.head(), before);

    let staged = with_fixer(Act::Stager);
    verified(&staged.one_cycle(), 0, PASS);
    assert_eq!(staged.changed(), ["M  src/cart.py"]);

    let new =
        Act::NewFile { path: "tests/cart.py".to_owned(), text: "assert total()\n".to_owned() };
    let added = with_fixer(new);
    verified(&added.one_cycle(), 0, PASS);
    assert_eq!(added.changed(), ["?? tests/cart.py"]);
}

/// Something about the repository that an audit must see through; `prepare` runs before it.
#[track_caller]
fn check_repository(stage: &Stage, expected: &[&str]) {
    verified(&stage.one_cycle(), 0, PASS);
    assert_eq!(stage.changed(), expected);
}

// D13.
#[test]
fn dirt_from_before_is_neither_evidence_nor_touched() {
    let dirty = |act| {
        let stage = with_fixer(act);
        stage.repo.write("README.md", "my own edit\n").write("notes.txt", "mine\n");
        stage
    };
    verified(&dirty(Act::Liar).one_cycle(), 1, NOTHING_CHANGED);
    let stage = dirty(Act::Honest);
    check_repository(&stage, &[" M README.md", " M src/cart.py", "?? notes.txt"]);
    assert_eq!(stage.repo.read("README.md"), "my own edit\n");
}

// D14.
#[test]
fn other_files_that_changed_do_not_prove_a_fix() {
    let busy = Act::All(vec![Act::Liar, Act::WritesAlthoughReadOnly("poetry.lock".to_owned())]);
    let outcome = with_fixer(busy).one_cycle();
    verified(&outcome, 1, "VERIFY: FAIL — phantom fix for finding F1: src/cart.py did not change");
}

// D12.
#[test]
fn a_repository_without_a_commit_can_be_audited() {
    let stage = Stage::uncommitted([swallowed()]);
    verified(&stage.one_cycle(), 0, PASS);
    holds(&stage.repo.read("src/cart.py"), "except KeyError: raise");
}

// D12: assume-unchanged and skip-worktree are ignored.
#[test]
fn a_file_that_git_was_told_to_overlook_is_seen() {
    let stage = Stage::new([swallowed()]);
    stage.repo.git(&["update-index", "--assume-unchanged", "src/cart.py"]);
    check_repository(&stage, &[]);
}

#[test]
fn a_path_that_is_not_ascii_is_found_and_shown_by_its_name() {
    let stage = Stage::new([medium("F1", "über blick.md", "teh", "the")]);
    let outcome = stage.one_cycle();
    verified(&outcome, 0, PASS);
    holds(&outcome.stdout, "über blick.md:1");
}

#[test]
fn variables_of_git_from_outside_lead_nowhere() {
    let stage = Stage::new([swallowed()]);
    let decoy = stage.sandbox.repo("decoy");
    decoy.write("z", "z\n");
    decoy.commit_all("z");
    let outcome = stage
        .audit(&ONE_CYCLE)
        .env("GIT_DIR", decoy.path(".git"))
        .env("GIT_WORK_TREE", decoy.root())
        .env("GIT_INDEX_FILE", decoy.path(".git/index"))
        .run();
    verified(&outcome, 0, PASS);
    assert_eq!(stage.changed(), [" M src/cart.py"]);
    assert_eq!(decoy.status(), "");
    lacks(&decoy.git(&["for-each-ref"]), "tribunal");
}

/// Makes the repository somebody else's; says so where only root could.
pub(crate) fn given_away(stage: &Stage) -> bool {
    let give = |path| chown(path, Some(12_345), Some(12_345));
    let given = give(stage.repo.path(".git")).and_then(|()| give(stage.repo.root().to_owned()));
    if let Err(error) = &given {
        eprintln!("skipped: only root can give a repository away ({error})");
    }
    given.is_ok()
}

#[test]
fn a_repository_of_somebody_else_is_refused_before_anybody_is_asked() {
    let stage = Stage::new([swallowed()]);
    if !given_away(&stage) {
        return;
    }
    let outcome = stage.one_cycle();
    outcome.expect_code(3);
    holds(&outcome.stderr, "safe.directory");
    assert_eq!(outcome.stdout, "");
    assert!(stage.calls().is_empty(), "{:?}", stage.calls());
}

#[test]
fn without_git_content_is_compared() {
    let sandboxed = |act| {
        let stage = with_fixer(act);
        std::fs::remove_dir_all(stage.repo.path(".git")).expect("it was a repository");
        stage
    };
    let honest = sandboxed(Act::Honest);
    verified(&honest.audit(&ONE_CYCLE).args(&["--no-git"]).run(), 0, PASS);
    holds(&honest.repo.read("src/cart.py"), "except KeyError: raise");
    let outcome = sandboxed(Act::Liar).audit(&ONE_CYCLE).args(&["--no-git"]).run();
    verified(&outcome, 1, NOTHING_CHANGED);
}

#[test]
fn a_count_that_differs_from_the_list_is_a_warning() {
    let inflated = r#"{"fixes_applied":[],"fixes_skipped":[{"finding_id":"F1","reason":"the call is generated"}],"total_fixed":7}"#;
    let stage = with_fixer(Act::Say(inflated.to_owned()));
    let outcome = stage.one_cycle();
    outcome.expect_code(0);
    holds(&outcome.stderr, "7");
}

/// A fixer that mends the file and claims it under another spelling.
#[track_caller]
fn check_spelling(spelled: impl Fn(&Stage) -> String, line: &str) {
    let stage = Stage::new([swallowed()]);
    let file = spelled(&stage);
    let report = format!(r#"{{"fixes_applied":[{{"finding_id":"F1","file":"{file}"}}]}}"#);
    let stage = stage.cue(fixer(Act::Say(report)));
    verified(&stage.one_cycle(), if line == PASS { 0 } else { 1 }, line);
}

#[test]
fn a_claimed_file_may_be_spelled_as_people_do_but_not_point_elsewhere() {
    check_spelling(|stage| stage.repo.path("src/cart.py").display().to_string(), PASS);
    check_spelling(|_| "./src/cart.py".to_owned(), PASS);
    check_spelling(
        |_| "../src/cart.py".to_owned(),
        "VERIFY: FAIL — phantom fix for finding F1: ../src/cart.py did not change",
    );
}

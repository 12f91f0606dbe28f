//! The decision table of seed 000 and the decisions on it, each row with real git: an agent acts
//! on a repository and reports, and the judgement is made of the two snapshots around it.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};

use tribunal_finding::{FindingId, Place};
use tribunal_test_support::Repo;
use tribunal_verify::{Demand, FixReport, Judgement, Owed, Proof, Reach, judge};
use tribunal_worktree::{Excluded, Limits, SnapshotName, Worktree};

const PASS: &str = "VERIFY: PASS";
const PHANTOM: &str =
    "VERIFY: FAIL — fix-agent claims 1 files fixed but git diff shows no file modifications";

/// The repository of the VE cases.
fn base() -> Repo {
    let repo = Repo::new();
    repo.write("src/a.rs", "fn main() {}\n").write("src/b.rs", "fn b() {}\n");
    repo.commit_all("base");
    repo
}

fn claim(id: &str, file: &str) -> String {
    format!(r#"{{"fixes_applied":[{{"finding_id":"{id}","file":"{file}"}}],"total_fixed":1}}"#)
}

const NO_CLAIM: &str = r#"{"fixes_applied":[]}"#;

fn judgement(repo: &Repo, confirmed: &[&str], report: &str, act: impl FnOnce(&Repo)) -> Judgement {
    judgement_of(repo, &demand(confirmed), report, act)
}

fn judgement_of(repo: &Repo, demand: &Demand, report: &str, act: impl FnOnce(&Repo)) -> Judgement {
    let tree = Worktree::open(repo.root()).expect("a repository");
    let take = |name: &str| {
        let name = SnapshotName::of_run("run", name.parse().expect("a number")).expect("a name");
        tree.snapshot(&name, &Excluded::default(), &Limits::default()).expect("a snapshot")
    };
    let before = take("1");
    act(repo);
    let evidence = tree.evidence(&before, &take("2")).expect("evidence");
    judge(demand, Some(&read(report)), &Proof::Evidence(evidence))
}

fn demand(confirmed: &[&str]) -> Demand {
    let owed =
        confirmed.iter().map(|id| Owed { id: FindingId::new(id).expect("an id"), place: None });
    Demand { owed: owed.collect(), fix_all: true }
}

fn read(report: &str) -> FixReport {
    FixReport::read(report).expect("a fix report").0
}

fn outcome(repo: &Repo, confirmed: &[&str], report: &str, act: impl FnOnce(&Repo)) -> String {
    judgement(repo, confirmed, report, act).outcome.line()
}

fn edit(repo: &Repo) {
    repo.append("src/a.rs", "// fix\n");
}

fn nothing(_: &Repo) {}

#[test]
fn row_1_nothing_claimed_in_a_clean_tree() {
    let skip = r#"{"fixes_applied":[],"fixes_skipped":[{"finding_id":"F1","reason":"needs vendor patch"}]}"#;
    assert_eq!(outcome(&base(), &["F1"], skip, nothing), PASS);
    let open = "VERIFY: FAIL — 1 confirmed findings not accounted for: F1";
    assert_eq!(outcome(&base(), &["F1"], NO_CLAIM, nothing), open);
}

#[test]
fn row_2_a_claim_in_a_clean_tree_is_a_phantom_fix() {
    let judgement = judgement(&base(), &["F1"], &claim("F1", "src/a.rs"), nothing);
    let lines = ["Confirmed findings: 1", "Fixed: 0", "Skipped: 0", "Unfixed: 1", PHANTOM];
    assert_eq!(judgement.lines(), lines);
}

#[test]
fn row_3_a_claim_with_a_real_change() {
    let report = claim("F1", "src/a.rs");
    assert_eq!(outcome(&base(), &["F1"], &report, edit), PASS);
    let open = "VERIFY: FAIL — 1 confirmed findings not accounted for: F2";
    assert_eq!(outcome(&base(), &["F1", "F2"], &report, edit), open);
}

#[test]
fn row_4_changes_that_nobody_claims() {
    let open = "VERIFY: FAIL — 1 confirmed findings not accounted for: F1";
    assert_eq!(outcome(&base(), &["F1"], NO_CLAIM, edit), open);
    assert_eq!(outcome(&base(), &[], NO_CLAIM, edit), PASS);
}

#[test]
fn dirt_from_before_the_fix_is_no_fix() {
    let repo = base();
    edit(&repo);
    assert_eq!(outcome(&repo, &["F1"], &claim("F1", "src/a.rs"), nothing), PHANTOM);
    let commit = |repo: &Repo| drop(repo.commit_all("the user's own dirt"));
    assert_eq!(outcome(&repo, &["F1"], &claim("F1", "src/a.rs"), commit), PHANTOM);
}

/// VE-02.
#[test]
fn a_new_file_is_a_fix() {
    let act = |repo: &Repo| {
        repo.write("src/new_test.rs", "test\n");
    };
    assert_eq!(outcome(&base(), &["F1"], &claim("F1", "src/new_test.rs"), act), PASS);
}

/// VE-03.
#[test]
fn a_staged_fix_and_a_staged_deletion_are_fixes() {
    let act = |repo: &Repo| {
        edit(repo);
        repo.git(&["rm", "-q", "src/b.rs"]);
        repo.git(&["add", "-A"]);
    };
    assert_eq!(outcome(&base(), &["F1"], &claim("F1", "src/a.rs"), act), PASS);
    assert_eq!(outcome(&base(), &["F1"], &claim("F1", "src/b.rs"), act), PASS);
}

/// VE-04.
#[test]
fn a_committed_fix_is_a_fix() {
    let act = |repo: &Repo| {
        edit(repo);
        repo.git(&["commit", "-qam", "fix"]);
    };
    assert_eq!(outcome(&base(), &["F1"], &claim("F1", "src/a.rs"), act), PASS);
}

#[test]
fn a_renamed_file_is_a_fix_under_both_names() {
    for file in ["src/b.rs", "src/c.rs"] {
        let act = |repo: &Repo| drop(repo.git(&["mv", "src/b.rs", "src/c.rs"]));
        assert_eq!(outcome(&base(), &["F1"], &claim("F1", file), act), PASS);
    }
}

#[test]
fn a_mode_or_line_ends_alone_are_no_fix() {
    let line = "VERIFY: FAIL — phantom fix for finding F1: src/a.rs did not change";
    let mode = |repo: &Repo| {
        fs::set_permissions(repo.path("src/a.rs"), fs::Permissions::from_mode(0o755)).unwrap();
    };
    assert_eq!(outcome(&base(), &["F1"], &claim("F1", "src/a.rs"), mode), line);
    let ends = |repo: &Repo| {
        repo.write("src/a.rs", "fn main() {}\r\n");
    };
    assert_eq!(outcome(&base(), &["F1"], &claim("F1", "src/a.rs"), ends), line);
}

#[test]
fn a_fix_is_told_by_how_near_it_comes_to_its_finding() {
    let repo = base();
    let long: String = (1..=60).map(|line| format!("line {line}\n")).collect();
    repo.write("src/long.rs", &long);
    repo.commit_all("long");
    let reach = |line: u32, claimed: &str, act: &dyn Fn(&Repo)| {
        let place = Place { file: "src/long.rs".to_owned(), line: Some(line) };
        let owed = Owed { id: FindingId::new("F1").expect("an id"), place: Some(place) };
        let demand = Demand { owed: vec![owed], fix_all: true };
        let judgement = judgement_of(&repo, &demand, &claim("F1", claimed), act);
        assert!(judgement.passes());
        repo.git(&["reset", "-q", "--hard"]);
        judgement.findings[0].reach
    };
    let edit_line_9 = |repo: &Repo| {
        repo.write("src/long.rs", long.replace("line 9\n", "nine\n"));
    };
    assert_eq!(reach(10, "src/long.rs", &edit_line_9), Some(Reach::Line));
    assert_eq!(reach(49, "src/long.rs", &edit_line_9), Some(Reach::File { distance: 40 }));
    assert_eq!(reach(10, "src/a.rs", &edit), Some(Reach::OtherFile));
}

#[test]
fn a_fix_that_weakens_tests_is_told_wherever_they_are() {
    let repo = base();
    let test = |name: &str| {
        format!("#[test]\nfn {name}() {{\n    assert_eq!(f(), 1);\n    assert!(g());\n}}\n")
    };
    repo.write("tests/all.rs", ["one", "two", "three", "four"].map(test).concat());
    repo.write("tests/moved.rs", test("moved"));
    repo.commit_all("tests");
    let act = |repo: &Repo| {
        edit(repo);
        let three = test("three").replace("    assert!(g());\n", "");
        let two = test("two").replace("#[test]", "#[test]\n#[ignore]");
        repo.write("tests/all.rs", [test("one"), two, three].concat() + &test("moved"));
        repo.remove("tests/moved.rs");
        repo.git(&["commit", "-qam", "all green"]);
    };
    let judgement = judgement(&repo, &["F1"], &claim("F1", "src/a.rs"), act);
    assert_eq!(judgement.outcome.line(), PASS);
    let line = "tests weakened in tests/all.rs: test `two` is not run any more, \
        test `three` has 1 assertions, it had 2, test `four` is gone";
    assert_eq!(judgement.warnings(), [line]);
}

/// VE-09.
#[test]
fn a_repository_that_git_refuses_fails_with_its_message() {
    let repo = base();
    edit(&repo);
    for path in [repo.root().to_owned(), repo.path(".git")] {
        if chown(path, Some(12_345), Some(12_345)).is_err() {
            eprintln!("skipped: only root can give a repository away");
            return;
        }
    }
    let refused = Worktree::open(repo.root()).expect_err("it belongs to someone else");
    let proof = Proof::Unasked { why: refused.to_string() };
    let judgement = judge(&demand(&["F1"]), Some(&read(&claim("F1", "src/a.rs"))), &proof);
    let line = judgement.outcome.line();
    assert!(line.starts_with("VERIFY: FAIL — git could not be asked: "), "{line}");
    assert!(line.contains("is not owned by current user"), "{line}");
}

/// VE-14.
#[test]
fn the_easy_fix_does_not_excuse_the_others() {
    let report = r#"{"fixes_applied":[{"finding_id":"F1","file":"src/a.rs"}],
        "fixes_skipped":[{"finding_id":"F2","reason":"low priority"}],"total_fixed":1}"#;
    let open = "VERIFY: FAIL — 1 confirmed findings not accounted for: F2";
    assert_eq!(outcome(&base(), &["F1", "F2"], report, edit), open);
}

/// VE-16.
#[test]
fn a_repository_without_a_commit_is_judged_like_any_other() {
    let unborn = || {
        let repo = Repo::new();
        repo.write("src/a.rs", "fn main() {}\n");
        repo.git(&["add", "-A"]);
        repo
    };
    assert_eq!(outcome(&unborn(), &["F1"], &claim("F1", "src/a.rs"), edit), PASS);
    assert_eq!(outcome(&unborn(), &["F1"], &claim("F1", "src/a.rs"), nothing), PHANTOM);
}

/// VE-18.
#[test]
fn a_name_beyond_ascii_is_found_and_shown_as_it_is() {
    let repo = base();
    repo.write("über blick.md", "x\n");
    repo.commit_all("u");
    let act = |repo: &Repo| {
        repo.append("über blick.md", "y\n");
    };
    let judgement = judgement(&repo, &["F1"], &claim("F1", "über blick.md"), act);
    assert_eq!(judgement.outcome.line(), PASS);
    assert_eq!(judgement.findings[0].evidence[0].path.to_string(), "über blick.md");
}

/// VE-19.
#[test]
fn an_assume_unchanged_file_shows_its_change() {
    let repo = base();
    repo.git(&["update-index", "--assume-unchanged", "src/a.rs"]);
    assert_eq!(outcome(&repo, &["F1"], &claim("F1", "src/a.rs"), edit), PASS);
}

/// VE-20.
#[test]
fn what_a_test_run_leaves_behind_is_no_fix_of_another_file() {
    let repo = base();
    repo.write("Cargo.lock", "v1\n");
    repo.commit_all("lock");
    let act = |repo: &Repo| {
        repo.write("Cargo.lock", "v2\n");
    };
    let judgement = judgement(&repo, &["F1"], &claim("F1", "src/a.rs"), act);
    let line = "VERIFY: FAIL — phantom fix for finding F1: src/a.rs did not change";
    assert_eq!(judgement.outcome.line(), line);
    assert_eq!(judgement.findings[0].reason, "src/a.rs did not change; changed: Cargo.lock");
}

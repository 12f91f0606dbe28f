//! Each rule alone on the command line.

use std::os::unix::fs::{PermissionsExt as _, chown};

use serde_json::{Value, json};
use tribunal_test_support::{Outcome, Repo, Sandbox};

use crate::stage::{holds, json, lacks, mode};

const YES: &str = r#"{"validated":[{"finding_id":"F1","verdict":"confirmed"}]}"#;
const NO: &str = r#"{"validated":[{"finding_id":"F1","verdict":"false_positive"}]}"#;

/// Extracts from standard input and gives class, tier and object.
#[track_caller]
fn extracted(raw: &[u8], arguments: &[&str]) -> [Value; 3] {
    let sandbox = Sandbox::new();
    let outcome = sandbox.tribunal(&["verdict", "extract"]).args(arguments).stdin(raw).run();
    outcome.expect_code(0);
    let mut answer = json(&outcome.stdout);
    ["class", "tier", "json"].map(|key| answer[key].take())
}

#[test]
fn every_tier_of_extraction_answers() {
    let object = json(YES);
    for (raw, expected) in [
        (YES.to_owned(), json!(["PARSED", 1, object])),
        (format!("```JSON\r\n{YES}\r\n```\r\n"), json!(["PARSED", 2, object])),
        (format!("{{\"level\":\"info\"}}\n{YES}\nDone."), json!(["PARSED", 3, object])),
        (" \n\t".to_owned(), json!(["EMPTY", null, null])),
        ("\u{feff}\r\n".to_owned(), json!(["EMPTY", null, null])),
        ("no JSON here {".to_owned(), json!(["UNPARSEABLE", null, null])),
        (YES[..YES.len() - 3].to_owned(), json!(["UNPARSEABLE", null, null])),
    ] {
        assert_eq!(json!(extracted(raw.as_bytes(), &[])), expected, "{raw:?}");
    }
}

#[test]
fn extraction_takes_a_file_and_a_key() {
    let sandbox = Sandbox::new();
    let file = sandbox.root().join("raw.txt");
    std::fs::write(&file, format!("{YES}\n{{\"findings\":[]}}\n")).expect("the sandbox");
    let path = file.to_str().expect("UTF-8");
    assert_eq!(extracted(b"", &[path])[2], json(YES));
    assert_eq!(extracted(b"", &["--key", "findings", path])[2], json!({"findings": []}));
    let missing = sandbox.tribunal(&["verdict", "extract", "nowhere.txt"]).run();
    missing.expect_code(2);
    holds(&missing.stderr, "nowhere.txt");
}

/// A sandbox with raw outputs `v1` … in its root.
fn outputs(texts: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    for (number, text) in (1..).zip(texts) {
        std::fs::write(sandbox.root().join(format!("v{number}")), text).expect("the sandbox");
    }
    sandbox
}

fn merge(sandbox: &Sandbox, arguments: &[&str]) -> Outcome {
    sandbox.tribunal(&["vote", "merge"]).args(arguments).args(&["v1", "v2", "v3"]).run()
}

/// One row of the seed's table through `vote merge`: the yes votes, `None` for the gate.
#[track_caller]
fn check_merge(texts: [&str; 3], expected: Option<u32>) {
    let sandbox = outputs(&texts);
    let outcome = merge(&sandbox, &["--threshold", "2", "--cycle", "3", "--output-dir", "./out"]);
    let place = |n: usize| format!("./out/cycle_3/validator_v{n}_raw.txt");
    let unparseable: Vec<usize> =
        (1..).zip(texts).filter(|(_, t)| *t == "?").map(|(n, _)| n).collect();
    let mut lines: Vec<String> = unparseable
        .iter()
        .map(|n| {
            format!(
                "[merge-validations] WARNING: validator v{n} output unparseable; counting zero votes \
                 from it. Raw output preserved at: {}",
                place(*n)
            )
        })
        .collect();
    match expected {
        Some(0) => {
            outcome.expect_code(0);
            assert_eq!(json(&outcome.stdout)["confirmed_count"], 0);
        }
        Some(votes) => {
            outcome.expect_code(0);
            assert_eq!(json(&outcome.stdout)["validated"][0]["votes"]["confirmed"], votes);
        }
        None => {
            outcome.expect_code(1);
            assert_eq!(outcome.stdout, "", "nothing that could be taken for a tally");
            lines.push(
                "[merge-validations] FATAL: all validators produced unparseable output; cannot merge. \
                 Raw outputs preserved at:"
                    .to_owned(),
            );
            lines.extend(unparseable.iter().map(|n| format!("  v{n}: {}", place(*n))));
        }
    }
    assert_eq!(outcome.stderr.lines().collect::<Vec<_>>(), lines);
    for n in unparseable {
        let file = sandbox.root().join(place(n));
        assert_eq!((mode(&file), mode(file.parent().expect("a folder"))), (0o600, 0o700));
    }
}

#[test]
fn the_seven_rows_of_the_merge() {
    check_merge([YES, YES, YES], Some(3));
    check_merge([YES, "", YES], Some(2));
    check_merge([YES, "?", YES], Some(2));
    check_merge([YES, "", "?"], Some(1));
    check_merge(["", " \n", ""], Some(0));
    check_merge(["?", "", ""], None);
    check_merge(["?", "?", "?"], None);
}

/// Ids that the tally confirms.
#[track_caller]
fn confirmed(texts: [&str; 3], arguments: &[&str]) -> Vec<String> {
    let outcome = merge(&outputs(&texts), arguments);
    outcome.expect_code(0);
    let tally = json(&outcome.stdout);
    let entries = tally["validated"].as_array().expect("a list").iter();
    let yes = entries.filter(|entry| entry["verdict"] == "confirmed");
    yes.map(|entry| entry["finding_id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn votes_are_counted_by_validator_and_finding() {
    let twice = r#"{"validated":[{"finding_id":"F1","verdict":"confirmed"},{"finding_id":"F1","verdict":"confirmed"}]}"#;
    let ballot =
        |id: &str| format!(r#"{{"validated":[{{"finding_id":{id},"verdict":"confirmed"}}]}}"#);
    let (one, text_one) = (ballot("1"), ballot("\"1\""));
    let (large, larger) = (ballot("9007199254740992"), ballot("9007199254740993"));
    for (texts, expected) in [
        ([twice, NO, NO], vec![]),
        ([YES, YES, NO], vec!["F1"]),
        ([one.as_str(), text_one.as_str(), NO], vec!["1"]),
        ([large.as_str(), larger.as_str(), ""], vec![]),
        ([YES, r#"{"validated":[{"finding_id":"F1","verdict":" Downgraded "}]}"#, ""], vec!["F1"]),
        (
            [
                YES,
                r#"{"validated":[{"finding_id":"F1","verdict":"confirmed|false_positive"}]}"#,
                "",
            ],
            vec![],
        ),
    ] {
        assert_eq!(confirmed(texts, &[]), expected, "{texts:?}");
    }
}

#[test]
fn votes_for_findings_that_nobody_reported_do_not_count() {
    let sandbox = outputs(&[YES, YES, NO]);
    std::fs::write(sandbox.root().join("f.json"), r#"{"findings":[{"id":"F7","title":"x"}]}"#)
        .expect("the sandbox");
    let outcome = merge(&sandbox, &["--findings", "f.json"]);
    outcome.expect_code(0);
    holds(&outcome.stderr, "F1");
    let tally = json(&outcome.stdout);
    assert_eq!(tally["validated"][0]["finding_id"], "F7");
    assert_eq!(tally["validated"][0]["verdict"], "unconfirmed");
    assert_eq!(tally["confirmed_count"], 0);
}

#[test]
fn a_threshold_that_cannot_be_reached_is_a_usage_error() {
    let sandbox = outputs(&[YES, YES, YES]);
    for threshold in ["0", "4", "-1", "two"] {
        merge(&sandbox, &["--threshold", threshold]).expect_code(2);
    }
}

/// A repository, a tally and a report, and what `fixes verify` says of what happens in between.
struct Desk {
    sandbox: Sandbox,
    repo: Repo,
    before: String,
}

impl Desk {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let repo = sandbox.repo("r");
        repo.write("src/a.rs", "fn main() {}\n").write("src/b.rs", "fn b() {}\n");
        repo.commit_all("base");
        Self::of(sandbox, repo)
    }

    fn of(sandbox: Sandbox, repo: Repo) -> Self {
        let outcome = sandbox.tribunal(&["fixes", "snapshot"]).dir(repo.root()).run();
        outcome.expect_code(0);
        let before = outcome.stdout.trim().to_owned();
        Self { sandbox, repo, before }
    }

    fn tally(&self, ids: &[&str]) {
        let votes: Vec<Value> =
            ids.iter().map(|id| json!({"finding_id": id, "verdict": "confirmed"})).collect();
        let ballot = json!({"validated": votes}).to_string();
        let sandbox = outputs(&[&ballot, &ballot, &ballot]);
        let outcome = merge(&sandbox, &[]);
        outcome.expect_code(0);
        std::fs::write(self.sandbox.root().join("tally.json"), outcome.stdout)
            .expect("the sandbox");
    }

    fn verify(&self, report: &str, arguments: &[&str]) -> Outcome {
        std::fs::write(self.sandbox.root().join("report"), report).expect("the sandbox");
        self.sandbox
            .tribunal(&["fixes", "verify", "--repo", "r", "--before", &self.before])
            .args(&["--tally", "tally.json", "--report", "report"])
            .args(arguments)
            .run()
    }
}

const CLAIM: &str = r#"{"fixes_applied":[{"finding_id":"F1","file":"src/a.rs"}]}"#;
const CLAIM_NEW: &str = r#"{"fixes_applied":[{"finding_id":"F1","file":"src/new_test.rs"}]}"#;
const NO_CLAIM: &str = r#"{"fixes_applied":[]}"#;
const SKIP: &str =
    r#"{"fixes_applied":[],"fixes_skipped":[{"finding_id":"F1","reason":"needs a vendor patch"}]}"#;
const PASS: &str = "VERIFY: PASS";
const OPEN: &str = "VERIFY: FAIL — 1 confirmed findings not accounted for: F1";
const PHANTOM: &str =
    "VERIFY: FAIL — fix-agent claims 1 files fixed but git diff shows no file modifications";
const PHANTOM_A: &str = "VERIFY: FAIL — phantom fix for finding F1: src/a.rs did not change";

#[track_caller]
fn check_verify(report: &str, act: impl FnOnce(&Repo), counts: [u32; 3], line: &str) {
    let desk = Desk::new();
    desk.tally(&["F1"]);
    act(&desk.repo);
    let outcome = desk.verify(report, &[]);
    outcome.expect_code(if line == PASS { 0 } else { 1 });
    let [fixed, skipped, unfixed] = counts;
    let expected = format!(
        "Confirmed findings: 1\nFixed: {fixed}\nSkipped: {skipped}\nUnfixed: {unfixed}\n{line}\n"
    );
    assert_eq!(outcome.stdout, expected);
}

fn nothing(_: &Repo) {}

fn edit(repo: &Repo) {
    repo.append("src/a.rs", "// fix\n");
}

fn edit_other(repo: &Repo) {
    repo.append("src/b.rs", "// other\n");
}

#[test]
fn the_rows_of_the_decision_table() {
    check_verify(SKIP, nothing, [0, 1, 0], PASS);
    check_verify(NO_CLAIM, nothing, [0, 0, 1], OPEN);
    check_verify(CLAIM, nothing, [0, 0, 1], PHANTOM);
    check_verify(CLAIM, edit, [1, 0, 0], PASS);
    check_verify(SKIP, edit_other, [0, 1, 0], PASS);
    check_verify(NO_CLAIM, edit_other, [0, 0, 1], OPEN);
}

#[test]
fn what_counts_as_a_change_of_the_claimed_file() {
    let add = |repo: &Repo| {
        repo.write("src/new_test.rs", "test\n");
    };
    check_verify(CLAIM_NEW, add, [1, 0, 0], PASS);
    let stage = |repo: &Repo| {
        edit(repo);
        repo.git(&["rm", "-q", "src/b.rs"]);
        repo.git(&["add", "-A"]);
    };
    check_verify(CLAIM, stage, [1, 0, 0], PASS);
    let commit = |repo: &Repo| {
        edit(repo);
        repo.commit_all("fix");
    };
    check_verify(CLAIM, commit, [1, 0, 0], PASS);
    let remove = |repo: &Repo| {
        repo.remove("src/a.rs");
    };
    check_verify(CLAIM, remove, [1, 0, 0], PASS);
    check_verify(CLAIM, edit_other, [0, 0, 1], PHANTOM_A);
    let line_ends = |repo: &Repo| {
        repo.write("src/a.rs", "fn main() {}\r\n");
    };
    check_verify(CLAIM, line_ends, [0, 0, 1], PHANTOM_A);
    let mode_alone = |repo: &Repo| {
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(repo.path("src/a.rs"), executable).expect("it is there");
    };
    check_verify(CLAIM, mode_alone, [0, 0, 1], PHANTOM_A);
}

#[test]
fn an_excuse_is_no_reason_and_an_unreadable_report_no_skip() {
    let lazy =
        r#"{"fixes_applied":[],"fixes_skipped":[{"finding_id":"F1","reason":"Low priority."}]}"#;
    check_verify(lazy, edit, [0, 0, 1], OPEN);
    let line = "VERIFY: FAIL — fix report unreadable, 1 confirmed findings not accounted for: F1";
    check_verify("I fixed it all.", edit, [0, 0, 1], line);
}

#[test]
fn fix_all_takes_true_and_false_in_any_case_and_nothing_else() {
    let desk = Desk::new();
    desk.tally(&["F1"]);
    for (word, code) in [("False", 0), ("TRUE", 1), ("true", 1), ("no", 2), ("0", 2)] {
        desk.verify(NO_CLAIM, &["--fix-all", word]).expect_code(code);
    }
}

#[test]
fn a_tally_that_does_not_add_up_is_refused() {
    let desk = Desk::new();
    desk.tally(&["F1"]);
    let path = desk.sandbox.root().join("tally.json");
    let tally = std::fs::read_to_string(&path).expect("it was made");
    let forged = tally.replace(r#""confirmed":3"#, r#""confirmed":1"#);
    assert_ne!(forged, tally);
    std::fs::write(&path, forged).expect("the sandbox");
    let outcome = desk.verify(CLAIM, &[]);
    outcome.expect_code(2);
    lacks(&outcome.stdout, "VERIFY");
}

#[test]
fn a_repository_that_cannot_be_asked_fails_with_its_message() {
    let desk = Desk::new();
    desk.tally(&["F1"]);
    edit(&desk.repo);
    let give = |path| chown(path, Some(12_345), Some(12_345));
    let given = give(desk.repo.path(".git")).and_then(|()| give(desk.repo.root().to_owned()));
    if let Err(error) = given {
        eprintln!("skipped: only root can give a repository away ({error})");
        return;
    }
    let outcome = desk.verify(CLAIM, &[]);
    outcome.expect_code(1);
    holds(&outcome.stdout, "VERIFY: FAIL — git could not be asked: ");
}

#[test]
fn snapshots_leave_index_files_and_other_refs_alone() {
    let sandbox = Sandbox::new();
    let repo = sandbox.repo("r");
    repo.write("a", "a\n");
    repo.commit_all("base");
    repo.write("a", "b\n").write("new", "n\n");
    // Asking for the status may refresh the index.
    let status = repo.status();
    let index = std::fs::read(repo.path(".git/index")).expect("there is an index");
    let desk = Desk::of(sandbox, repo);
    assert_eq!(std::fs::read(desk.repo.path(".git/index")).expect("an index"), index);
    assert_eq!(desk.repo.status(), status);
    let refs = desk.repo.git(&["for-each-ref", "--format=%(refname)"]);
    assert!(
        refs.lines()
            .all(|name| name == "refs/heads/main" || name.starts_with("refs/tribunal/single/")),
        "{refs}"
    );
}

/// A decision after a tally with so many confirmed findings of a severity.
#[track_caller]
fn check_decision(
    [cycle, min, max]: [&str; 3],
    votes: &[(&str, usize)],
    more: &[&str],
    last: &str,
) {
    let listed = votes.iter().flat_map(|(severity, n)| std::iter::repeat_n(*severity, *n));
    let entries: Vec<Value> = (1..)
        .zip(listed)
        .map(|(n, severity)| json!({"finding_id": n, "verdict": "confirmed", "new_severity": severity}))
        .collect();
    let ballot = json!({"validated": entries}).to_string();
    let sandbox = outputs(&[&ballot, &ballot, &ballot]);
    let tally = merge(&sandbox, &[]);
    std::fs::write(sandbox.root().join("tally.json"), &tally.stdout).expect("the sandbox");
    let outcome = sandbox
        .tribunal(&["cycle", "decide", "--cycle", cycle, "--min", min, "--max", max])
        .args(&["--tally", "tally.json"])
        .args(more)
        .run();
    outcome.expect_code(0);
    assert_eq!(outcome.stdout.lines().last(), Some(last), "{}", outcome.stdout);
}

#[test]
fn the_rows_of_the_decision() {
    check_decision(["1", "3", "6"], &[], &[], "CONTINUE:2");
    check_decision(["3", "3", "6"], &[], &[], "STOP");
    check_decision(["3", "3", "6"], &[("high", 1)], &[], "CONTINUE:4");
    check_decision(["3", "3", "6"], &[("critical", 1)], &[], "CONTINUE:4");
    check_decision(["3", "3", "6"], &[("medium", 3), ("low", 9)], &[], "STOP");
    check_decision(["3", "3", "6"], &[("medium", 4)], &[], "CONTINUE:4");
    check_decision(["3", "3", "6"], &[], &["--unaccounted", "1"], "CONTINUE:4");
    check_decision(["6", "3", "6"], &[("critical", 1)], &["--unaccounted", "1"], "STOP");
    check_decision(["9", "2", "10"], &[("high", 1)], &[], "CONTINUE:10");
}

#[test]
fn limits_that_are_no_limits_are_usage_errors() {
    let sandbox = outputs(&[YES, YES, YES]);
    let tally = merge(&sandbox, &[]);
    std::fs::write(sandbox.root().join("tally.json"), &tally.stdout).expect("the sandbox");
    for limits in [
        ["1", "0", "6"],
        ["1", "3", "0"],
        ["1", "4", "3"],
        ["1", "1", "03"],
        ["0", "1", "1"],
        ["1", "-1", "2"],
    ] {
        let [cycle, min, max] = limits;
        let outcome = sandbox
            .tribunal(&["cycle", "decide", "--cycle", cycle, "--min", min, "--max", max])
            .args(&["--tally", "tally.json"])
            .run();
        outcome.expect_code(2);
        assert_eq!(outcome.stdout, "", "{limits:?}");
    }
}

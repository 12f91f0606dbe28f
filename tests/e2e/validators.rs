//! Three validators: who answered, who did not, and what that means.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;
use tribunal_test_support::{Act, Cue, Moment, Outcome, Role};

use crate::stage::{ONE_CYCLE, Stage, endless, holds, lacks, mode, swallowed};

const FOLDER: &str = "./eval_results/quality_audit/cycle_1";
const GARBAGE: &str = "The code looks fine to me, more or less. {see above\n";

fn validator(number: usize, act: Act) -> Cue {
    Cue::to(act).step(&format!("validate-agent-{number}"))
}

/// An audit of one fault in which each validator answers so.
fn stage(acts: [Act; 3]) -> Stage {
    let numbered = (1..).zip(acts);
    numbered.fold(Stage::new([swallowed()]), |stage, (n, act)| stage.cue(validator(n, act)))
}

fn raw(number: usize) -> String {
    format!("{FOLDER}/validator_v{number}_raw.txt")
}

fn warning(number: usize, what: &str) -> String {
    format!(
        "[merge-validations] WARNING: validator v{number} {what}; counting zero votes from it. \
         Raw output preserved at: {}",
        raw(number)
    )
}

fn merge_lines(outcome: &Outcome) -> Vec<&str> {
    let is_merge = |line: &&str| line.starts_with("[merge-validations]") || line.starts_with("  v");
    outcome.stderr.lines().filter(is_merge).collect()
}

/// What the table of the seed says of one mix of answers.
enum Expected {
    /// The merge goes on; the finding is confirmed by this many.
    Merged(u32),
    /// The gate is shut.
    Fatal,
}

#[track_caller]
fn check(acts: [Act; 3], expected: &Expected) {
    let unreadable: Vec<usize> =
        (1..).zip(&acts).filter(|(_, act)| **act == Act::Garbage).map(|(n, _)| n).collect();
    let silent = acts.iter().filter(|act| **act == Act::Silent).count();
    let stage = stage(acts);
    let outcome = stage.one_cycle();
    let mut lines: Vec<String> =
        unreadable.iter().map(|n| warning(*n, "output unparseable")).collect();
    match expected {
        Expected::Merged(votes) => {
            outcome.expect_code(0);
            let report = stage.findings();
            assert_eq!(report["findings"][0]["vote"]["confirmed"], json!(votes));
            assert_eq!(stage.times_asked("fix"), usize::from(*votes >= 2));
            let answered = 3 - silent - unreadable.len();
            holds(&outcome.stdout, &format!("{answered} of 3 validators answered"));
        }
        Expected::Fatal => {
            outcome.expect_code(1);
            lines.push(
                "[merge-validations] FATAL: all validators produced unparseable output; cannot merge. \
                 Raw outputs preserved at:"
                    .to_owned(),
            );
            lines.extend(unreadable.iter().map(|n| format!("  v{n}: {}", raw(*n))));
            assert_eq!(stage.times_asked("fix"), 0);
            lacks(&outcome.stdout, "VERIFY");
            lacks(&outcome.stdout.to_lowercase(), "no issues");
            holds(&outcome.stdout, "did not complete");
        }
    }
    assert_eq!(merge_lines(&outcome), lines);
    let kept = stage.repo.path(FOLDER);
    for number in 1..=3 {
        let file = stage.repo.path(&raw(number));
        if unreadable.contains(&number) {
            assert_eq!(mode(&kept), 0o700);
            assert_eq!(mode(&file), 0o600);
            assert_eq!(std::fs::read_to_string(&file).expect("it is kept"), GARBAGE);
        } else {
            assert!(!file.exists(), "v{number} has nothing to keep");
        }
    }
}

#[test]
fn row_1_all_parsed() {
    check([Act::Honest, Act::Fenced, Act::Prose], &Expected::Merged(3));
}

#[test]
fn row_2_parsed_and_empty() {
    check([Act::LogsFirst, Act::Silent, Act::Honest], &Expected::Merged(2));
}

#[test]
fn row_3_parsed_and_unparseable() {
    check([Act::Honest, Act::Garbage, Act::Honest], &Expected::Merged(2));
}

#[test]
fn row_4_parsed_empty_and_unparseable() {
    check([Act::Honest, Act::Silent, Act::Garbage], &Expected::Merged(1));
}

#[test]
fn row_5_all_empty() {
    check([Act::Silent, Act::Silent, Act::Silent], &Expected::Merged(0));
}

#[test]
fn row_6_empty_and_unparseable() {
    check([Act::Silent, Act::Garbage, Act::Silent], &Expected::Fatal);
}

#[test]
fn row_7_all_unparseable() {
    check([Act::Garbage, Act::Garbage, Act::Garbage], &Expected::Fatal);
}

/// What a validator that says something odd adds to one honest yes vote and one silent colleague.
#[track_caller]
fn check_vote(act: Act, votes: [u32; 2], said: &[&str]) {
    let stage = stage([act, Act::Honest, Act::Silent]);
    let outcome = stage.one_cycle();
    outcome.expect_code(0);
    let vote = &stage.findings()["findings"][0]["vote"];
    assert_eq!([&vote["confirmed"], &vote["false_positive"]], votes.map(|n| json!(n)).each_ref());
    for part in said {
        holds(&outcome.stderr, part);
    }
}

#[test]
fn a_validator_has_one_vote_however_often_it_says_it() {
    check_vote(Act::DoubleVoter, [2, 0], &[]);
}

#[test]
fn a_validator_that_contradicts_itself_has_no_vote() {
    check_vote(Act::ContradictingVoter, [1, 0], &["WARNING", "F1"]);
}

#[test]
fn an_echoed_template_is_no_vote() {
    check_vote(Act::TemplateEcho, [1, 0], &["WARNING"]);
}

#[test]
fn a_vote_for_an_unknown_finding_is_dropped() {
    let stranger = r#"{"validated":[{"finding_id":"F99","verdict":"confirmed"}]}"#;
    check_vote(Act::Say(stranger.to_owned()), [1, 0], &["F99"]);
}

#[test]
fn an_object_that_is_no_ballot_counts_nothing_and_is_kept() {
    check_vote(Act::NoBallot, [1, 0], &[&warning(1, "output holds no ballot")]);
}

#[test]
fn a_rejection_counts_against() {
    check_vote(Act::Rejects, [1, 1], &[]);
}

#[test]
fn a_verdict_is_found_behind_a_flood_and_in_an_envelope() {
    check_vote(Act::Flood(300_000), [2, 0], &[]);
    let enveloped = json!({
        "type": "result", "subtype": "success", "is_error": false,
        "result": r#"{"validated":[{"finding_id":"F1","verdict":"confirmed"}]}"#,
    });
    check_vote(Act::Say(enveloped.to_string()), [2, 0], &[]);
}

#[test]
fn a_validator_that_failed_is_no_silence_and_its_banner_is_kept() {
    let banner = "Prepared 12 agents\nPlugin ready\n";
    let failed = Act::All(vec![Act::Say(banner.to_owned()), Act::Exit(1)]);
    let stage = stage([failed, Act::Honest, Act::Honest]);
    let outcome = stage.one_cycle();
    outcome.expect_code(0);
    assert_eq!(merge_lines(&outcome), [warning(1, "failed (exit 1)")]);
    assert_eq!(stage.repo.read(&raw(1)), banner);
    assert_eq!(stage.findings()["cycles"][0]["validators"][0]["answer"], "failed");
}

#[test]
fn a_verdict_of_a_validator_that_failed_is_no_vote() {
    let stage = stage([Act::Exit(1), Act::Honest, Act::Honest]);
    stage.one_cycle().expect_code(0);
    assert_eq!(stage.findings()["findings"][0]["vote"]["confirmed"], 2);
}

#[test]
fn validators_that_all_fail_shut_the_gate_even_without_a_word() {
    let mute = || Act::All(vec![Act::Silent, Act::Exit(1)]);
    let stage = stage([mute(), mute(), mute()]);
    let outcome = stage.one_cycle();
    outcome.expect_code(1);
    holds(&outcome.stderr, "[merge-validations] FATAL");
    for number in 1..=3 {
        assert_eq!(stage.repo.read(&raw(number)), "", "kept at zero bytes");
    }
}

#[test]
fn a_validator_past_its_deadline_has_no_vote_and_what_it_said_is_kept() {
    let stage = stage([Act::Hang, Act::Honest, Act::Honest]);
    let outcome = stage.audit(&ONE_CYCLE).args(&["--deadline", "1"]).run();
    outcome.expect_code(0);
    assert_eq!(merge_lines(&outcome), [warning(1, "failed (ran past its deadline)")]);
    assert!(!stage.repo.read(&raw(1)).is_empty(), "what it had said");
    assert_eq!(stage.findings()["findings"][0]["vote"]["confirmed"], 2);
}

#[test]
fn raw_output_never_becomes_a_workflow_command() {
    let hostile = "::error file=src/a.rs,line=1::pwned\n\u{1b}[31mred {\n";
    let stage = stage([Act::Say(hostile.to_owned()), Act::Honest, Act::Honest]);
    let outcome = stage.one_cycle();
    outcome.expect_code(0);
    assert_eq!(stage.repo.read(&raw(1)), hostile, "kept byte for byte");
    let page = stage.repo.read("eval_results/quality_audit/report.md");
    for text in [&outcome.stdout, &outcome.stderr, &page] {
        assert!(!text.lines().any(|line| line.trim_start().starts_with("::")), "{text}");
        lacks(text, "\u{1b}");
    }
}

#[test]
fn raw_outputs_go_elsewhere_when_the_folder_cannot_be_written_and_the_warning_says_where() {
    let stage = stage([Act::Garbage, Act::Honest, Act::Honest]);
    stage.repo.write("blocked", "a file, not a folder");
    let outcome = stage.audit(&ONE_CYCLE).args(&["-c", "output_dir=blocked"]).run();
    let line = merge_lines(&outcome).first().copied().unwrap_or_default().to_owned();
    let (_, place) = line.rsplit_once(": ").unwrap_or_else(|| panic!("{}", outcome.stderr));
    let place = Path::new(place);
    assert!(place.starts_with(stage.sandbox.tmp()), "{}", place.display());
    assert_eq!(std::fs::read_to_string(place).expect("it is kept"), GARBAGE);
    assert_eq!(mode(place), 0o600);
    assert_eq!(stage.repo.read("blocked"), "a file, not a folder");
}

#[test]
fn all_three_are_launched_before_the_first_reply_and_work_at_the_same_time() {
    let slow = || Act::Slow(300);
    let stage = Stage::new([swallowed(), endless()])
        .cue(validator(1, slow()))
        .cue(validator(2, slow()))
        .cue(validator(3, slow()));
    stage.one_cycle().expect_code(0);
    let places = |kind: &str| -> Vec<usize> {
        let of_validators = stage.events(kind).into_iter().filter(|(_, event)| {
            event["call"].as_str().is_some_and(|call| call.starts_with("1/validate-agent-"))
        });
        of_validators.map(|(place, _)| place).collect()
    };
    let (launched, replied) = (places("launched"), places("replied"));
    assert_eq!((launched.len(), replied.len()), (3, 3));
    assert!(launched.iter().max() < replied.iter().min(), "{launched:?} {replied:?}");

    let stamps = stage.stamps();
    let times = |moment: Moment| -> BTreeMap<String, u64> {
        let validators = stamps.iter().filter(|s| s.role == Role::Validator && s.event == moment);
        validators.map(|stamp| (stamp.step.clone(), stamp.monotonic_nanos)).collect()
    };
    let last_start = times(Moment::Start).into_values().max();
    let first_stop = times(Moment::Stop).into_values().min();
    assert!(last_start < first_stop, "{last_start:?} {first_stop:?}");
}

#[test]
fn without_findings_nobody_is_asked_to_vote_or_to_fix() {
    let stage = Stage::new([]);
    let outcome = stage.one_cycle();
    outcome.expect_code(0);
    holds(&outcome.stdout, "validators not needed");
    assert_eq!(stage.calls(), ["1/seek/1", "1/summary/1", "1/self-improvement/1"]);
}

#[test]
fn a_shut_gate_is_told_as_a_failure_in_every_form() {
    let stage = stage([Act::Garbage, Act::Garbage, Act::Garbage]);
    let outcome = stage.audit(&ONE_CYCLE).arg("--json").run();
    outcome.expect_code(1);
    let report = crate::stage::json(&outcome.stdout);
    assert_eq!(report["complete"], false);
    assert_eq!(report["outcome"]["kind"], "failed");
    assert_eq!(report["outcome"]["step"], "merge-validations");
    let page = stage.repo.read("eval_results/quality_audit/report.md");
    holds(&page, "did not complete");
    lacks(&page.to_lowercase(), "no issues");
}

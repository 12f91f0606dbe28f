//! The scripted agent plays what its scenario says.

use std::time::Duration;

use serde_json::Value;
use tribunal_test_support::{
    Act, Cue, Fault, Moment, Outcome, Program, Repo, Role, Running, Sandbox, Scenario, binary,
    carriers, processes_with_argument, stamps, wait_until,
};

const PATIENCE: Duration = Duration::from_secs(20);

struct Stage {
    sandbox: Sandbox,
    repo: Repo,
    scenario: Scenario,
}

/// A repository with two planted faults, committed, and a scenario that knows them.
fn stage() -> Stage {
    let sandbox = Sandbox::new();
    let repo = sandbox.repo("shop");
    let scenario = Scenario::new()
        .log(sandbox.log())
        .fault(Fault::new("F1", "src/cart.py", "except: pass", "except KeyError: raise"))
        .fault(Fault::new("F2", "src/pay.py", "retry(inf)", "retry(3)").severity("medium"));
    repo.write("src/cart.py", "def total():\n    try: add()\n");
    scenario.plant(&repo);
    repo.commit_all("faults are planted");
    Stage { sandbox, repo, scenario }
}

impl Stage {
    fn cue(mut self, cue: Cue) -> Self {
        self.scenario = self.scenario.cue(cue);
        self
    }

    fn program(&self, role: &str, step: &str, cycle: u32, turn: u32) -> Program {
        let file = self.sandbox.root().join("scenario.json");
        self.scenario.store(&file);
        Program::new(binary("scripted-agent"), &self.sandbox.environment())
            .arg(file)
            .env("TRIBUNAL_ROLE", role)
            .env("TRIBUNAL_STEP", step)
            .env("TRIBUNAL_CYCLE", cycle.to_string())
            .env("TRIBUNAL_CALL", format!("{cycle}/{step}/{turn}"))
            .dir(self.repo.root())
    }

    fn play(&self, role: &str, step: &str, cycle: u32, turn: u32, prompt: &str) -> Outcome {
        self.program(role, step, cycle, turn).stdin(prompt).run()
    }

    fn seek(&self) -> Outcome {
        self.play("seeker", "seek", 1, 1, "look")
    }

    fn fix(&self) -> Outcome {
        self.play("fixer", "fix", 1, 1, "mend")
    }
}

fn answer(outcome: &Outcome) -> Value {
    outcome.expect_code(0);
    serde_json::from_str(&outcome.stdout).expect("the answer is bare JSON")
}

fn texts<'v>(list: &'v Value, key: &str) -> Vec<&'v str> {
    let entries = list.as_array().expect("a list").iter();
    entries.map(|entry| entry[key].as_str().expect("a text")).collect()
}

#[test]
fn an_honest_audit_ends_with_nothing_left() {
    let stage = stage();
    let found = answer(&stage.seek());
    assert_eq!(texts(&found["findings"], "id"), ["F1", "F2"]);
    assert_eq!(found["findings"][0]["line"], 3);
    assert_eq!(found["findings"][0]["evidence"], "except: pass");

    let ballot = answer(&stage.play("validator", "validate-agent-1", 1, 1, "vote"));
    assert_eq!(texts(&ballot["validated"], "verdict"), ["confirmed", "confirmed"]);

    let report = answer(&stage.fix());
    assert_eq!(texts(&report["fixes_applied"], "file"), ["src/cart.py", "src/pay.py"]);
    assert_eq!(stage.repo.status(), " M src/cart.py\n M src/pay.py");
    assert_eq!(answer(&stage.seek())["findings"], Value::Array(Vec::new()));
}

#[test]
fn blocks_of_the_prompt_say_what_is_meant_whatever_the_ids_and_the_mark() {
    let stage = stage();
    let prompt = r#"Mend these.
<<Q7 audit_findings
{"cycle":2,"findings":[{"id":"c2-F1","file":"src/cart.py","evidence":"except: pass"},
 {"id":"c2-F9","file":"src/pay.py","evidence":"retry(inf)"}],"carried":[{"id":"X","file":"gone.py"}]}
Q7>>
<<Q7 validated_findings
{"validated":[{"finding_id":"c2-F1","verdict":"confirmed"},
 {"finding_id":"c2-F9","verdict":"false_positive"}]}
Q7>>"#;
    let ballot = answer(&stage.play("validator", "validate-agent-1", 2, 1, prompt));
    assert_eq!(texts(&ballot["validated"], "finding_id"), ["c2-F1", "c2-F9"]);

    let report = answer(&stage.play("fixer", "fix", 2, 1, prompt));
    assert_eq!(texts(&report["fixes_applied"], "finding_id"), ["c2-F1"]);
    assert_eq!(texts(&report["fixes_skipped"], "finding_id"), ["X"]);
    assert_eq!(stage.repo.status(), " M src/cart.py");
}

fn check_said(act: &Act, expected: impl Fn(&str) -> bool) {
    let stage = stage().cue(Cue::to(act.clone()).role(Role::Validator));
    let outcome = stage.play("validator", "validate-agent-1", 1, 1, "vote");
    assert!(expected(&outcome.expect_code(0).stdout), "{act:?}: {}", outcome.stdout);
}

#[test]
fn each_form_of_speech_is_what_its_name_says() {
    const BALLOT: &str = r#"{"validator":"validate-agent-1""#;
    check_said(&Act::Prose, |said| !said.starts_with('{') && said.contains(BALLOT));
    check_said(&Act::Fenced, |said| said.contains(&format!("```json\n{BALLOT}")));
    check_said(&Act::LogsFirst, |said| said.lines().nth(2).is_some_and(|l| l.starts_with(BALLOT)));
    check_said(&Act::Silent, str::is_empty);
    check_said(&Act::Garbage, |said| !said.contains('}'));
    check_said(&Act::NoBallot, |said| said.starts_with('{') && !said.contains("validated"));
    check_said(&Act::TemplateEcho, |said| said.contains("confirmed|false_positive"));
    check_said(&Act::Say("as told".to_owned()), |said| said == "as told");
    check_said(&Act::Flood(1 << 20), |said| said.len() > 1 << 20 && said.contains(BALLOT));
    check_said(&Act::All(vec![Act::Rejects, Act::Fenced]), |said| {
        said.contains("```") && said.contains("false_positive") && !said.contains("confirmed")
    });
}

#[test]
fn a_validator_may_vote_twice_or_both_ways() {
    for (act, verdicts) in [
        (Act::DoubleVoter, ["confirmed", "confirmed"]),
        (Act::ContradictingVoter, ["confirmed", "false_positive"]),
        (Act::Rejects, ["false_positive", "false_positive"]),
    ] {
        let stage = stage().cue(Cue::to(act.clone()));
        let ballot = answer(&stage.play("validator", "validate-agent-1", 1, 1, "vote"));
        let said = texts(&ballot["validated"], "verdict");
        assert_eq!(said[..2], verdicts, "{act:?}");
    }
}

fn check_fix(act: &Act, claimed: &[&str], status: &str) {
    let stage = stage().cue(Cue::to(act.clone()));
    let before = stage.repo.head();
    let report = answer(&stage.fix());
    assert_eq!(texts(&report["fixes_applied"], "file"), claimed, "{act:?}");
    assert_eq!(stage.repo.status(), status, "{act:?}");
    assert_eq!(stage.repo.head() != before, *act == Act::Committer, "{act:?}");
}

#[test]
fn a_fixer_leaves_the_tree_that_its_act_names() {
    const BOTH: &[&str] = &["src/cart.py", "src/pay.py"];
    check_fix(&Act::Honest, BOTH, " M src/cart.py\n M src/pay.py");
    check_fix(&Act::Stager, BOTH, "M  src/cart.py\nM  src/pay.py");
    check_fix(&Act::Committer, BOTH, "");
    check_fix(&Act::Liar, BOTH, "");
    check_fix(&Act::Partial, &["src/cart.py"], " M src/cart.py");
    check_fix(&Act::Excuses("the vendor owns it".to_owned()), &[], "");
    let (path, text) = ("src/new/guard.py".to_owned(), "guard()\n".to_owned());
    let new_file = Act::NewFile { path: path.clone(), text };
    check_fix(&new_file, &[&path, &path], "?? src/new/guard.py");
}

#[test]
fn a_reader_may_write_where_it_must_not() {
    let stage = stage().cue(Cue::to(Act::WritesAlthoughReadOnly("src/pay.py".to_owned())));
    assert_eq!(texts(&answer(&stage.seek())["findings"], "id"), ["F1", "F2"]);
    assert_eq!(stage.repo.status(), " M src/pay.py");
}

#[test]
fn the_first_cue_that_fits_counts() {
    let stage = stage()
        .cue(Cue::to(Act::Say("turn two".to_owned())).role(Role::Fixer).turn(2))
        .cue(Cue::to(Act::Say("cycle three".to_owned())).cycle(3))
        .cue(Cue::to(Act::Say("step".to_owned())).step("validate-agent-2"))
        .cue(Cue::to(Act::Say("the rest".to_owned())));
    for (role, step, cycle, turn, said) in [
        ("fixer", "fix", 1, 2, "turn two"),
        ("fixer", "fix", 3, 2, "turn two"),
        ("fixer", "fix", 3, 1, "cycle three"),
        ("validator", "validate-agent-2", 1, 1, "step"),
        ("validator", "validate-agent-1", 1, 2, "the rest"),
    ] {
        let outcome = stage.play(role, step, cycle, turn, "");
        assert_eq!(outcome.stdout, said, "{role} {step} {cycle} {turn}");
    }
}

#[test]
fn a_fault_of_a_later_cycle_is_not_seen_before() {
    let mut stage = stage();
    stage.scenario.faults[1].from_cycle = 2;
    assert_eq!(texts(&answer(&stage.seek())["findings"], "id"), ["F1"]);
    let later = answer(&stage.play("seeker", "seek", 2, 1, "look deeper"));
    assert_eq!(texts(&later["findings"], "id"), ["F1", "F2"]);
}

#[test]
fn stamps_show_that_two_slow_calls_overlapped() {
    let stage = stage().cue(Cue::to(Act::Slow(150)).role(Role::Validator));
    let calls: Vec<Running> = ["validate-agent-1", "validate-agent-2"]
        .map(|step| stage.program("validator", step, 1, 1).spawn())
        .into();
    for call in calls {
        call.wait().expect_code(0);
    }
    let log = stamps(&stage.sandbox.log());
    let at = |event| log.iter().filter(move |s| s.event == event).map(|s| s.monotonic_nanos);
    assert_eq!((at(Moment::Start).count(), at(Moment::Stop).count()), (2, 2));
    assert!(at(Moment::Start).max() < at(Moment::Stop).min(), "{log:?}");
}

#[test]
fn a_hanging_call_says_its_answer_and_is_killed_with_its_handle() {
    let stage = stage().cue(Cue::to(Act::Hang));
    let entry = format!("TRIBUNAL_CALL={}", stage.sandbox.root().join("1").display());
    let call = stage
        .program("seeker", "seek", 1, 1)
        .env("TRIBUNAL_CALL", entry.split_once('=').expect("it has one").1)
        .spawn();
    let started = || stamps(&stage.sandbox.log()).len() == 1;
    wait_until(started, PATIENCE, "the call starts");
    assert_eq!(carriers(&entry), [call.pid()]);
    let scenario = stage.sandbox.root().join("scenario.json");
    let argument = scenario.to_str().expect("a UTF-8 path");
    assert_eq!(processes_with_argument(argument), [call.pid()]);
    drop(call);
    wait_until(|| carriers(&entry).is_empty(), PATIENCE, "the call is gone");
    assert_eq!(stamps(&stage.sandbox.log()).len(), 1);
}

#[test]
fn an_exit_code_comes_after_the_answer() {
    let stage = stage().cue(Cue::to(Act::Exit(3)));
    let outcome = stage.seek();
    assert!(outcome.expect_code(3).stdout.contains("F1"));
}

#[test]
fn what_cannot_be_read_is_said_and_never_played() {
    let stage = stage();
    let outcome = stage.program("seeker", "seek", 1, 1).env_remove("TRIBUNAL_CYCLE").run();
    assert!(outcome.expect_code(64).stderr.contains("TRIBUNAL_CYCLE is not set"));
    let outcome = stage.program("jester", "seek", 1, 1).run();
    assert!(outcome.expect_code(64).stderr.contains("jester"));
    let outcome = stage.play("validator", "v", 1, 1, "<<M audit_findings\nnot JSON\nM>>\n");
    assert!(outcome.expect_code(64).stderr.contains("block audit_findings"));
    let scenario: Result<Scenario, _> = serde_json::from_str(r#"{"fault": []}"#);
    assert!(scenario.is_err());
}

#[test]
fn a_scenario_in_json_reads_as_its_builder_writes() {
    let json = r#"{"faults": [{"id": "F1", "file": "a", "find": "b", "replace": "c"}],
        "acts": [{"role": "fixer", "turn": 1, "act": "liar"},
                 {"step": "s", "cycle": 1, "act": {"all": [{"slow": 1000}, "fenced"]}}]}"#;
    let built = Scenario::new()
        .fault(Fault::new("F1", "a", "b", "c"))
        .cue(Cue::to(Act::Liar).role(Role::Fixer).turn(1))
        .cue(Cue::to(Act::All(vec![Act::Slow(1000), Act::Fenced])).step("s").cycle(1));
    assert_eq!(serde_json::from_str::<Scenario>(json).expect("it is a scenario"), built);
}

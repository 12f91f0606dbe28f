//! What an audited repository may say before and after it is trusted.

use std::fs;

use tribunal_test_support::Outcome;

use crate::stage::{ONE_CYCLE, Stage, holds, lacks, swallowed};

/// A repository whose own settings name the agent.
fn with_settings() -> Stage {
    let stage = Stage::new([swallowed()]);
    let command = stage.own_agent_command();
    let settings = format!("agent: own\nagents:\n  own:\n    command: \"{command}\"\n");
    stage.repo.write("tribunal.yaml", settings);
    stage.repo.commit_all("settings");
    stage
}

fn audit(stage: &Stage) -> Outcome {
    stage.tribunal(&["audit", "."]).args(&ONE_CYCLE).run()
}

#[track_caller]
fn is_untrusted(stage: &Stage, outcome: &Outcome, key: &str) {
    outcome.expect_code(2);
    assert_eq!(outcome.stdout, "");
    holds(&outcome.stderr, key);
    holds(&outcome.stderr, "not trusted");
    holds(&outcome.stderr, "tribunal trust");
    assert!(stage.calls().is_empty(), "{:?}", stage.calls());
}

#[track_caller]
fn trust(stage: &Stage) {
    stage.tribunal(&["trust"]).run().expect_code(0);
}

#[test]
fn settings_that_name_programs_count_once_the_repository_is_trusted_as_it_is() {
    let stage = with_settings();
    is_untrusted(&stage, &audit(&stage), "`agents`");
    trust(&stage);
    audit(&stage).expect_code(0);
    assert_eq!(stage.fates(), [("F1".to_owned(), "fixed".to_owned())]);

    fs::remove_file(stage.sandbox.log()).expect("agents were asked");
    stage.repo.append("tribunal.yaml", "# another word\n");
    is_untrusted(&stage, &audit(&stage), "`agents`");
    trust(&stage);
    audit(&stage).expect_code(0);
}

#[test]
fn trust_can_be_taken_back() {
    let stage = with_settings();
    trust(&stage);
    stage.tribunal(&["trust", "--revoke"]).run().expect_code(0);
    is_untrusted(&stage, &audit(&stage), "`agents`");
}

#[test]
fn each_key_that_names_programs_or_takes_findings_out_needs_trust_and_the_others_do_not() {
    for (settings, key) in [
        ("agent: inspector\n", "`agent`"),
        ("roles:\n  fixer: inspector\n", "`roles`"),
        ("agents:\n  own:\n    command: rm -rf .\n", "`agents`"),
        ("inspector:\n  linters: [ruff]\n", "`inspector.linters`"),
        ("inspector:\n  linters: []\n", "`inspector.linters`"),
        ("inspector:\n  only: [security]\n", "`inspector.only`"),
        ("inspector:\n  skip: [security]\n", "`inspector.skip`"),
    ] {
        let stage = Stage::new([swallowed()]);
        stage.repo.write("tribunal.yaml", settings);
        is_untrusted(&stage, &stage.audit(&ONE_CYCLE).run(), key);
    }
    let stage = Stage::new([swallowed()]);
    stage.repo.write("tribunal.yaml", "fix_attempts: 1\ncycle_timeout: 60\ninspector: {}\n");
    stage.audit(&ONE_CYCLE).run().expect_code(0);
}

#[test]
fn a_setting_that_does_not_exist_is_an_error_that_names_it() {
    let stage = Stage::new([swallowed()]);
    stage.repo.write("tribunal.yaml", "fix_atempts: 1\n");
    let outcome = stage.audit(&ONE_CYCLE).run();
    outcome.expect_code(2);
    holds(&outcome.stderr, "fix_atempts");
}

/// The built-in recipe under its own name, with another description.
fn with_recipe() -> Stage {
    let stage = Stage::new([swallowed()]);
    let shown = stage.tribunal(&["recipe", "show", "quality-audit-cycle"]).run();
    shown.expect_code(0);
    let own = shown.stdout.replace("version: \"4.0.0\"", "version: \"9.9.9\"");
    stage.repo.write(".tribunal/recipes/quality-audit-cycle.yaml", own);
    stage.repo.commit_all("an own recipe");
    stage
}

#[test]
fn an_own_recipe_shadows_the_built_in_one_once_trusted_and_the_output_says_so() {
    let stage = with_recipe();
    let by_name = ["recipe", "run", "quality-audit-cycle"];
    for command in [&["audit", "."][..], &by_name] {
        let outcome = stage.with_agent(command, &ONE_CYCLE).run();
        is_untrusted(&stage, &outcome, ".tribunal/recipes/quality-audit-cycle.yaml");
    }
    let listed = stage.tribunal(&["recipe", "list"]).run();
    holds(&listed.stdout, "not trusted");

    trust(&stage);
    let outcome = stage.audit(&ONE_CYCLE).run();
    outcome.expect_code(0);
    holds(&outcome.stderr, "this repository's own recipe stands in for the built-in one");
    holds(&outcome.stdout, "quality-audit-cycle 9.9.9");
    holds(&outcome.stdout, ".tribunal/recipes/quality-audit-cycle.yaml)");
    lacks(&outcome.stdout, "(built in)");

    stage.repo.append(".tribunal/recipes/quality-audit-cycle.yaml", "# another word\n");
    fs::remove_file(stage.sandbox.log()).expect("agents were asked");
    is_untrusted(&stage, &stage.audit(&ONE_CYCLE).run(), ".tribunal/recipes");
}

#[test]
fn a_repository_without_own_settings_needs_no_trust() {
    let stage = Stage::new([swallowed()]);
    let outcome = stage.audit(&ONE_CYCLE).run();
    outcome.expect_code(0);
    holds(&outcome.stdout, "(built in)");
    lacks(&outcome.stderr, "trust");
}

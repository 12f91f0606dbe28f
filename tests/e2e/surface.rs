//! What people and scripts meet at the command line: usage, refusals, outputs, agents.

use std::fs;

use tribunal_test_support::{Act, Cue, Outcome, Program, Scenario, binary};

use crate::stage::{ONE_CYCLE, Stage, holds, json, lacks, swallowed};

/// A command line that is refused before anything is started.
#[track_caller]
fn check_refused(stage: &Stage, outcome: &Outcome, code: i32, said: &[&str]) {
    outcome.expect_code(code);
    assert_eq!(outcome.stdout, "", "nothing that could be taken for a result");
    said.iter().for_each(|part| holds(&outcome.stderr, part));
    assert!(stage.calls().is_empty(), "{:?}", stage.calls());
    assert!(stage.run_folders().is_empty(), "{:?}", stage.run_folders());
    assert!(stage.changed().is_empty(), "{:?}", stage.changed());
}

#[test]
fn words_are_read_without_regard_to_case_and_all_means_every_category() {
    let stage = Stage::new([swallowed()]);
    let outcome = stage
        .audit(&ONE_CYCLE)
        .args(&[
            "-c",
            "severity_threshold=MEDIUM",
            "-c",
            "categories=all",
            "-c",
            "fix_all_per_cycle=True",
        ])
        .run();
    outcome.expect_code(0);
    assert_eq!(stage.fates(), [("F1".to_owned(), "fixed".to_owned())]);
}

#[test]
fn an_agent_that_is_not_there_is_an_error_before_the_cycle() {
    let stage = Stage::new([swallowed()]);
    let outcome = stage.tribunal(&["audit", ".", "--agent-command", "no-such-agent --print"]).run();
    check_refused(&stage, &outcome, 3, &["no-such-agent", "remedy:"]);
    let outcome = stage.tribunal(&["audit", ".", "--agent", "nobody"]).run();
    check_refused(&stage, &outcome, 2, &["nobody", "inspector"]);
    let outcome = stage.tribunal(&["audit", ".", "--agent-command", "a 'b"]).run();
    check_refused(&stage, &outcome, 2, &["quote"]);
}

#[test]
fn a_path_is_relative_to_the_current_folder_and_told_relative_to_the_root() {
    let stage = Stage::new([swallowed()]);
    let outcome = stage.audit_of("cart.py", &ONE_CYCLE).dir(stage.repo.path("src")).run();
    outcome.expect_code(0);
    assert_eq!(stage.findings()["target"], "src/cart.py");
    holds(&stage.prompt("1/seek/1"), "`src/cart.py`");
}

#[test]
fn recipes_can_be_listed_shown_validated_and_no_longer_executed() {
    let stage = Stage::new([]);
    let listed = stage.tribunal(&["recipe", "list"]).run();
    listed.expect_code(0);
    holds(&listed.stdout, "quality-audit-cycle  (built in)  4.0.0");
    let shown = stage.tribunal(&["recipe", "show", "quality-audit-cycle"]).run();
    shown.expect_code(0);
    let steps = [
        "seek",
        "validate-agent-1",
        "validate-agent-2",
        "validate-agent-3",
        "merge-validations",
        "fix",
        "verify-fixes",
        "accumulate-history",
        "recurse-decision",
        "run-recursive-cycle",
        "summary",
        "self-improvement",
    ];
    let places: Vec<usize> = steps
        .iter()
        .map(|id| shown.stdout.find(&format!("- id: {id}\n")).unwrap_or_else(|| panic!("{id}")))
        .collect();
    assert!(places.is_sorted(), "the seed's steps in the seed's order: {places:?}");
    let validated = stage.tribunal(&["recipe", "validate", "quality-audit-cycle"]).run();
    validated.expect_code(0);
    holds(&validated.stdout, "quality-audit-cycle 4.0.0");
    let executed = stage.tribunal(&["recipe", "execute", "quality-audit-cycle", "-c", "x=y"]).run();
    check_refused(&stage, &executed, 2, &["deprecated: use 'tribunal recipe run'"]);
    let unknown = stage.tribunal(&["recipe", "run", "nothing"]).run();
    check_refused(&stage, &unknown, 2, &["nothing", "tribunal recipe list"]);
}

#[test]
fn an_audit_is_the_recipe_run_by_its_name() {
    let stage = Stage::new([swallowed()]);
    let outcome =
        stage.with_agent(&["recipe", "run", "quality-audit-cycle", "--verbose"], &ONE_CYCLE).run();
    outcome.expect_code(0);
    holds(&outcome.stdout, "VERIFY: PASS");
    assert_eq!(stage.fates(), [("F1".to_owned(), "fixed".to_owned())]);
}

#[test]
fn standard_output_is_the_result_alone_and_json_is_json() {
    let stage = Stage::new([swallowed()]);
    let outcome = stage.audit(&ONE_CYCLE).arg("--json").env("CLICOLOR_FORCE", "1").run();
    outcome.expect_code(0);
    let report = json(&outcome.stdout);
    assert_eq!(report, stage.findings(), "the same as the file");
    lacks(&outcome.stdout, "\u{1b}");
    holds(&outcome.stderr, "[cycle 1] seek: asking command");
    lacks(&outcome.stderr, "\u{1b}");
}

/// CL-08: on a terminal, too, JSON has no escape codes, and nothing has them where that is asked for.
#[test]
fn on_a_terminal_json_and_no_color_have_no_escape_codes() {
    for (arguments, variables) in
        [("--json", &[][..]), ("--json", &[("CLICOLOR_FORCE", "1")]), ("", &[("NO_COLOR", "1")])]
    {
        let stage = Stage::new([swallowed()]);
        let kept = stage.sandbox.root().join("stdout");
        // Standard error is the terminal; standard output is one as well, and is copied from it.
        let command = format!(
            "'{}' audit . {} {arguments} --agent-command \"$AGENT\" 2> /dev/null",
            binary("tribunal").display(),
            ONE_CYCLE.join(" ")
        );
        let typescript = stage.sandbox.program("script").args(&["-qec", &command]).arg(&kept);
        let typescript = typescript.env("AGENT", stage.own_agent_command()).env("TERM", "xterm");
        let typescript = typescript.env("SHELL", "/bin/sh").dir(stage.repo.root());
        if stage.sandbox.program("sh").args(&["-c", "command -v script"]).run().code() != Some(0) {
            eprintln!("skipped: there is no `script` to make a terminal with");
            return;
        }
        let set = |program: Program, (name, value): &(&str, &str)| program.env(name, value);
        variables.iter().fold(typescript, set).run().expect_code(0);
        let shown = fs::read_to_string(&kept).expect("what the terminal showed");
        holds(&shown, if arguments.is_empty() { "VERIFY: PASS" } else { "\"findings\"" });
        lacks(&shown, "\u{1b}");
    }
}

/// CL-08
#[test]
fn no_output_has_escape_codes_where_nobody_looks() {
    for variables in [&[][..], &[("NO_COLOR", "1")], &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]]
    {
        let stage = Stage::new([swallowed()]);
        let set = |program: Program| {
            variables.iter().fold(program, |program, (name, value)| program.env(name, value))
        };
        let audited = set(stage.audit(&ONE_CYCLE)).run();
        let refused = set(stage.audit(&["-c", "max_cycle=1"])).run();
        let broken = stage.sandbox.root().join("broken.yaml");
        fs::write(&broken, "name: x\nsteps:\n  - id: s\n    comand: echo\n").expect("the sandbox");
        let invalid =
            set(stage.tribunal(&["recipe", "validate", broken.to_str().expect("UTF-8")])).run();
        for outcome in [&audited, &refused, &invalid] {
            lacks(&outcome.stdout, "\u{1b}");
            lacks(&outcome.stderr, "\u{1b}");
        }
    }
}

#[test]
fn help_and_version_answer_on_standard_output() {
    let stage = Stage::new([]);
    for (arguments, said) in [
        (&["--version"][..], "tribunal "),
        (&["--help"], "audit"),
        (&["audit", "--help"], "--no-fix"),
    ] {
        let outcome = stage.tribunal(arguments).run();
        outcome.expect_code(0);
        holds(&outcome.stdout, said);
    }
    stage.tribunal(&["audt"]).run().expect_code(2);
}

#[test]
fn an_agent_command_is_words_and_never_a_shell() {
    let stage = Stage::new([swallowed()]);
    let command =
        format!("{} ; touch pwned $(touch pwned)", stage.sandbox.agent_command(&Scenario::new()));
    let outcome =
        stage.tribunal(&["audit", "."]).args(&["--agent-command", &command]).args(&ONE_CYCLE).run();
    outcome.expect_code(0);
    assert!(!stage.repo.path("pwned").exists());
}

#[test]
fn agents_of_the_settings_can_be_given_to_roles_validators_and_steps() {
    let stage = Stage::new([swallowed()]);
    let log = stage.sandbox.log();
    let good = stage.own_agent_command();
    let mute = stage.sandbox.agent_command(
        &Scenario::new().log(&log).cue(Cue::to(Act::Silent).step("validate-agent-2")),
    );
    let folder = stage.sandbox.config().join("tribunal");
    fs::create_dir_all(&folder).expect("the sandbox");
    let settings = format!(
        "agent: good\nagents:\n  good:\n    command: \"{good}\"\n  mute:\n    command: \"{mute}\"\n"
    );
    fs::write(folder.join("config.yaml"), settings).expect("the sandbox");
    let outcome =
        stage.tribunal(&["audit", ".", "--agent", "validator-2=mute"]).args(&ONE_CYCLE).run();
    outcome.expect_code(0);
    let report = stage.findings();
    let answers: Vec<_> = (0..3).map(|n| &report["cycles"][0]["validators"][n]["answer"]).collect();
    assert_eq!(answers, ["ballot", "empty", "ballot"]);
    assert_eq!(report["findings"][0]["fate"]["kind"], "fixed");
}

#[test]
fn a_child_learns_what_it_is_and_nothing_else() {
    let stage = Stage::new([]);
    let seen = stage.sandbox.root().join("seen");
    let script = stage.sandbox.root().join("curious.sh");
    let text = format!("env > '{}'; printf '{{\"findings\":[]}}'", seen.display());
    fs::write(&script, text).expect("the sandbox");
    let outcome = stage
        .tribunal(&["audit", ".", "--agent-command", &format!("bash '{}'", script.display())])
        .args(&ONE_CYCLE)
        .env("SECRET_TOKEN", "s3cr3t")
        .env("OUTER_SESSION", "1")
        .run();
    outcome.expect_code(0);
    let environment = fs::read_to_string(&seen).expect("it was asked");
    let names: Vec<&str> =
        environment.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name).collect();
    for expected in [
        "TRIBUNAL_ROLE",
        "TRIBUNAL_STEP",
        "TRIBUNAL_CYCLE",
        "TRIBUNAL_RUN",
        "TRIBUNAL_CALL",
        "TMPDIR",
        "PATH",
        "HOME",
    ] {
        assert!(names.contains(&expected), "{expected} in {names:?}");
    }
    holds(&environment, "NO_COLOR=1");
    for unwanted in ["SECRET_TOKEN", "OUTER_SESSION", "XDG_STATE_HOME", "GIT_AUTHOR_NAME"] {
        assert!(!names.contains(&unwanted), "{unwanted} in {names:?}");
    }
    let tmp = environment.lines().find_map(|line| line.strip_prefix("TMPDIR=")).expect("a folder");
    assert!(
        !std::path::Path::new(tmp).exists(),
        "the run's folder for temporary files goes with it"
    );
}

#[test]
fn the_state_folder_is_private_and_can_be_put_elsewhere() {
    use crate::stage::mode;
    let stage = Stage::new([]);
    let outcome = stage.audit(&ONE_CYCLE).args(&["--state-dir", "../elsewhere"]).run();
    outcome.expect_code(0);
    assert!(stage.run_folders().is_empty());
    let folder = stage.sandbox.root().join("elsewhere");
    assert_eq!(mode(&folder), 0o700);
    let runs = fs::read_dir(folder.join("runs")).expect("runs are there");
    for run in runs {
        let run = run.expect("a run").path();
        assert_eq!((mode(&run), mode(&run.join("journal.jsonl"))), (0o700, 0o600));
    }
}

/// What the settings say of an agent that cannot be asked like that.
#[test]
fn an_agent_that_no_row_explains_is_refused_with_the_known_ones() {
    let stage = Stage::new([swallowed()]);
    let settings = stage.sandbox.config().join("tribunal/config.yaml");
    fs::create_dir_all(settings.parent().expect("a folder")).expect("created");
    for (text, said) in [
        (
            "{ agent: oracle }",
            "agents.big.agent: `oracle` is no known program (codex, pi, claude, gemini, qwen, \
             opencode, copilot); leave it out and name any program as `command`",
        ),
        ("{ deadline: 3 }", "agents.big: neither `agent` nor `command` names a program"),
        (
            "{ command: my-agent, model: m1 }",
            "agents.big.model: how `command` is told a model is unknown; put it among its \
             arguments, or say with `agent` which program it is",
        ),
    ] {
        fs::write(&settings, format!("agents:\n  big: {text}\n")).expect("written");
        let outcome =
            stage.sandbox.tribunal(&["audit", ".", "--agent", "big"]).dir(stage.repo.root());
        check_refused(&stage, &outcome.run(), 2, &[said]);
    }
    fs::remove_file(&settings).expect("removed");
    let outcome =
        stage.sandbox.tribunal(&["audit", ".", "--agent", "oracle"]).dir(stage.repo.root());
    let known = "no agent is called `oracle` (known: inspector, codex, pi, claude, gemini,";
    check_refused(&stage, &outcome.run(), 2, &[known]);
}

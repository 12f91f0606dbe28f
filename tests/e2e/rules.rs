//! The inspector's rules: chosen by flags and settings, added by users, looked at and tested alone.

use std::fs;
use std::time::Duration;

use tribunal_test_support::{Act, Cue, Outcome, Role, Signal, wait_until};

use crate::stage::{ONE_CYCLE, Stage, holds, json, lacks};

const NO_PRINT: &str = "id: no-print\nlanguage: Python\nmessage: A print stays\nnote: Log it.\n\
    metadata:\n  category: structural\n  severity: medium\n  depth: 1\n  \
    unfixable: the logger is not known\nrule: { pattern: print($$$) }\n";

const EXAMPLES: &str = "id: no-print\ninvalid: [print(1), print(), 'print(a, b)']\n\
    valid: [log(1), printed(1), print]\n";

/// A file that two built-in rules and one of a user find fault with.
const TILL: &str = "def total(items):\n    if items == None:\n        print(0)\n    try:\n        \
    items.add()\n    except:\n        return 1\n";

const ALL: [&str; 3] = ["py-none-comparison", "no-print", "py-bare-except"];

/// A repository with such a file, and with a rule of its own.
fn stage() -> Stage {
    let stage = Stage::new([]);
    stage.repo.write("src/till.py", TILL).write(".tribunal/rules/python/no-print.yml", NO_PRINT);
    stage.repo.commit_all("faults and a rule");
    stage
}

fn trusted() -> Stage {
    let stage = stage();
    stage.tribunal(&["trust"]).run().expect_code(0);
    stage
}

fn user_writes(stage: &Stage, file: &str, text: &str) {
    let path = stage.sandbox.config().join("tribunal").join(file);
    fs::create_dir_all(path.parent().expect("it has one")).expect("the sandbox can be written");
    fs::write(path, text).expect("the sandbox can be written");
}

fn look(stage: &Stage, flags: &[&str]) -> Outcome {
    stage.tribunal(&["audit", "--no-fix", "--json"]).args(&ONE_CYCLE).args(flags).run()
}

/// Which of [`ALL`] an audit of `src/till.py` reports.
#[track_caller]
fn check_found(stage: &Stage, flags: &[&str], expected: &[&str]) -> Outcome {
    let outcome = look(stage, flags);
    outcome.expect_code(0);
    let report = json(&outcome.stdout);
    let findings = report["findings"].as_array().expect("a list");
    let here: Vec<String> = findings
        .iter()
        .filter(|finding| finding["place"]["file"] == "src/till.py")
        .map(ToString::to_string)
        .collect();
    let is_found = |rule: &&&str| here.iter().any(|one| one.contains(&format!("[{rule}]")));
    let found: Vec<&str> = ALL.iter().filter(is_found).copied().collect();
    assert_eq!(found, expected, "{flags:?}: {here:#?}");
    outcome
}

#[track_caller]
fn check_refused(stage: &Stage, outcome: &Outcome, said: &[&str]) {
    outcome.expect_code(2);
    assert_eq!(outcome.stdout, "");
    said.iter().for_each(|part| holds(&outcome.stderr, part));
    assert!(stage.run_folders().is_empty(), "{:?}", stage.run_folders());
}

#[test]
fn flags_choose_among_the_rules_and_win_over_settings() {
    let stage = trusted();
    check_found(&stage, &[], &ALL);
    let outcome =
        check_found(&stage, &["--only", "py-bare-except", "--only", "structural"], &ALL[1..]);
    holds(&json(&outcome.stdout)["warnings"][0].to_string(), "only py-bare-except, structural");
    check_found(&stage, &["--skip", "structural", "--skip", "py-bare-except"], &ALL[..1]);
    user_writes(&stage, "config.yaml", "inspector:\n  only: [structural]\n");
    check_found(&stage, &[], &["no-print"]);
    check_found(&stage, &["--only", "py-bare-except"], &["py-bare-except"]);
    stage.repo.write("tribunal.yaml", "inspector:\n  only: []\n  skip: [no-print]\n");
    stage.tribunal(&["trust"]).run().expect_code(0);
    check_found(&stage, &[], &["py-none-comparison", "py-bare-except"]);
}

#[test]
fn a_choice_that_cannot_hold_stops_the_run_before_it_begins() {
    let stage = trusted();
    for flag in ["--only", "--skip"] {
        let outcome = look(&stage, &[flag, "py-bare-exept"]);
        check_refused(&stage, &outcome, &["`py-bare-exept`", "remedy: check --only"]);
        let outcome = stage.audit(&[flag, "security"]).run();
        check_refused(&stage, &outcome, &[flag, "does not ask"]);
    }
    user_writes(&stage, "config.yaml", "inspector:\n  linters: [ruff, pylint]\n");
    let place = "config.yaml:2:19";
    check_refused(&stage, &look(&stage, &[]), &[place, "`pylint`", "did you mean `eslint`?"]);
    user_writes(&stage, "config.yaml", "");
    user_writes(&stage, "rules/broken.yml", "id: broken\n");
    check_refused(&stage, &look(&stage, &[]), &["rules/broken.yml"]);
}

#[test]
fn rules_of_a_repository_count_once_it_is_trusted_as_it_is() {
    let stage = stage();
    let check_unused = || {
        let outcome = check_found(&stage, &[], &["py-none-comparison", "py-bare-except"]);
        for part in [".tribunal/rules: not used", "not trusted", "tribunal trust"] {
            holds(&outcome.stderr, part);
        }
    };
    check_unused();
    stage.tribunal(&["trust"]).run().expect_code(0);
    let outcome = check_found(&stage, &[], &ALL);
    lacks(&outcome.stderr, "not used");
    stage.repo.append(".tribunal/rules/python/no-print.yml", "# another word\n");
    check_unused();
    let silent = stage.audit(&ONE_CYCLE).run();
    lacks(&silent.stderr, ".tribunal/rules");
}

#[test]
fn what_a_link_leads_to_is_never_trusted() {
    let stage = trusted();
    stage.repo.write("elsewhere.yml", NO_PRINT.replace("no-print", "no-print-either"));
    let link = stage.repo.path(".tribunal/rules/link.yml");
    std::os::unix::fs::symlink("../../elsewhere.yml", link).expect("the repository can be written");
    for command in [&["trust"][..], &["audit", "--no-fix"]] {
        let outcome = stage.tribunal(command).run();
        check_refused(&stage, &outcome, &[".tribunal/rules/link.yml", "by content", "remedy:"]);
    }
}

#[test]
fn rules_of_the_user_need_no_trust() {
    let stage = Stage::new([]);
    stage.repo.write("src/till.py", TILL).commit_all("faults");
    user_writes(&stage, "rules/no-print.yml", NO_PRINT);
    let outcome = check_found(&stage, &["--only", "no-print"], &["no-print"]);
    lacks(&outcome.stderr, "trust");
}

#[test]
fn a_run_goes_on_with_the_rules_it_began_with() {
    let stage = Stage::new([]).cue(Cue::to(Act::Hang).role(Role::Validator));
    stage.repo.write("src/till.py", TILL).write(".tribunal/rules/no-print.yml", NO_PRINT);
    stage.repo.commit_all("faults and a rule");
    stage.tribunal(&["trust"]).run().expect_code(0);
    // The first validator hangs; the others are the inspector, and two must agree.
    let agents = ["--agent", "inspector", "--agent", "validator-1=command"];
    let running = stage
        .with_agent(&["audit", "--no-fix", "--only", "no-print"], &agents)
        .args(&ONE_CYCLE)
        .spawn();
    let patience = Duration::from_secs(30);
    wait_until(|| stage.times_asked("validate-agent-1") > 0, patience, "the first validator");
    running.signal(Signal::TERM);
    running.wait().expect_code(143);

    stage.make_everybody_honest();
    fs::remove_dir_all(stage.repo.path(".tribunal")).expect("it is there");
    user_writes(&stage, "config.yaml", "inspector:\n  skip: [no-print]\n");
    stage.tribunal(&["runs", "resume", &stage.run_id()]).run().expect_code(0);
    let report = stage.findings();
    let votes = report["findings"][0].to_string();
    assert_eq!(report["findings"][0]["fate"]["kind"], "open", "{votes}");
    holds(&votes, "[no-print]");
    for left in ["values", "spool"] {
        assert!(!stage.run_folder().join(left).exists(), "{left}");
    }
}

/// Runs `tribunal rules …` in the repository.
#[track_caller]
fn check_rules(stage: &Stage, arguments: &[&str], code: i32, said: &[&str]) -> Outcome {
    let outcome = stage.tribunal(&["rules"]).args(arguments).run();
    outcome.expect_code(code);
    let all = format!("{}{}", outcome.stdout, outcome.stderr);
    said.iter().for_each(|part| holds(&all, part));
    assert!(stage.run_folders().is_empty(), "no run is made");
    outcome
}

#[test]
fn rules_are_listed_and_shown_with_those_that_an_audit_here_would_use() {
    let stage = stage();
    let listed = check_rules(&stage, &["list"], 0, &["py-bare-except", "tribunal trust"]);
    lacks(&listed.stdout, "no-print");
    check_rules(&stage, &["show", "no-print"], 2, &["no-print"]);
    stage.tribunal(&["trust"]).run().expect_code(0);
    for more in [&[][..], &["--dir", ".tribunal/rules"]] {
        let listed = check_rules(&stage, &[&["list"], more].concat(), 0, &ALL);
        assert_eq!(listed.stderr, "");
        check_rules(&stage, &[&["show", "no-print"], more].concat(), 0, &["A print stays"]);
    }
    let chosen = check_rules(&stage, &["list", "--only", "structural", "--json"], 0, &["no-print"]);
    let entries = json(&chosen.stdout);
    let entries = entries.as_array().expect("a list");
    assert!(entries.iter().all(|entry| entry["category"] == "structural"), "{entries:?}");
    let left = check_rules(&stage, &["list", "--skip", "no-print"], 0, &["py-bare-except"]);
    lacks(&left.stdout, "no-print");
}

#[test]
fn rules_are_tested_against_the_examples_beside_them() {
    let stage = stage();
    let folder = ".tribunal/rules";
    check_rules(&stage, &["test", "--dir", folder], 1, &["no-print", "has no examples"]);
    stage.repo.write(".tribunal/rules/python/no-print.examples.yml", EXAMPLES);
    check_rules(&stage, &["test", "--dir", folder], 0, &["rules tested: 1, failed: 0"]);
    let below = stage.tribunal(&["rules", "test", "--dir", "rules"]);
    let below = below.dir(stage.repo.path(".tribunal")).run();
    holds(&below.expect_code(0).stdout, "rules tested: 1, failed: 0");
    check_rules(&stage, &["test", "--dir", "nowhere"], 2, &["--dir nowhere"]);
    check_rules(&stage, &["test", "--only", "nothing"], 2, &["`nothing`"]);
    let built_in = check_rules(&stage, &["test", "--only", "py-bare-except"], 0, &["failed: 0"]);
    lacks(&built_in.stdout, "no-print");
}

#[test]
fn what_a_rule_says_commands_no_terminal() {
    let stage = stage();
    let loud = NO_PRINT.replace("A print stays", "\"A print\\e[2J stays\"");
    stage.repo.write("loud/no-print.yml", loud);
    let shown = check_rules(&stage, &["show", "no-print", "--dir", "loud"], 0, &["stays"]);
    lacks(&shown.stdout, "\u{1b}");
}

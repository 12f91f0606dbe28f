//! Proof that a fix is a fix: the check command before it, after it, and without it again.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};
use tribunal_test_support::{Fault, Outcome, Signal, wait_until};

use crate::stage::{ONE_CYCLE, Stage, holds, lacks, medium, swallowed};

const PATIENCE: Duration = Duration::from_secs(60);
/// Holds as long as the one usual fault does not stand in its file.
const NO_FAULT: &str = "! grep -q 'except: pass' src/cart.py";

fn checked(stage: &Stage, command: &str, options: &[&str]) -> Outcome {
    let audit = stage.audit(&ONE_CYCLE).args(&["--check-command", command]).args(options);
    // What toolchains need and the sandbox does not have.
    let toolchains = ["CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"];
    let known = toolchains.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
    known.fold(audit, |audit, (name, value)| audit.env(name, value)).run()
}

/// The record of each fix: finding, verdict, whether with others, what fails again.
fn proofs(stage: &Stage) -> Vec<Value> {
    let findings = stage.findings()["proof"]["cycles"][0]["findings"].clone();
    let one = |proof: &Value| {
        json!([
            proof["finding_id"],
            proof["verdict"]["kind"],
            proof["together"],
            proof["fails_when_reverted"],
        ])
    };
    findings.as_array().expect("a list").iter().map(one).collect()
}

/// A fault with lines of comment behind it, so that each is a hunk of its own.
fn apart(id: &str, file: &str, comment: &str, wrong: &str, right: &str) -> Fault {
    let rest = format!("\n{comment}").repeat(9);
    medium(id, file, &format!("{wrong}{rest}"), &format!("{right}{rest}"))
}

/// Three faults in one file that tests fail at, one of them in two places, and one that none looks at.
fn rust_project() -> Stage {
    let fault = |id, wrong, right| apart(id, "src/lib.rs", "//", wrong, right);
    let call = |size: &str, twice: &str| {
        format!("pub fn size{size}\n{}pub fn twice() -> i32 {{ {twice} }}", "//\n".repeat(9))
    };
    let stage = Stage::new([
        fault(
            "F1",
            "pub fn add(a: i32, b: i32) -> i32 { a - b }",
            "pub fn add(a: i32, b: i32) -> i32 { a + b }",
        ),
        fault(
            "F2",
            "pub fn most(a: i32) -> i32 { a.min(11) }",
            "pub fn most(a: i32) -> i32 { a.min(10) }",
        ),
        fault(
            "F3",
            &call("() -> i32 { 7 }", "size()"),
            &call("(n: i32) -> i32 { n }", "size(2) * 2"),
        ),
        medium("F4", "README.md", "teh shop", "the shop"),
    ]);
    stage.repo.write(
        "Cargo.toml",
        "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    );
    stage.repo.write(
        "tests/all.rs",
        "#[test] fn add() { assert_eq!(shop::add(2, 2), 4); }\n\
         #[test] fn most() { assert_eq!(shop::most(99), 10); }\n\
         #[test] fn twice() { assert_eq!(shop::twice(), 4); }\n\
         #[test] fn fine() { assert_eq!(shop::most(1), 1); }\n",
    );
    stage.repo.write(".gitignore", "target/\nCargo.lock\n");
    stage.repo.commit_all("a project");
    stage
}

#[test]
fn each_fix_of_a_rust_project_is_proven_by_the_test_that_fails_without_it() {
    let stage = rust_project();
    let outcome = checked(&stage, "cargo test --offline --no-fail-fast", &["--prove"]);
    outcome.expect_code(0);
    let proof = stage.findings()["proof"].clone();
    let cycle = &proof["cycles"][0];
    assert_eq!(
        cycle["before"]["failing"],
        json!(["all add", "all most", "all twice"]),
        "{proof:#}"
    );
    assert_eq!(cycle["after"], json!({"passed": true, "exit": 0, "failing": []}));
    assert_eq!(cycle["mended"], cycle["before"]["failing"]);
    assert_eq!(cycle["findings"][0]["hunks"], json!(["src/lib.rs:1"]));
    assert_eq!(
        proofs(&stage),
        [
            json!(["F1", "proven", false, ["all add"]]),
            json!(["F2", "proven", false, ["all most"]]),
            // Its own hunk alone does not build: what calls it goes with it. What other fixes of the
            // file are proven by says nothing of this one.
            json!(["F3", "proven", true, ["all twice"]]),
            json!(["F4", "unnoticed", false, []]),
        ],
        "{proof:#}"
    );
    holds(&outcome.stdout, "F1 proven: src/lib.rs:1 reverted, these fail again: all add");
    holds(&outcome.stdout, "F4 not proven: README.md reverted, and the check does not notice");
    let shown = stage.tribunal(&["runs", "show", &stage.run_id()]).run();
    assert_eq!(shown.stdout, outcome.stdout);
    assert!(!stage.repo.path("target").exists(), "it ran in a scratch copy");
}

#[test]
fn each_fix_of_a_python_project_is_proven_too() {
    let stage = Stage::new([
        apart("F1", "shop.py", "#", "def add(a, b): return a - b", "def add(a, b): return a + b"),
        apart(
            "F2",
            "shop.py",
            "#",
            "def most(a): return min(a, 11)",
            "def most(a): return min(a, 10)",
        ),
    ]);
    if stage.sandbox.program("sh").args(&["-c", "command -v python3"]).run().code() != Some(0) {
        eprintln!("skipped: there is no python3");
        return;
    }
    stage.repo.write(
        "test_shop.py",
        "import unittest, shop\n\n\nclass Shop(unittest.TestCase):\n    \
         def test_add(self):\n        self.assertEqual(shop.add(2, 2), 4)\n\n    \
         def test_most(self):\n        self.assertEqual(shop.most(99), 10)\n\n    \
         def test_fine(self):\n        self.assertEqual(shop.most(1), 1)\n",
    );
    stage.repo.commit_all("a project");
    let outcome = checked(&stage, "python3 -m unittest", &["--prove"]);
    outcome.expect_code(0);
    let proofs = proofs(&stage);
    let names = |proof: &Value| proof[3][0].as_str().unwrap_or_default().to_owned();
    assert_eq!(proofs.len(), 2, "{proofs:?}");
    for (proof, test) in proofs.iter().zip(["test_add", "test_most"]) {
        assert_eq!(proof[1], "proven", "{proofs:?}");
        assert_eq!(proof[2], false, "{proofs:?}");
        assert_eq!(proof[3].as_array().map(Vec::len), Some(1), "{proofs:?}");
        holds(&names(proof), test);
    }
}

#[test]
fn a_check_without_names_is_held_to_its_exit_status() {
    let stage = Stage::new([swallowed()]);
    let outcome = checked(&stage, NO_FAULT, &["--prove"]);
    outcome.expect_code(0);
    assert_eq!(proofs(&stage), [json!(["F1", "proven", false, ["(the check as a whole)"]])],);
    let plain = Stage::new([swallowed()]);
    let outcome = checked(&plain, NO_FAULT, &[]);
    outcome.expect_code(0);
    holds(&outcome.stdout, "before the fixes it fails (exit 1), after them it passes");
    assert!(proofs(&plain).is_empty());
}

#[test]
fn a_fix_that_breaks_what_passed_fails_the_run() {
    let stage = Stage::new([swallowed()]);
    let script = "if [ \"$TRIBUNAL_ROLE\" = fixer ]; then echo gone >README.md; fi";
    let command = stage.agent_after(script);
    let audit = stage.tribunal(&["audit", ".", "--agent-command", &command]).args(&ONE_CYCLE);
    let outcome = audit.args(&["--check-command", "grep -q shop README.md"]).run();
    outcome.expect_code(1);
    holds(&outcome.stdout, "VERIFY: PASS");
    holds(&outcome.stdout, "1 unit broken by the fixes: (the check as a whole)");
}

#[test]
fn a_check_that_cannot_be_run_proves_nothing_and_says_so() {
    let stage = Stage::new([swallowed()]);
    let outcome = checked(&stage, "no-such-program", &["--prove"]);
    outcome.expect_code(3);
    holds(&outcome.stdout, "the check command cannot be run: exit 127");
    lacks(&outcome.stdout, "proven");
}

#[test]
fn reverts_are_bounded() {
    let stage = Stage::new([
        swallowed(),
        medium("F2", "src/pay.py", "retry(inf)", "retry(3)"),
        medium("F3", "src/ship.py", "wait(inf)", "wait(3)"),
    ]);
    let command = format!("{NO_FAULT} && ! grep -rq inf src");
    checked(&stage, &command, &["--prove", "--prove-limit", "1"]).expect_code(0);
    let verdicts: Vec<Value> = proofs(&stage).iter().map(|proof| proof[1].clone()).collect();
    assert_eq!(verdicts, ["proven", "not_tried", "not_tried"]);
    let why = stage.findings()["proof"]["cycles"][0]["findings"][1]["verdict"]["why"].clone();
    assert_eq!(why, "the limit of 1 reverts is reached");
}

#[test]
fn an_untrusted_repository_names_no_check_command() {
    let stage = Stage::new([swallowed()]);
    stage.repo.write("tribunal.yaml", format!("check_command: \"{NO_FAULT}\"\n"));
    let refused = stage.one_cycle();
    refused.expect_code(2);
    holds(&refused.stderr, "`check_command` names programs, and this repository is not trusted");
    stage.tribunal(&["trust"]).run().expect_code(0);
    holds(&stage.one_cycle().stdout, "after them it passes");

    let asked = Stage::new([swallowed()]);
    let refused = asked.audit(&ONE_CYCLE).args(&["--prove"]).run();
    refused.expect_code(2);
    holds(&refused.stderr, "--prove: needs --check-command");
}

/// The check command is stopped at its second run; what ran before is not run again.
#[track_caller]
fn check_stopped(signal: Signal) {
    let stage = Stage::new([swallowed()]);
    let (log, hold) = (stage.sandbox.root().join("log"), stage.sandbox.root().join("hold"));
    fs::write(&hold, "").expect("written");
    let command = format!(
        "echo x >>'{log}'; if [ -e '{hold}' ] && [ $(wc -l <'{log}') = 2 ]; then sleep 600; fi; {NO_FAULT}",
        log = log.display(),
        hold = hold.display()
    );
    let n_runs = || fs::read_to_string(&log).map_or(0, |text| text.lines().count());
    let audit = stage.audit(&ONE_CYCLE).args(&["--prove", "--check-command", &command]);
    let running = audit.spawn();
    wait_until(|| n_runs() == 2, PATIENCE, "the second check");
    running.signal(signal);
    let outcome = running.wait();
    if signal == Signal::TERM {
        outcome.expect_code(143);
        holds(&outcome.stdout, &format!("tribunal runs resume {}", stage.run_id()));
    }
    fs::remove_file(&hold).expect("it was there");
    stage.tribunal(&["runs", "resume", &stage.run_id()]).run().expect_code(0);
    assert_eq!(proofs(&stage)[0][1], "proven");
    assert_eq!(n_runs(), 4, "before; after, twice; without");
    assert_eq!(stage.calls().len(), 7, "no agent is asked again: {:?}", stage.calls());
}

#[test]
fn a_run_that_is_stopped_while_it_is_proven_goes_on_with_what_is_due() {
    check_stopped(Signal::TERM);
    check_stopped(Signal::KILL);
}

#[test]
fn an_isolated_run_is_proven_in_its_scratch_copy_too() {
    let stage = Stage::new([swallowed()]);
    let outcome = checked(&stage, NO_FAULT, &["--prove", "--isolate"]);
    outcome.expect_code(0);
    holds(&outcome.stdout, "F1 proven: src/cart.py reverted");
    stage.tribunal(&["runs", "apply", &stage.run_id()]).run().expect_code(0);
    assert_eq!(stage.changed(), [" M src/cart.py"]);
}

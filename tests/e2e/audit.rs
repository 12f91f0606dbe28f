//! An honest audit, from the first question to the report.

use serde_json::{Value, json};
use tribunal_test_support::{Act, Cue, Fault, Outcome, Repo, Role, Sandbox};

use crate::stage::{Stage, endless, holds, lacks, mode, swallowed};

/// A fault that only a seeker of the second cycle sees, under an id that is taken.
fn late() -> Fault {
    Fault::new("F1", "src/late.py", "sleep(0)", "wait(lock)").from_cycle(2)
}

#[test]
fn three_honest_cycles_end_in_pass_and_the_diff_is_what_the_report_says() {
    let stage = Stage::new([swallowed(), endless(), late()]);
    let outcome = stage.audit(&[]).run();
    outcome.expect_code(0);
    holds(&outcome.stdout, "VERIFY: PASS");
    lacks(&outcome.stdout, "VERIFY: FAIL");
    assert_eq!(stage.changed(), [" M src/cart.py", " M src/late.py", " M src/pay.py"]);

    let fixed = |id: &str| (id.to_owned(), "fixed".to_owned());
    assert_eq!(stage.fates(), [fixed("F1"), fixed("F2"), fixed("c2-F1")]);
    let report = stage.findings();
    let mut files: Vec<&Value> = report["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|f| &f["place"]["file"])
        .collect();
    files.sort_by_key(ToString::to_string);
    assert_eq!(json!(files), json!(["src/cart.py", "src/late.py", "src/pay.py"]));
    let decisions: Vec<&Value> = report["cycles"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|c| &c["decision"]["next"])
        .collect();
    assert_eq!(json!(decisions), json!([2, 3, null]));

    let folder = stage.repo.path("eval_results/quality_audit");
    assert_eq!(mode(&folder), 0o700);
    for file in ["report.md", "findings.json"] {
        assert_eq!(mode(&folder.join(file)), 0o600, "{file}");
    }
    let page = stage.repo.read("eval_results/quality_audit/report.md");
    for part in ["c2-F1", "src/late.py:1", "VERIFY: PASS", "## Summary", "## Self-improvement"] {
        holds(&page, part);
    }
    let again = stage.audit(&["-c", "min_cycles=1"]).run();
    again.expect_code(0);
    holds(&again.stdout, "Nothing was found");
    assert_eq!(stage.changed(), [" M src/cart.py", " M src/late.py", " M src/pay.py"]);
}

#[test]
fn every_cycle_is_given_the_thirteen_variables_that_the_first_one_was() {
    let stage = Stage::new([swallowed()]);
    let outcome = stage
        .audit_of("src", &["-c", "task_description=mind the till", "-c", "severity_threshold=low"])
        .args(&["-c", "module_loc_limit=777", "-c", "categories=reliability,security"])
        .args(&["-c", "min_cycles=2", "-c", "max_cycles=4", "-c", "validation_threshold=3"])
        .args(&["-c", "fix_all_per_cycle=false", "-c", "output_dir=out"])
        .run();
    outcome.expect_code(0);
    for call in ["1/seek/1", "2/seek/1"] {
        holds(&stage.block(call, "task_description"), "mind the till");
        let prompt = stage.prompt(call);
        for part in [
            "audit only what is below `src`",
            "report nothing below severity low",
            "(blank means all): reliability,security",
            "more than 777 lines of code",
        ] {
            holds(&prompt, part);
        }
    }
    lacks(&stage.prompt("1/seek/1"), "This is cycle 2");
    holds(&stage.prompt("2/seek/1"), "This is cycle 2");
    holds(&stage.block("2/seek/1", "cycle_history"), "\"fate\"");
    assert!(stage.repo.path("out/report.md").is_file(), "output_dir holds in the last cycle too");
    let tally = stage.block("1/fix/1", "validated_findings");
    holds(&tally, "\"threshold\":3");
}

#[test]
fn a_validator_is_asked_with_the_same_findings_as_the_others_and_sees_no_vote() {
    let stage = Stage::new([swallowed(), endless()]);
    stage.one_cycle().expect_code(0);
    let [one, two, three] =
        [1, 2, 3].map(|n| stage.block(&format!("1/validate-agent-{n}/1"), "audit_findings"));
    assert_eq!(one, two);
    assert_eq!(two, three);
    for n in [1, 2, 3] {
        lacks(&stage.prompt(&format!("1/validate-agent-{n}/1")), "the faulty text stands");
    }
}

#[test]
fn the_summary_and_the_review_of_the_audit_come_once_and_stand_in_the_report() {
    let stage = Stage::new([swallowed()])
        .cue(Cue::to(Act::Say("It ended **well**.".to_owned())).step("summary"))
        .cue(Cue::to(Act::Say("Ask fewer.".to_owned())).step("self-improvement"));
    let outcome = stage.audit(&[]).run();
    outcome.expect_code(0);
    let report = stage.findings();
    assert_eq!(report["summary"], "It ended **well**.");
    assert_eq!(report["self_improvement"], "Ask fewer.");
    for step in ["summary", "self-improvement"] {
        assert_eq!(stage.times_asked(step), 1, "{step}");
    }
    holds(&stage.block("3/summary/1", "run_findings"), "src/cart.py");
}

/// Sources with a fault that the inspector mends, one at least in each language.
const LANGUAGES: [(&str, &str); 5] = [
    (
        "src/store.rs",
        "//! Files on disk.\n\n/// Writes a note and gives its length.\npub fn note(text: &str) -> usize {\n    \
         dbg!(text);\n    let _ = std::fs::write(\"note\", text);\n    text.len()\n}\n",
    ),
    (
        "app/till.py",
        "\"\"\"The till.\"\"\"\n\n\ndef total(items):\n    \"\"\"Adds up.\"\"\"\n    if items == None:\n        \
         return 0\n    return sum(items)\n",
    ),
    ("web/pay.js", "export function pay(send) {\n  debugger;\n  send();\n}\n"),
    ("web/cart.ts", "export function cart(send: () => void): void {\n  debugger;\n  send();\n}\n"),
    (
        "cmd/main.go",
        "package main\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nfunc main() {\n\tmu.Lock()\n\tdefer mu.Lock()\n}\n",
    ),
];

fn planted() -> (Sandbox, Repo) {
    let sandbox = Sandbox::new();
    let repo = sandbox.repo("mixed");
    for (file, text) in LANGUAGES {
        repo.write(file, text);
    }
    repo.commit_all("faults in four languages");
    (sandbox, repo)
}

#[track_caller]
fn inspect(sandbox: &Sandbox, repo: &Repo) -> Outcome {
    let outcome = sandbox.tribunal(&["audit", ".", "--json"]).dir(repo.root()).run();
    outcome.expect_code(0);
    outcome
}

#[test]
fn the_inspector_finds_faults_in_four_languages_and_a_second_run_changes_nothing() {
    let (sandbox, repo) = planted();
    let first: Value = serde_json::from_str(&inspect(&sandbox, &repo).stdout).expect("JSON");
    let findings = first["findings"].as_array().expect("a list");
    for (file, _) in LANGUAGES {
        assert!(findings.iter().any(|f| f["place"]["file"] == file), "{file}: {findings:#?}");
    }
    assert_eq!(first["totals"]["left_open"], 0, "{findings:#?}");
    for cycle in first["cycles"].as_array().expect("a list") {
        let lines = cycle["verification"].as_array().expect("a list");
        assert_eq!(lines.last().expect("an outcome"), "VERIFY: PASS");
    }

    let fixed = findings.iter().filter(|finding| finding["fate"]["kind"] == "fixed");
    let mut claimed: Vec<&str> = fixed.filter_map(|f| f["place"]["file"].as_str()).collect();
    claimed.sort_unstable();
    claimed.dedup();
    let diff = repo.git(&["diff", "--name-only"]);
    assert_eq!(diff.lines().collect::<Vec<_>>(), claimed, "the diff is what the report says");
    assert!(!claimed.is_empty(), "something is mended: {findings:#?}");

    let before = repo.git(&["diff"]);
    inspect(&sandbox, &repo);
    assert_eq!(repo.git(&["diff"]), before, "nothing is left to fix");
}

#[test]
fn the_inspector_is_the_default_and_a_line_says_so() {
    let sandbox = Sandbox::new();
    let repo = sandbox.repo("calm");
    repo.write("README.md", "# Calm\n");
    repo.commit_all("calm");
    let outcome = sandbox.tribunal(&["audit"]).dir(repo.root()).run();
    outcome.expect_code(0);
    holds(
        &outcome.stderr,
        "no agent is configured: the embedded inspector reviews, without a model",
    );
    holds(&outcome.stdout, "validators not needed");
}

#[test]
fn every_role_reads_its_prompt_on_stdin_and_its_call_in_the_environment() {
    let stage = Stage::new([swallowed()]);
    stage.one_cycle().expect_code(0);
    let expected = [
        ("1/seek/1", Role::Seeker),
        ("1/fix/1", Role::Fixer),
        ("1/summary/1", Role::Summarizer),
        ("1/validate-agent-2/1", Role::Validator),
    ];
    let stamps = stage.stamps();
    for (call, role) in expected {
        let stamp = stamps.iter().find(|stamp| stamp.call == call);
        assert_eq!(stamp.map(|stamp| (stamp.role, stamp.cycle)), Some((role, 1)), "{call}");
    }
}

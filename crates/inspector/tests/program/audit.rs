//! Seeker, validators and fixer, one after the other and alone.

use std::path::Path;

use serde_json::{Value, json};

use crate::{ballots, block, fix, inspector, plant, read, rules, seek, tally, verdicts};

const FAULTS: &[(&str, &str)] = &[
    (
        "core/lib.rs",
        "pub fn keep(p: &Path, x: f64) -> bool {\n    let _ = std::fs::write(p, \"x\");\n    dbg!(p);\n    x == f64::NAN\n}\n",
    ),
    (
        "job/run.py",
        "import requests\n\n\ndef run(a):\n    if a == None:\n        return requests.get('https://example.org')\n    try:\n        a.go()\n    except:\n        a.log()\n    try:\n        a.stop()\n    except Exception:\n        pass\n",
    ),
    (
        "web/app.ts",
        "export function load(a: number): boolean {\n  debugger;\n  try { go(a); } catch (e) {}\n  return a === NaN;\n}\n",
    ),
    (
        "svc/main.go",
        "package main\n\nfunc run(p string) {\n\tmu.Lock()\n\tdefer mu.Lock()\n\t_ = os.WriteFile(p, nil, 0o600)\n\tif err := g(); err != nil {\n\t}\n}\n",
    ),
    ("docs/guide.md", "# Guide\n\nCertainly! Here is the guide:\n\nSee [the plan](plan.md).\n"),
    (
        "core/fine.rs",
        "pub fn clean(p: &Path) {\n    // The file may be gone already, which is as good.\n    let _ = std::fs::rename(p, p);\n}\n\n#[cfg(test)]\nmod tests {\n    fn f() { dbg!(1); todo!() }\n}\n",
    ),
    (
        "tests/test_run.py",
        "def test_run():\n    try:\n        f()\n    except Exception:\n        pass\n",
    ),
    ("vendor/x/a.go", "package a\nfunc f() { if err != nil {} }\n"),
];

/// The rules that [`FAULTS`] is about; others may have their own word on such code.
const KNOWN: [&str; 15] = [
    "rust-discarded-io",
    "rust-dbg-statement",
    "rust-nan-comparison",
    "doc-chat-artefact",
    "doc-broken-link",
    "py-none-comparison",
    "py-request-without-timeout",
    "py-bare-except",
    "py-except-pass",
    "go-deferred-lock",
    "go-discarded-error",
    "go-empty-error-check",
    "js-debugger",
    "js-empty-catch",
    "js-nan-comparison",
];

fn seek_known(root: &Path, cycle: u32) -> Value {
    let only = KNOWN.map(|id| format!(" --only {id}")).concat();
    inspector(root, &format!("--role seeker --cycle {cycle}{only}"), "Look for faults.").json()
}

#[test]
fn faults_are_found_confirmed_mended_or_skipped_and_stay_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    plant(root, FAULTS);

    let sought = seek_known(root, 1);
    assert_eq!(
        rules(&sought),
        [
            "core/lib.rs rust-discarded-io",
            "core/lib.rs rust-dbg-statement",
            "core/lib.rs rust-nan-comparison",
            "docs/guide.md doc-chat-artefact",
            "docs/guide.md doc-broken-link",
            "job/run.py py-none-comparison",
            "job/run.py py-request-without-timeout",
            "job/run.py py-bare-except",
            "job/run.py py-except-pass",
            "svc/main.go go-deferred-lock",
            "svc/main.go go-discarded-error",
            "svc/main.go go-empty-error-check",
            "web/app.ts js-debugger",
            "web/app.ts js-empty-catch",
            "web/app.ts js-nan-comparison",
        ]
    );
    assert_eq!(sought["findings"][0]["id"], "F1");
    assert_eq!(sought["findings"][0]["line"], 2);
    assert_eq!(sought["findings"][0]["evidence"], "let _ = std::fs::write(p, \"x\");");

    let findings = &sought["findings"];
    let report = fix(root, findings, &tally(findings, &ballots(root, findings)));
    assert_eq!(report["total_fixed"], 7, "{report:#}");
    assert_eq!(report["total_skipped"], 8, "{report:#}");
    assert_eq!(
        read(root, "core/lib.rs"),
        "pub fn keep(p: &Path, x: f64) -> bool {\n    let _ = std::fs::write(p, \"x\");\n    x.is_nan()\n}\n"
    );
    assert!(read(root, "job/run.py").contains("if a is None:\n"));
    assert!(read(root, "job/run.py").contains("    except:\n        a.log()\n"));
    assert!(
        read(root, "web/app.ts")
            .ends_with("boolean {\n  try { go(a); } catch (e) {}\n  return Number.isNaN(a);\n}\n")
    );
    assert!(read(root, "svc/main.go").contains("\tdefer mu.Unlock()\n"));
    assert_eq!(read(root, "docs/guide.md"), "# Guide\n\nSee [the plan](plan.md).\n");

    let again = seek_known(root, 3);
    assert_eq!(again["findings"].as_array().map(Vec::len), Some(8), "{again:#}");
    let confirmed = tally(&again["findings"], &ballots(root, &again["findings"]));
    let second = fix(root, &again["findings"], &confirmed);
    assert_eq!(second["total_fixed"], 0, "{second:#}");
}

#[test]
fn the_same_tree_gives_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    plant(folder.path(), FAULTS);
    let run = || inspector(folder.path(), "--role seeker --cycle 3", "").stdout;
    assert_eq!(run(), run());
}

#[test]
fn reasons_for_skipping_are_technical() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    plant(root, FAULTS);
    let findings = seek(root, 3)["findings"].clone();
    let all = json!({"validated": findings.as_array().expect("a list").iter()
        .map(|finding| json!({"finding_id": finding["id"], "verdict": "confirmed"}))
        .collect::<Vec<_>>()});
    let report = fix(root, &findings, &all);
    for skipped in report["fixes_skipped"].as_array().expect("a list") {
        let reason = skipped["reason"].as_str().expect("a reason");
        assert!(reason.len() > 40, "{reason}");
    }
}

fn finding(id: &str, file: &str, line: u32, description: &str, evidence: &str) -> Value {
    json!({"id": id, "category": "reliability", "severity": "medium", "file": file, "line": line,
        "description": description, "evidence": evidence, "recommendation": "Mend it."})
}

#[test]
fn validators_look_with_different_eyes() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    plant(
        root,
        &[
            ("a.py", "if a == None:  # noqa: E711\n    f()\n\n\n\nif b == None:\n    f()\n"),
            ("b.py", "# Deliberate: the operator is overloaded.\nif a == None:\n    f()\n"),
            ("tests/test_c.py", "try:\n    f()\nexcept Exception:\n    pass\n"),
        ],
    );
    let none = "Compared [py-none-comparison]";
    let findings = json!([
        finding("marked", "a.py", 1, none, "if a == None:  # noqa: E711"),
        finding("moved", "a.py", 3, none, "if b == None:"),
        finding("meant", "b.py", 2, none, "if a == None:"),
        finding(
            "test",
            "tests/test_c.py",
            3,
            "Dropped [py-except-pass]",
            "except Exception:\npass"
        ),
        finding("gone", "a.py", 1, none, "if c == None:"),
        finding("outside", "../a.py", 1, none, "if a == None:"),
        finding("absent", "a.py", 1, "A model said so", "while c:"),
        finding("foreign", "a.py", 1, "A model said so", "if b == None:"),
    ]);
    let words: Vec<Vec<(String, String)>> = ballots(root, &findings).iter().map(verdicts).collect();
    let word = |eye: usize, id: &str| {
        words[eye].iter().find(|(voted, _)| voted == id).map(|(_, word)| word.as_str())
    };
    let rows = [
        ("marked", [Some("confirmed"), Some("confirmed"), Some("false_positive")]),
        ("moved", [Some("confirmed"); 3]),
        ("meant", [Some("confirmed"), Some("false_positive"), Some("false_positive")]),
        ("test", [Some("confirmed"), Some("false_positive"), Some("confirmed")]),
        ("gone", [Some("false_positive"); 3]),
        ("outside", [Some("false_positive"); 3]),
        ("absent", [Some("false_positive"); 3]),
        ("foreign", [None; 3]),
    ];
    for (id, expected) in rows {
        assert_eq!([word(0, id), word(1, id), word(2, id)], expected, "{id}");
    }
}

#[test]
fn the_fixer_touches_only_what_it_was_asked_for_and_can_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    let twice = "if a == None:\n    f()\nif a == None:\n    f()\n";
    plant(
        root,
        &[
            ("a.py", twice),
            ("broken.py", "if a == None:\n    f(\n"),
            ("b.py", "if a == None: f()\n"),
        ],
    );
    let none = "Compared [py-none-comparison]";
    let findings = json!([
        finding("second", "a.py", 3, none, "if a == None:"),
        finding("broken", "broken.py", 1, none, "if a == None:"),
        finding("rejected", "b.py", 1, none, "if a == None: f()"),
        finding("up", "../a.py", 1, none, "if a == None:"),
        finding("root", "/a.py", 1, none, "if a == None:"),
        finding("foreign", "b.py", 1, "Something else", "if a == None: f()"),
    ]);
    let word = |id: &str, verdict: &str| json!({"finding_id": id, "verdict": verdict});
    let tally = json!({"validated": [word("second", "confirmed"), word("broken", "confirmed"),
        word("rejected", "false_positive"), word("up", "confirmed"), word("root", "confirmed"),
        word("foreign", "confirmed")]});
    let report = fix(root, &findings, &tally);
    assert_eq!(
        report["fixes_applied"],
        json!([{"finding_id": "second", "file": "a.py",
        "change": "`a == None` became `a is None`", "test_verified": false}])
    );
    assert_eq!(report["total_skipped"], 4, "{report:#}");
    assert_eq!(read(root, "a.py"), "if a == None:\n    f()\nif a is None:\n    f()\n");
    assert_eq!(read(root, "b.py"), "if a == None: f()\n");
    assert_eq!(report["status"], "partial");
}

#[test]
fn carried_findings_are_fixed_and_a_second_turn_answers_for_what_is_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    plant(root, &[("a.py", "if a == None:\n    f()\n")]);
    let carried = finding("c1-F3", "a.py", 1, "Compared [py-none-comparison]", "if a == None:");
    let settled = finding("F1", "a.py", 2, "Something [other]", "f()");
    let audit = json!({"cycle": 2, "findings": [settled], "carried": [carried]});
    let judgement = json!({"findings": [{"finding_id": "F1", "verdict": "skipped"},
        {"finding_id": "c1-F3", "verdict": "unaccounted"}]});
    let prompt = [
        block("audit_findings", &audit),
        block(
            "validated_findings",
            &json!({"validated": [{"finding_id": "F1", "verdict": "confirmed"}]}),
        ),
        block("fix_verification", &judgement),
    ]
    .concat();
    let report = inspector(root, "--role fixer --cycle 2", &prompt).json();
    assert_eq!(report["fixes_applied"][0]["finding_id"], "c1-F3", "{report:#}");
    assert_eq!(report["total_skipped"], 0, "{report:#}");
}

#[test]
fn a_missing_block_or_target_is_a_fault_and_never_an_empty_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    for (words, prompt, status) in [
        ("--role validator", "no data", 1),
        ("--role fixer", "no data", 1),
        ("--role fixer", "<<D-7f3a audit_findings\n{\"findings\":[]}\nD-7f3a>>\n", 1),
        ("--role validator", "<<D-7f3a audit_findings\nnot JSON\nD-7f3a>>\n", 1),
        ("--role summarizer", "no data", 1),
        ("--role seeker --target none", "", 1),
        ("--role judge", "", 2),
    ] {
        let answer = inspector(folder.path(), words, prompt);
        assert_eq!((answer.status, answer.stdout.as_str()), (status, ""), "{words} {prompt}");
        assert!(answer.stderr.starts_with("inspector: "), "{}", answer.stderr);
    }
}

#[test]
fn secrets_are_masked_in_what_the_seeker_says() {
    let folder = tempfile::tempdir().expect("a folder");
    plant(folder.path(), &[("a.py", "API_KEY = \"kX9vQ2mPz7LrT4wB\"\n")]);
    let answer = inspector(folder.path(), "--role seeker", "");
    assert!(!answer.stdout.contains("kX9vQ2mPz7LrT4wB"), "{}", answer.stdout);
    let findings = answer.json()["findings"].clone();
    assert_eq!(findings[0]["evidence"], "API_KEY = \"kX9v…\"");
    let words: Vec<_> = ballots(folder.path(), &findings).iter().flat_map(verdicts).collect();
    assert!(words.iter().all(|(_, word)| word == "confirmed"), "{words:?}");
}

#[test]
fn later_cycles_look_deeper() {
    let folder = tempfile::tempdir().expect("a folder");
    plant(folder.path(), &[("a.py", "def f(a, b=[]):\n    b.append(a)\n")]);
    assert_eq!(rules(&seek(folder.path(), 1)), Vec::<String>::new());
    assert_eq!(rules(&seek(folder.path(), 2)), ["a.py py-mutable-default"]);
}

#[test]
fn a_long_module_is_reported_once_and_its_tests_do_not_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let code = "fn f() {}\n\n".repeat(301);
    let tests = format!("fn f() {{}}\n\n#[cfg(test)]\nmod tests {{\n{code}}}\n");
    plant(folder.path(), &[("long.rs", &code), ("tested.rs", &tests), ("notes.txt", &code)]);
    let answer = seek(folder.path(), 1);
    assert_eq!(rules(&answer), ["long.rs module-loc-limit"]);
    assert!(answer["findings"][0]["line"].is_null(), "{answer:#}");
    let wider = inspector(folder.path(), "--role seeker --module-loc-limit 400", "").json();
    assert_eq!(rules(&wider), Vec::<String>::new());
}

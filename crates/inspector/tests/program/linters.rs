//! External linters through all roles, with the real programs where they are installed.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use fs_err as fs;
use serde_json::{Value, json};

use crate::{Answer, MARKER, asked, block, plant, read, rules, run_in, verdicts};

/// A tree, the linter that is allowed, and the environment of a run around it.
struct Bench {
    tree: tempfile::TempDir,
    tmp: tempfile::TempDir,
    linter: &'static str,
    path: OsString,
}

impl Bench {
    fn new(linter: &'static str, files: &[(&str, &str)]) -> Self {
        let tree = tempfile::tempdir().expect("a folder");
        plant(tree.path(), files);
        let tmp = tempfile::tempdir().expect("a folder");
        Self { tree, tmp, linter, path: std::env::var_os("PATH").unwrap_or_default() }
    }

    /// The same where the test's own scripts are all that is installed.
    fn with_scripts(
        linter: &'static str,
        files: &[(&str, &str)],
        scripts: &[(&str, &str)],
    ) -> Self {
        let mut bench = Self::new(linter, files);
        let folder = bench.tmp.path().join("bin");
        fs::create_dir(&folder).expect("created");
        for (name, script) in scripts {
            let place = folder.join(name);
            fs::write(&place, format!("#!/bin/bash\n{script}\n")).expect("written");
            let mode = PermissionsExt::from_mode(0o755);
            fs::set_permissions(&place, mode).expect("executable");
        }
        bench.path = folder.into();
        bench
    }

    fn root(&self) -> &Path {
        self.tree.path()
    }

    fn call(&self, words: &str, prompt: &str) -> Answer {
        let mut environment: Vec<(OsString, OsString)> = ["HOME", "CARGO_HOME", "RUSTUP_HOME"]
            .into_iter()
            .filter_map(|name| Some((name.into(), std::env::var_os(name)?)))
            .collect();
        environment.push(("PATH".into(), self.path.clone()));
        environment.push(("TMPDIR".into(), self.tmp.path().into()));
        environment.push(("TRIBUNAL_RUN".into(), "r1".into()));
        let fixed = ["--marker", MARKER, "--linter", self.linter, "--root"].map(OsString::from);
        let args = fixed
            .into_iter()
            .chain([self.root().as_os_str().to_owned()])
            .chain(words.split_whitespace().map(OsString::from));
        run_in(environment, args, prompt)
    }

    fn seek(&self) -> Value {
        self.call("--role seeker", "").json()
    }

    /// The words of all three eyes on each finding.
    fn words(&self, findings: &Value) -> Vec<Vec<(String, String)>> {
        let eye = |n| self.call(&format!("--role validator --validator {n}"), &asked(findings));
        (1..=3).map(|n| verdicts(&eye(n).json())).collect()
    }

    /// Confirms all and has it fixed.
    fn fix(&self, findings: &Value) -> Value {
        let ids = findings.as_array().expect("a list").iter().map(|finding| &finding["id"]);
        let words = ids.map(|id| json!({"finding_id": id, "verdict": "confirmed"}));
        let tally = json!({"validated": words.collect::<Vec<_>>()});
        let prompt = format!("{}{}", asked(findings), block("validated_findings", &tally));
        self.call("--role fixer", &prompt).json()
    }

    /// Seeks, has every eye confirm, fixes, and holds the reasons of the rest to be there.
    fn round(&self, expected: &[&str], fixed: usize) -> Value {
        let sought = self.seek();
        assert_eq!(rules(&sought), expected, "{sought:#}");
        let findings = &sought["findings"];
        for words in self.words(findings) {
            assert_eq!(words.len(), expected.len());
            assert!(words.iter().all(|(_, word)| word == "confirmed"), "{words:?}");
        }
        let report = self.fix(findings);
        assert_eq!(report["total_fixed"], fixed, "{report:#}");
        assert_eq!(report["total_skipped"], expected.len() - fixed, "{report:#}");
        assert_eq!(rules(&self.seek()).len(), expected.len() - fixed);
        report
    }
}

/// Whether a program is installed; says what is skipped where it is not.
fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    if !is_there {
        eprintln!("{program}: not installed, its test is skipped");
    }
    is_there
}

fn ids(root: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(root)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

const MANIFEST: &str = "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

#[test]
fn clippy_is_asked_by_package_and_writes_nothing_into_the_tree() {
    if !is_installed("cargo-clippy") {
        return;
    }
    let code = "use std::collections::HashMap;\n\n/// Doubles — é.\npub fn double(x: u32) -> u32 {\n    \
                return x * 2;\n}\n\npub fn first(items: &Vec<String>) -> usize {\n    \
                items.len()\n}\n";
    let bench = Bench::new("clippy", &[("app/Cargo.toml", MANIFEST), ("app/src/lib.rs", code)]);
    let report = bench.round(
        &[
            "app/src/lib.rs rustc::unused_imports",
            "app/src/lib.rs clippy::needless_return",
            "app/src/lib.rs clippy::ptr_arg",
        ],
        1,
    );
    for skipped in report["fixes_skipped"].as_array().expect("a list") {
        let reason = skipped["reason"].as_str().expect("a reason");
        assert!(reason.contains("not safe in every case"), "{reason}");
    }
    // Its tests may use the import.
    let mended = "use std::collections::HashMap;\n\n/// Doubles — é.\npub fn double(x: u32) -> u32 {\n    x * 2\n}\n\n\
                  pub fn first(items: &Vec<String>) -> usize {\n    items.len()\n}\n";
    assert_eq!(read(bench.root(), "app/src/lib.rs"), mended);
    assert_eq!(ids(&bench.root().join("app")), ["Cargo.toml", "src"]);
}

#[test]
fn ruff_mends_what_it_calls_safe_and_no_import_that_others_may_use() {
    if !is_installed("ruff") {
        return;
    }
    let code = "import os\n\n\ndef run(a):\n    print(f\"é\"); b = 1\n    return a\n";
    let settings = "[lint]\nselect = [\"F401\", \"F541\", \"F841\"]\n";
    let bench = Bench::new("ruff", &[("job.py", code), ("ruff.toml", settings)]);
    let report = bench.round(&["job.py ruff::F401", "job.py ruff::F541", "job.py ruff::F841"], 1);
    assert_eq!(
        report["fixes_applied"][0]["change"],
        "`f\"é\"` became `\"é\"` (Remove extraneous `f` prefix)"
    );
    let mended = "import os\n\n\ndef run(a):\n    print(\"é\"); b = 1\n    return a\n";
    assert_eq!(read(bench.root(), "job.py"), mended);
    assert_eq!(ids(bench.root()), ["job.py", "ruff.toml"]);
}

#[test]
fn eslint_is_asked_where_it_has_a_configuration() {
    if !is_installed("eslint") {
        return;
    }
    let settings =
        "export default [{ rules: { \"prefer-const\": \"error\", eqeqeq: \"error\" } }];\n";
    let code = "export function go(a) {\n  const s = \"😀\"; let x = a;\n  return x == s;\n}\n";
    let files =
        [("web/eslint.config.mjs", settings), ("web/app.mjs", code), ("tools/other.mjs", code)];
    let bench = Bench::new("eslint", &files);
    let report =
        bench.round(&["web/app.mjs eslint::prefer-const", "web/app.mjs eslint::eqeqeq"], 1);
    assert!(read(bench.root(), "web/app.mjs").contains("const s = \"😀\"; const x = a;\n"));
    assert_eq!(report["fixes_skipped"][0]["finding_id"], "F2", "{report:#}");
    let summary = bench.seek()["summary"].as_str().expect("a summary").to_owned();
    assert!(summary.contains("1 files are below no configuration"), "{summary}");
}

#[test]
fn shellcheck_mends_by_its_replacements_where_nothing_else_can_be_meant() {
    if !is_installed("shellcheck") {
        return;
    }
    let code = "#!/bin/bash\nx=$1\n\techo \"é\" $x `date`\ncd /tmp\n";
    let bench = Bench::new("shellcheck", &[("run", code)]);
    let report = bench.round(
        &[
            "run shellcheck::SC2006",
            "run shellcheck::SC2046",
            "run shellcheck::SC2086",
            "run shellcheck::SC2164",
        ],
        1,
    );
    let reasons = report["fixes_skipped"].to_string();
    assert!(reasons.contains("several words or a pattern on purpose"), "{report:#}");
    assert!(reasons.contains("ends the shell of whoever sources the file"), "{report:#}");
    let mended = "#!/bin/bash\nx=$1\n\techo \"é\" $x $(date)\ncd /tmp\n";
    assert_eq!(read(bench.root(), "run"), mended);
}

const ONE: &str = r#"echo '[{"code":"F541","filename":"a.py","location":{"row":1,"column":1},"end_location":{"row":1,"column":2},"message":"unused","fix":{"applicability":"safe","message":"Remove it","edits":[{"content":"NEW","location":{"row":1,"column":1},"end_location":{"row":2,"column":1}}]}}]'"#;

#[test]
fn a_linter_that_is_absent_or_fails_is_a_note_and_the_rest_counts() {
    let code = "if a == None:\n    f()\n";
    for (script, note) in [
        (None, "ruff: not installed, so nothing was asked of it"),
        (
            Some("echo broken config >&2; exit 2"),
            "ruff: failed with status 2, so its report is not whole: broken config",
        ),
        (Some("echo surprise"), "ruff: printed what is no report of its format: "),
        (Some("kill -9 $$"), "ruff: was ended by signal 9, so its report is not whole"),
    ] {
        let scripts: Vec<(&str, &str)> = script.iter().map(|script| ("ruff", *script)).collect();
        let bench = Bench::with_scripts("ruff", &[("a.py", code)], &scripts);
        let answer = bench.call("--role seeker", "");
        assert!(answer.stderr.contains(note), "{}", answer.stderr);
        let sought = answer.json();
        assert_eq!(rules(&sought), ["a.py py-none-comparison"]);
        let summary = sought["summary"].as_str().expect("a summary");
        assert!(summary.contains(note), "{summary}");
        // The report has it from the summarizer, where the program is not there at all.
        let figures =
            format!("{}{}", block("run_findings", &json!([])), block("run_figures", &json!({})));
        let told = bench.call("--role summarizer", &figures).stdout;
        let line = "Not looked at: ruff: not installed, so nothing was asked of it.";
        assert_eq!(told.contains(line), script.is_none(), "{told}");
        // Nor do the later roles take silence for an answer.
        let finding = json!([{"id": "F1", "file": "a.py", "line": 1, "evidence": "if a == None:",
            "description": "Unused [ruff::F541]"}]);
        assert!(bench.words(&finding).iter().all(Vec::is_empty));
        let skipped = bench.fix(&finding);
        let reason = skipped["fixes_skipped"][0]["reason"].as_str().expect("a reason");
        assert!(reason.contains("could not be checked"), "{reason}");
    }
}

#[test]
fn an_edit_after_which_the_linter_reports_more_is_taken_back() {
    let code = "import os\nx = 1\n";
    // Reports its finding for ever, or another one once the file is edited.
    let stubborn = ONE.to_owned();
    let worse =
        format!("if grep -q NEW a.py; then {}; else {ONE}; fi", ONE.replace("F541", "E999"));
    for (script, why) in
        [(stubborn, "would still report ruff::F541"), (worse, "would report ruff::E999 in a.py")]
    {
        let script = format!("PATH=/usr/bin:/bin\n{script}");
        let bench = Bench::with_scripts("ruff", &[("a.py", code)], &[("ruff", &script)]);
        let findings = bench.seek()["findings"].clone();
        assert_eq!(findings[0]["evidence"], "import os");
        let report = bench.fix(&findings);
        let reason = report["fixes_skipped"][0]["reason"].as_str().expect("a reason");
        assert!(reason.contains(why) && reason.contains("taken back"), "{reason}");
        assert_eq!(read(bench.root(), "a.py"), code);
    }
}

#[test]
fn a_finding_that_the_linter_does_not_report_is_refused_by_all_eyes() {
    let script = format!("PATH=/usr/bin:/bin\n{ONE}");
    let files = [("a.py", "import os\n"), ("tests/fixtures/b.py", "import os\n")];
    let bench = Bench::with_scripts("ruff", &files, &[("ruff", &script)]);
    let finding = |id: &str, file: &str, rule: &str, evidence: &str| {
        json!({"id": id, "file": file, "line": 1, "evidence": evidence,
            "description": format!("Unused [ruff::{rule}]")})
    };
    let findings = json!([
        finding("real", "a.py", "F541", "import os"),
        finding("invented", "a.py", "S102", "import os"),
        finding("elsewhere", "a.py", "F541", "import sys"),
    ]);
    for words in bench.words(&findings) {
        let words: Vec<&str> = words.iter().map(|(_, word)| word.as_str()).collect();
        assert_eq!(words, ["confirmed", "false_positive", "false_positive"]);
    }
}

#[test]
fn only_a_linter_that_is_allowed_is_asked_and_an_unknown_one_is_a_slip() {
    let bench = Bench::with_scripts("shellcheck", &[("a.py", "import os\n")], &[("ruff", ONE)]);
    assert_eq!(rules(&bench.seek()), Vec::<String>::new());
    let finding = json!([{"id": "F1", "file": "a.py", "line": 1, "evidence": "import os",
        "description": "Unused [ruff::F541]"}]);
    assert!(bench.words(&finding).iter().all(Vec::is_empty));
    let reason = bench.fix(&finding)["fixes_skipped"][0]["reason"].to_string();
    assert!(reason.contains("not allowed here"), "{reason}");
    let slip = bench.call("--role seeker --linter pylint", "");
    assert_eq!(slip.status, 2);
    assert!(slip.stderr.contains("known: clippy, ruff, eslint, shellcheck"), "{}", slip.stderr);
}

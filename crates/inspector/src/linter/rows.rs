//! The linters as data: one row each, with the reader of what it prints.

use ast_grep_language::SupportLang;

use super::Linter;
use super::diagnostic::Diagnostic;
use super::{clippy, eslint, ruff, shellcheck};

/// How one linter is asked, and how its answer is read.
pub(super) struct Row {
    pub(super) linter: Linter,
    /// The name that `--linter` takes.
    pub(super) name: &'static str,
    /// What its rule ids begin with.
    pub(super) prefixes: &'static [&'static str],
    pub(super) program: &'static str,
    /// What stands before the files or packages.
    pub(super) arguments: &'static [&'static str],
    /// The files that it can read.
    pub(super) grammars: &'static [SupportLang],
    pub(super) unit: Unit,
    /// Variables that it gets besides the usual ones, where they are set.
    pub(super) allowed: &'static [&'static str],
    /// Variables that keep it off the network.
    pub(super) set: &'static [(&'static str, &'static str)],
    /// Exit codes that stand for a whole report.
    pub(super) whole: &'static [i32],
    pub(super) read: fn(&str) -> serde_json::Result<Vec<Diagnostic>>,
}

/// What a linter is asked about in one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Files, from the root.
    Files,
    /// The files below one configuration, from its folder, with the program installed there.
    Configured(&'static [&'static str]),
    /// The packages of one workspace.
    Packages,
}

pub(super) const ROWS: [Row; 4] = [
    Row {
        linter: Linter::Clippy,
        name: "clippy",
        // What the compiler warns of comes with it.
        prefixes: &["clippy::", "rustc::"],
        program: "cargo",
        arguments: &["clippy", "--offline", "--message-format=json"],
        grammars: &[SupportLang::Rust],
        unit: Unit::Packages,
        allowed: &["CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"],
        set: &[("CARGO_NET_OFFLINE", "true"), ("RUSTUP_AUTO_INSTALL", "0")],
        whole: &[0],
        read: clippy::read,
    },
    Row {
        linter: Linter::Ruff,
        name: "ruff",
        prefixes: &["ruff::"],
        program: "ruff",
        // Files named one by one are checked in spite of `exclude`, unless it is forced.
        arguments: &["check", "--no-cache", "--force-exclude", "--output-format=json", "--"],
        grammars: &[SupportLang::Python],
        unit: Unit::Files,
        allowed: &[],
        set: &[],
        whole: &[0, 1],
        read: ruff::read,
    },
    Row {
        linter: Linter::Eslint,
        name: "eslint",
        prefixes: &["eslint::"],
        program: "eslint",
        arguments: &["--format=json", "--no-error-on-unmatched-pattern", "--"],
        grammars: &[SupportLang::JavaScript, SupportLang::TypeScript, SupportLang::Tsx],
        unit: Unit::Configured(&[
            "eslint.config.js",
            "eslint.config.mjs",
            "eslint.config.cjs",
            "eslint.config.ts",
            "eslint.config.mts",
            "eslint.config.cts",
            ".eslintrc",
            ".eslintrc.js",
            ".eslintrc.cjs",
            ".eslintrc.json",
            ".eslintrc.yml",
            ".eslintrc.yaml",
        ]),
        allowed: &[],
        set: &[],
        whole: &[0, 1],
        read: eslint::read,
    },
    Row {
        linter: Linter::Shellcheck,
        name: "shellcheck",
        prefixes: &["shellcheck::"],
        program: "shellcheck",
        arguments: &["--format=json1", "--"],
        grammars: &[SupportLang::Bash],
        unit: Unit::Files,
        allowed: &[],
        set: &[],
        whole: &[0, 1],
        read: shellcheck::read,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linter::diagnostic::Repair;

    /// Reads what the real linter printed about a file, and shows each report with its edits.
    fn check(name: &str, printed: &str, source: &str, expected: &[&str]) {
        let linter = Linter::named(name).expect("a linter");
        let found = (linter.row().read)(printed).expect("its own format");
        let shown: Vec<String> = found
            .iter()
            .map(|found| {
                let repair = match &found.repair {
                    Repair::Unknown => "-".to_owned(),
                    Repair::Unsafe => "unsafe".to_owned(),
                    Repair::Safe(edits) => {
                        let edits = edits.iter().map(|edit| edit.in_text(source).expect("a place"));
                        edits.map(|edit| edit.summary(source)).collect::<Vec<_>>().join(", ")
                    }
                };
                format!("{}:{} {} {repair}", found.file, found.lines.0, found.rule)
            })
            .collect();
        assert_eq!(shown, expected, "{name}");
    }

    macro_rules! recorded {
        ($file:literal) => {
            include_str!(concat!("../../tests/fixtures/linters/", $file))
        };
    }

    #[test]
    fn what_clippy_prints_is_read() {
        check(
            "clippy",
            recorded!("clippy.jsonl"),
            recorded!("lib.rs"),
            &[
                "src/lib.rs:1 rustc::unused_imports removed `use std::collections::HashMap;`",
                "src/lib.rs:17 rustc::unused_mut removed `mut`",
                "src/lib.rs:17 rustc::unused_variables unsafe",
                "src/lib.rs:5 clippy::needless_return `return x * 2` became `x * 2`, removed `;`",
                "src/lib.rs:9 clippy::needless_bool `if a == true { true } else { false }` became `a == true`",
                "src/lib.rs:9 clippy::bool_comparison `a == true` became `a`",
                "src/lib.rs:12 clippy::ptr_arg unsafe",
            ],
        );
    }

    #[test]
    fn what_ruff_prints_is_read() {
        check(
            "ruff",
            recorded!("ruff.json"),
            recorded!("job.py"),
            &[
                "/project/py/job.py:1 ruff::I001 `import os import sys, json` became `import json import os import sys`",
                "/project/py/job.py:1 ruff::F401 removed `import os`",
                "/project/py/job.py:2 ruff::F401 removed `import sys, json`",
                "/project/py/job.py:2 ruff::F401 removed `import sys, json`",
                "/project/py/job.py:7 ruff::F541 `f\"nothing\"` became `\"nothing\"`",
                "/project/py/job.py:9 ruff::F841 unsafe",
                "/project/py/job.py:11 ruff::E722 -",
                "/project/py/job.py:13 ruff::F821 -",
            ],
        );
    }

    #[test]
    fn what_eslint_prints_is_read() {
        check(
            "eslint",
            recorded!("eslint.json"),
            recorded!("app.js"),
            &[
                "/project/web/app.js:1 eslint::prefer-const `let x = 1;` became `const x = 1;`",
                "/project/web/app.js:3 eslint::no-debugger -",
                "/project/web/app.js:4 eslint::no-var `var y = !!a ? 1 : 2;` became `let y = !!a ? 1 : 2;`",
                "/project/web/app.js:4 eslint::no-unused-vars unsafe",
                "/project/web/app.js:4 eslint::no-extra-boolean-cast `!!a` became `a`",
                "/project/web/app.js:5 eslint::no-extra-boolean-cast `!!a` became `a`",
                "/project/web/app.js:5 eslint::eqeqeq unsafe",
                "/project/web/app.js:6 eslint::no-regex-spaces added `{2}`",
            ],
        );
    }

    #[test]
    fn what_shellcheck_prints_is_read() {
        check(
            "shellcheck",
            recorded!("shellcheck.json"),
            recorded!("run.sh"),
            &[
                "sh/run.sh:2 shellcheck::SC2164 added `|| exit`",
                "sh/run.sh:4 shellcheck::SC2115 -",
                "sh/run.sh:4 shellcheck::SC2086 added `\"`, added `\"`",
                "sh/run.sh:5 shellcheck::SC2086 added `\"`, added `\"`",
                "sh/run.sh:5 shellcheck::SC2046 -",
                "sh/run.sh:5 shellcheck::SC2006 ``` became `$(`, ``` became `)`",
                "sh/run.sh:6 shellcheck::SC2162 -",
                "sh/run.sh:6 shellcheck::SC2034 -",
            ],
        );
    }

    #[test]
    fn output_of_another_format_is_refused() {
        for row in &ROWS {
            assert!((row.read)("{\"reason\": 1}").is_err(), "{}", row.name);
        }
        assert!((Linter::Clippy.row().read)("Compiling\n").expect("nothing").is_empty());
    }
}

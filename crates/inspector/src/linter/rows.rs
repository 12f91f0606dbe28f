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

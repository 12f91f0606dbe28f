//! The tools whose output is understood, one row each.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::sheet::Sheet;

mod eslint;
mod go;
mod jest;
mod junit;
mod libtest;
mod mocha;
mod mypy;
mod nextest;
mod node_test;
mod pytest;
mod ruff;
mod rustc;
mod tap;
mod tree;
mod tsc;
mod unittest;
mod vitest;
mod wire;

/// A tool whose output is understood, or a format that several tools print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tool {
    /// `cargo nextest`.
    Nextest,
    /// The test programs of Rust, as `cargo test` runs them.
    Libtest,
    /// pytest.
    Pytest,
    /// Python's unittest, and what prints like it.
    Unittest,
    /// `go test`, with and without `-json`; `go build` and `go vet`.
    Go,
    /// jest.
    Jest,
    /// vitest.
    Vitest,
    /// mocha.
    Mocha,
    /// `node --test` at a terminal; elsewhere it prints TAP.
    NodeTest,
    /// The Test Anything Protocol.
    Tap,
    /// `JUnit` XML.
    Junit,
    /// The TypeScript compiler.
    Tsc,
    /// `ESLint`, as text and as JSON.
    Eslint,
    /// The Rust compiler and clippy, as text and as JSON.
    Rustc,
    /// ruff.
    Ruff,
    /// mypy.
    Mypy,
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(TOOLS.iter().find(|row| row.tool == *self).map_or("", |row| row.name))
    }
}

/// What a tool looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looks {
    /// It runs tests: none that ran is no pass.
    Tests,
    /// It reads files, and says nothing of those without a fault.
    Files,
}

/// A tool, and how its output is read.
pub(crate) struct Row {
    pub(crate) tool: Tool,
    name: &'static str,
    pub(crate) looks: Looks,
    /// Reads a text; `None` where the tool did not print it. Total and linear.
    pub(crate) read: fn(&str) -> Option<Sheet>,
    /// Tools that this one starts and quotes: their text is not read again.
    pub(crate) quotes: &'static [Tool],
}

/// In the order in which they are asked. To add a tool, add a variant, a row, and a file with its
/// reader below `tool/`; then record it (`tests/recordings/record.sh`).
pub(crate) const TOOLS: &[Row] = &[
    row(Tool::Nextest, "nextest", Looks::Tests, nextest::read, &[Tool::Libtest]),
    row(Tool::Libtest, "libtest", Looks::Tests, libtest::read, &[]),
    row(Tool::Pytest, "pytest", Looks::Tests, pytest::read, &[Tool::Unittest]),
    row(Tool::Unittest, "unittest", Looks::Tests, unittest::read, &[]),
    row(Tool::Go, "go", Looks::Tests, go::read, &[]),
    row(Tool::Jest, "jest", Looks::Tests, jest::read, &[]),
    row(Tool::Vitest, "vitest", Looks::Tests, vitest::read, &[]),
    row(Tool::Mocha, "mocha", Looks::Tests, mocha::read, &[]),
    row(Tool::NodeTest, "node-test", Looks::Tests, node_test::read, &[Tool::Tap]),
    row(Tool::Tap, "tap", Looks::Tests, tap::read, &[]),
    row(Tool::Junit, "junit", Looks::Tests, junit::read, &[]),
    row(Tool::Tsc, "tsc", Looks::Files, tsc::read, &[]),
    row(Tool::Eslint, "eslint", Looks::Files, eslint::read, &[]),
    row(Tool::Rustc, "rustc", Looks::Files, rustc::read, &[]),
    row(Tool::Ruff, "ruff", Looks::Files, ruff::read, &[]),
    row(Tool::Mypy, "mypy", Looks::Files, mypy::read, &[]),
];

const fn row(
    tool: Tool,
    name: &'static str,
    looks: Looks,
    read: fn(&str) -> Option<Sheet>,
    quotes: &'static [Tool],
) -> Row {
    Row { tool, name, looks, read, quotes }
}

//! The tools whose output is understood, one row each.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::sheet::Sheet;

mod libtest;
mod nextest;
mod pytest;
mod unittest;

/// A tool whose output is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tool {
    /// The test programs of Rust, as `cargo test` runs them.
    Libtest,
    /// `cargo nextest`.
    Nextest,
    /// pytest.
    Pytest,
    /// Python's unittest, and what prints like it.
    Unittest,
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(row(*self).map_or("", |row| row.name))
    }
}

/// What a tool looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looks {
    /// It runs tests: none that ran is no pass.
    Tests,
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
    tests(Tool::Nextest, "nextest", nextest::read, &[Tool::Libtest]),
    tests(Tool::Libtest, "libtest", libtest::read, &[]),
    tests(Tool::Pytest, "pytest", pytest::read, &[Tool::Unittest]),
    tests(Tool::Unittest, "unittest", unittest::read, &[]),
];

const fn tests(
    tool: Tool,
    name: &'static str,
    read: fn(&str) -> Option<Sheet>,
    quotes: &'static [Tool],
) -> Row {
    Row { tool, name, looks: Looks::Tests, read, quotes }
}

fn row(tool: Tool) -> Option<&'static Row> {
    TOOLS.iter().find(|row| row.tool == tool)
}

//! External linters: asked where they are installed and allowed, and checked like everybody else.
//!
//! A linter that is absent, fails, floods or hangs costs its own findings and nothing else; a
//! [`Trouble`] says so, and what was not looked at is never called clean. Their findings carry the
//! rule ids of the linter, `ruff::F401`, so that later calls know whom to ask again.

use std::fmt;

mod cargo;
mod clippy;
mod clippy_groups;
mod desk;
mod diagnostic;
mod doubt;
mod eslint;
mod jobs;
mod linted;
mod mend;
mod plan;
mod recheck;
mod rows;
mod ruff;
mod seek;
mod shellcheck;
mod start;
mod trouble;
mod weight;

pub(crate) use desk::{Desk, Report};
pub(crate) use linted::Linted;
pub(crate) use mend::mend;
pub(crate) use recheck::{Recheck, ask_again, linter_of};
pub(crate) use seek::seek;
pub(crate) use trouble::Trouble;

use rows::{ROWS, Row};

/// A linter that there is a row for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Linter {
    Clippy,
    Ruff,
    Eslint,
    Shellcheck,
}

impl Linter {
    /// The linter that `--linter` names.
    pub(crate) fn named(name: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.linter)
    }

    /// All names, for whoever slipped.
    pub(crate) fn names() -> String {
        ROWS.map(|row| row.name).join(", ")
    }

    /// The linter that a rule id belongs to; `None` for a structural rule.
    pub(crate) fn of_rule(id: &str) -> Option<Self> {
        let has = |row: &&Row| row.prefixes.iter().any(|prefix| id.starts_with(prefix));
        ROWS.iter().find(has).map(|row| row.linter)
    }

    fn row(self) -> &'static Row {
        let row = ROWS.iter().find(|row| row.linter == self);
        row.expect("a test finds a row for each linter")
    }
}

impl fmt::Display for Linter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.row().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_linter_has_a_row_and_is_found_by_its_names() {
        use Linter::{Clippy, Eslint, Ruff, Shellcheck};
        for linter in [Clippy, Ruff, Eslint, Shellcheck] {
            assert_eq!(Linter::named(linter.row().name), Some(linter));
            for prefix in linter.row().prefixes {
                assert_eq!(Linter::of_rule(&format!("{prefix}x")), Some(linter));
            }
        }
        assert_eq!(Linter::of_rule("rust-dbg-value"), None);
        assert_eq!(Linter::named("pylint"), None);
        assert_eq!(Linter::names(), "clippy, ruff, eslint, shellcheck");
    }
}

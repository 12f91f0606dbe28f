//! The four things that a project can be asked to hold to.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a check is for (seed 001, "Goal Parsing").
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Slot {
    /// The tests pass.
    Tests,
    /// The project builds.
    Build,
    /// The linter has nothing to say.
    Lint,
    /// The types fit.
    Typecheck,
}

impl Slot {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Tests, Self::Build, Self::Lint, Self::Typecheck];

    /// The word for it: in flags, progress lines and records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Tests => "tests",
            Self::Build => "build",
            Self::Lint => "lint",
            Self::Typecheck => "typecheck",
        }
    }

    /// What a failed check of this slot counts: `3 type errors` (seed 001).
    pub fn counted(self, number: u64) -> String {
        let noun = match self {
            Self::Tests => "failing test",
            Self::Build => "build error",
            Self::Lint => "lint error",
            Self::Typecheck => "type error",
        };
        format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
    }

    /// The one slot that a goal in free text speaks of (D23); `None` when it speaks of none or of
    /// several. The text decides which command is *proposed*, and is never run.
    pub fn of_goal(goal: &str) -> Option<Self> {
        let goal = goal.to_lowercase();
        let mut words = goal.split(|c: char| !c.is_alphanumeric());
        let mut found = Vec::new();
        for word in words.by_ref() {
            let slot = Self::ALL.into_iter().find(|slot| slot.words().contains(&word));
            found.extend(slot);
        }
        found.dedup();
        match *found {
            [slot] => Some(slot),
            [] | [_, ..] => None,
        }
    }

    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Tests => &["test", "tests", "testing", "pytest", "jest", "vitest", "specs"],
            Self::Build => &["build", "builds", "compile", "compiles", "compilation"],
            Self::Lint => {
                &["lint", "lints", "linter", "linting", "eslint", "clippy", "ruff", "warnings"]
            }
            Self::Typecheck => {
                &["type", "types", "typecheck", "typechecks", "typing", "tsc", "mypy", "pyright"]
            }
        }
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_counted_in_the_words_of_the_seed() {
        assert_eq!(Slot::Typecheck.counted(3), "3 type errors");
        assert_eq!(Slot::Tests.counted(1), "1 failing test");
    }

    #[test]
    fn free_text_is_matched_to_one_slot_or_none() {
        for (goal, expected) in [
            ("make the tests pass", Some(Slot::Tests)),
            ("It compiles again; the build is green", Some(Slot::Build)),
            ("no clippy warnings", Some(Slot::Lint)),
            ("type errors are gone", Some(Slot::Typecheck)),
            ("tests and lint pass", None),
            ("tests, lint, tests", None),
            ("make it good", None),
            ("rm -rf / ; attest", None),
        ] {
            assert_eq!(Slot::of_goal(goal), expected, "{goal}");
        }
    }
}

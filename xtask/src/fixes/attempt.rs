//! How a package fared once.

use std::collections::BTreeMap;
use std::fmt;

/// One try of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Attempt {
    /// It does not build or load; what was said last.
    Broken(String),
    /// It does; and how its tests went, where it ships some that run here.
    Works(Tests),
}

/// Whether each test has passed, by name; skipped ones are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tests {
    passed: BTreeMap<String, bool>,
}

impl Attempt {
    /// What worked in `before` and does not here.
    pub(super) fn worse_than(&self, before: &Self) -> Vec<String> {
        match (before, self) {
            (Self::Broken(_), _) => Vec::new(),
            (Self::Works(_), Self::Broken(said)) => vec![format!("does not work any more: {said}")],
            (Self::Works(before), Self::Works(after)) => {
                let lost = before.passed.iter().filter(|(name, passed)| {
                    **passed && after.passed.get(*name).copied() != Some(true)
                });
                lost.map(|(name, _)| format!("the test {name} does not pass any more")).collect()
            }
        }
    }

    /// The better of two tries of the same: a test passes that has passed in one.
    pub(super) fn or(self, again: Self) -> Self {
        match (self, again) {
            (Self::Works(mut tests), Self::Works(again)) => {
                for (name, passed) in again.passed {
                    tests.note(&name, passed, |before, now| before || now);
                }
                Self::Works(tests)
            }
            (Self::Broken(_), again) => again,
            (works, Self::Broken(_)) => works,
        }
    }
}

impl Tests {
    /// Reads what `cargo test` prints: `test NAME ... ok`.
    ///
    /// A name that several programs share has passed when it has passed in all of them.
    pub(super) fn of_cargo(output: &str) -> Self {
        let lines = output.lines().filter_map(|line| {
            let (name, word) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
            let passed = match word {
                "ok" => true,
                "FAILED" => false,
                _ => return None,
            };
            Some((name, passed))
        });
        Self::all(lines)
    }

    /// Reads what `pytest -rA` prints at its end: `PASSED NAME`, `FAILED NAME - WHY`.
    pub(super) fn of_pytest(output: &str) -> Self {
        let lines = output.lines().filter_map(|line| {
            let (word, rest) = line.split_once(' ').filter(|(_, rest)| rest.contains("::"))?;
            let passed = match word {
                "PASSED" | "XFAIL" => true,
                "FAILED" | "ERROR" | "XPASS" => false,
                _ => return None,
            };
            Some((rest.split(" - ").next().unwrap_or(rest), passed))
        });
        Self::all(lines)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.passed.is_empty()
    }

    fn all<'o>(lines: impl Iterator<Item = (&'o str, bool)>) -> Self {
        let mut tests = Self::default();
        for (name, passed) in lines {
            tests.note(name, passed, |before, now| before && now);
        }
        tests
    }

    /// Adds a result; `join` says what counts where there is one of that name already.
    fn note(&mut self, name: &str, passed: bool, join: impl Fn(bool, bool) -> bool) {
        self.passed
            .entry(name.to_owned())
            .and_modify(|before| *before = join(*before, passed))
            .or_insert(passed);
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken(_) => f.write_str("broken"),
            Self::Works(tests) if tests.is_empty() => f.write_str("works"),
            Self::Works(Tests { passed }) => {
                let n_passed = passed.values().filter(|passed| **passed).count();
                write!(f, "works, {n_passed} of {} tests pass", passed.len())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn works(output: &str) -> Attempt {
        Attempt::Works(Tests::of_cargo(output))
    }

    #[test]
    fn results_of_cargo_are_read_and_a_shared_name_must_pass_everywhere() {
        let output = "running 3 tests\ntest a::b ... ok\ntest c - should panic ... ok\n\
                      test d ... ignored\ntest result: ok. 2 passed\ntest a::b ... FAILED\n";
        assert_eq!(works(output).to_string(), "works, 1 of 2 tests pass");
    }

    #[test]
    fn results_of_pytest_are_read_from_its_summary() {
        let output = "tests/a.py ..F\nPASSED tests/a.py::test_x[1 - 2]\nXFAIL tests/a.py::test_y\n\
                      FAILED tests/a.py::test_z - assert 1 == 2\nPASSED by all\n\
                      SKIPPED [2] tests/a.py:7: no network\n";
        assert_eq!(
            Attempt::Works(Tests::of_pytest(output)).to_string(),
            "works, 2 of 3 tests pass"
        );
    }

    #[test]
    fn worse_is_what_passed_before_and_not_any_more() {
        let check = |before: &Attempt, after: &Attempt, expected: &[&str]| {
            assert_eq!(after.worse_than(before), expected);
        };
        let before = works("test a ... ok\ntest b ... FAILED\ntest c ... ok");
        check(&before, &before, &[]);
        check(
            &before,
            &works("test a ... ok\ntest b ... ok\ntest c ... ok\ntest d ... FAILED"),
            &[],
        );
        check(
            &before,
            &works("test a ... FAILED\ntest b ... ok"),
            &["the test a does not pass any more", "the test c does not pass any more"],
        );
        let broken = Attempt::Broken("E0425".to_owned());
        check(&before, &broken, &["does not work any more: E0425"]);
        check(&broken, &broken, &[]);
    }

    #[test]
    fn of_two_tries_the_better_counts() {
        let first = works("test a ... FAILED\ntest b ... ok");
        let again = works("test a ... ok\ntest b ... FAILED");
        assert_eq!(first.clone().or(again), works("test a ... ok\ntest b ... ok"));
        assert_eq!(Attempt::Broken(String::new()).or(first.clone()), first);
    }
}

//! What a custom goal looks for in the output of its command (D23).

use std::fmt;

use regex::Regex;

use crate::screen::seen;
use crate::{Answer, Printed, Reading, Signature, read};

/// A text that has to appear, or a regular expression between slashes.
#[derive(Debug, Clone)]
pub struct Pattern {
    written: String,
    means: Means,
}

#[derive(Debug, Clone)]
enum Means {
    Text,
    Expression(Regex),
}

/// A pattern that cannot be looked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    /// Nothing is written: that is in every output.
    #[error("the pattern is empty; every output would match")]
    Empty,
    /// The regular expression is none.
    #[error("`{written}` is no regular expression: {why}")]
    Expression {
        /// As it was given, slashes included.
        written: String,
        /// What is wrong with it.
        why: String,
    },
}

impl Pattern {
    /// Reads a pattern: `/…/` is a regular expression, anything else a text whose letters count as
    /// they are written.
    ///
    /// # Errors
    /// [`BadPattern`] when it is blank, or no regular expression between its slashes.
    pub fn read(written: &str) -> Result<Self, BadPattern> {
        let between = written.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        if between.unwrap_or(written).trim().is_empty() {
            return Err(BadPattern::Empty);
        }
        let means = match between {
            None => Means::Text,
            Some(expression) => {
                let why = |error: regex::Error| BadPattern::Expression {
                    written: written.to_owned(),
                    why: error.to_string(),
                };
                Means::Expression(Regex::new(&format!("(?m){expression}")).map_err(why)?)
            }
        };
        Ok(Self { written: written.to_owned(), means })
    }

    /// Whether it is in an output, colours apart.
    pub fn is_in(&self, printed: &Printed<'_>) -> bool {
        let text = seen(printed.bytes);
        match &self.means {
            Means::Text => text.contains(&self.written),
            Means::Expression(expression) => expression.is_match(&text),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// Reads what the command of a custom goal printed: it passes when it ended with status 0 *and* the
/// pattern is in its output (D23). A failure is never outvoted by a text.
///
/// Nothing is asked of tests: a pattern that was found was found in something.
pub fn read_custom(printed: &Printed<'_>, pattern: &Pattern) -> Reading {
    let mut reading = read(printed);
    let is_success = printed.end.is_success();
    let is_found = pattern.is_in(printed);
    reading.answer = if is_success && is_found { Answer::Passed } else { Answer::Failed };
    reading.signature = match reading.answer {
        Answer::Passed | Answer::NothingRan => Signature::default(),
        Answer::Failed if is_success => Signature::from_line(&format!("not found: {pattern}")),
        Answer::Failed => Signature::of(reading.failing(), &printed.text(), printed.end),
    };
    reading
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::End;

    fn check(pattern: &str, text: &str, status: i32, expected: Answer) {
        let pattern = Pattern::read(pattern).expect("a pattern");
        let printed = Printed::new(text.as_bytes(), End::Exit(status));
        assert_eq!(read_custom(&printed, &pattern).answer, expected, "{pattern} in {text}");
    }

    #[test]
    fn both_the_pattern_and_status_zero_are_needed() {
        check("PASSED", "all PASSED", 0, Answer::Passed);
        check("PASSED", "all passed", 0, Answer::Failed);
        check("PASSED", "all PASSED", 1, Answer::Failed);
        check("/^all \\w+$/", "x\nall done\n", 0, Answer::Passed);
        check("/^done/", "all done", 0, Answer::Failed);
        check("a/b", "at a/b", 0, Answer::Passed);
        check("fine", "\u{1b}[32mfi\u{1b}[0mne", 0, Answer::Passed);
        check(
            "0 tests",
            "running 0 tests\n\ntest result: ok. 0 passed; 0 failed",
            0,
            Answer::Passed,
        );
    }

    #[test]
    fn qa_08_a_pattern_in_a_failure_is_no_pass() {
        check("PASSED", "+ grep PASSED results.txt\nNOT PASSED: 3", 1, Answer::Failed);
        check("PASSED", "make: *** no rule to make target 'PASSED'", 2, Answer::Failed);
    }

    #[test]
    fn a_pattern_that_is_missing_is_always_the_same_failure() {
        let pattern = Pattern::read("PASSED").expect("a pattern");
        let signature = |text: &str| {
            read_custom(&Printed::new(text.as_bytes(), End::Exit(0)), &pattern).signature
        };
        assert_eq!(signature("a"), signature("b"));
        assert_eq!(signature("a").to_string(), "not found: PASSED");
    }

    #[test]
    fn patterns_that_cannot_be_looked_for_are_refused() {
        for written in ["", "  ", "//", "/ /"] {
            assert_eq!(Pattern::read(written).err(), Some(BadPattern::Empty), "{written}");
        }
        let error = Pattern::read("/(/").expect_err("no expression").to_string();
        assert!(error.starts_with("`/(/` is no regular expression: "), "{error}");
    }
}

//! What a change does to a check: which units it mends, which it breaks, and whether the check
//! notices when it is taken back.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::tool::{Looks, TOOLS};
use crate::{Answer, Reading};

/// The unit of a check that names none: its exit status is all there is.
const WHOLE: &str = "(the check as a whole)";

/// What a check says of a change that was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Revert {
    /// These units, which the change had mended, fail again: it is what mended them.
    Fails(Vec<String>),
    /// The check passes, or fails where it failed with the change too: it does not notice.
    Unnoticed,
    /// It fails at something else: the project no longer builds, or a test cannot be loaded. That is
    /// no proof of anything.
    Unclear(Vec<String>),
}

/// What makes a check fail: the names of units, or one name for the whole of it.
pub fn failing_units(reading: &Reading) -> BTreeSet<String> {
    if reading.answer != Answer::Failed {
        return BTreeSet::new();
    }
    let named: BTreeSet<String> = reading.failing().map(|unit| unit.name.clone()).collect();
    if named.is_empty() { BTreeSet::from([WHOLE.to_owned()]) } else { named }
}

/// The units that failed before a change and do not after it, by name and not by exit status: other
/// units may fail as before. None where the check does not get as far after it as before.
pub fn mended_units(before: &Reading, after: &Reading) -> BTreeSet<String> {
    if after.answer == Answer::NothingRan || is_unbuilt(before, after) {
        return BTreeSet::new();
    }
    let after = failing_units(after);
    if after.contains(WHOLE) {
        return BTreeSet::new();
    }
    let mut before = failing_units(before);
    if !after.is_empty() {
        // As a whole it still fails.
        before.remove(WHOLE);
    }
    before.difference(&after).cloned().collect()
}

/// The units that fail after a change and did not before it. A check that did not get as far before
/// says nothing of them.
pub fn broken_units(before: &Reading, after: &Reading) -> BTreeSet<String> {
    let failed_before = failing_units(before);
    if failed_before.contains(WHOLE) || is_unbuilt(after, before) {
        return BTreeSet::new();
    }
    failing_units(after).difference(&failed_before).cloned().collect()
}

/// Holds the check of a tree without the change against what the change had mended.
pub fn revert(mended: &BTreeSet<String>, after: &Reading, without: &Reading) -> Revert {
    let failing = failing_units(without);
    let again: Vec<String> = failing.intersection(mended).cloned().collect();
    if !again.is_empty() && !is_unbuilt(after, without) {
        return Revert::Fails(again);
    }
    let new: Vec<String> = failing.difference(&failing_units(after)).cloned().collect();
    let silent = without.answer == Answer::NothingRan && after.answer != Answer::NothingRan;
    if new.is_empty() && !silent { Revert::Unnoticed } else { Revert::Unclear(new) }
}

/// Whether tests ran in one reading, and none came to run in a failed other.
fn is_unbuilt(with: &Reading, without: &Reading) -> bool {
    let tests = |reading: &Reading| {
        let looks_at_tests = |row: &crate::tool::Row| matches!(row.looks, Looks::Tests);
        let mut rows = TOOLS.iter().filter(|row| looks_at_tests(row));
        rows.any(|row| reading.tools.contains(&row.tool))
    };
    without.answer == Answer::Failed && tests(with) && !tests(without)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{End, Printed, read};

    fn tests(failing: &[&str], passing: &[&str]) -> Reading {
        let lines = |names: &[&str], word: &str| {
            names.iter().map(|name| format!("test {name} ... {word}\n")).collect::<String>()
        };
        let (failed, passed) = (failing.len(), passing.len());
        let word = if failed == 0 { "ok" } else { "FAILED" };
        let text = format!(
            "\nrunning {} tests\n{}{}\ntest result: {word}. {passed} passed; {failed} failed; \
             0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n",
            failed + passed,
            lines(failing, "FAILED"),
            lines(passing, "ok"),
        );
        read(&Printed::new(text.as_bytes(), End::Exit(if failed == 0 { 0 } else { 101 })))
    }

    fn unbuilt() -> Reading {
        let text = "error[E0425]: cannot find function `pay` in this scope\n --> src/lib.rs:3:5\n\n\
                    error: could not compile `shop` (lib) due to 1 previous error\n";
        read(&Printed::new(text.as_bytes(), End::Exit(101)))
    }

    fn silent(code: i32) -> Reading {
        read(&Printed::new(b"", End::Exit(code)))
    }

    fn names(set: &BTreeSet<String>) -> Vec<&str> {
        set.iter().map(String::as_str).collect()
    }

    #[test]
    fn units_are_compared_by_name_and_not_by_exit_status() {
        for (before, after, mended, broken) in [
            (tests(&["a"], &["b"]), tests(&[], &["a", "b"]), vec!["a"], vec![]),
            (tests(&["a", "b"], &[]), tests(&["b"], &["a"]), vec!["a"], vec![]),
            (tests(&["a"], &["b"]), tests(&["b"], &["a"]), vec!["a"], vec!["b"]),
            (tests(&[], &["a"]), tests(&[], &["a"]), vec![], vec![]),
            (tests(&["a"], &[]), tests(&["a"], &[]), vec![], vec![]),
            (silent(1), silent(0), vec![WHOLE], vec![]),
            (silent(0), silent(1), vec![], vec![WHOLE]),
            (tests(&["a"], &[]), unbuilt(), vec![], vec!["src/lib.rs: E0425"]),
            (unbuilt(), tests(&["a"], &[]), vec!["src/lib.rs: E0425"], vec![]),
            (unbuilt(), tests(&[], &["a"]), vec!["src/lib.rs: E0425"], vec![]),
            (silent(1), silent(2), vec![], vec![]),
            (silent(1), tests(&["a"], &[]), vec![], vec![]),
        ] {
            assert_eq!(names(&mended_units(&before, &after)), mended, "{before:?} {after:?}");
            assert_eq!(names(&broken_units(&before, &after)), broken, "{before:?} {after:?}");
        }
    }

    #[test]
    fn a_revert_proves_a_fix_only_where_what_was_mended_fails_again() {
        let after = tests(&["z"], &["a", "b"]);
        let mended = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        let fails = |names: &[&str]| Revert::Fails(names.iter().map(|&name| name.into()).collect());
        let unclear =
            |names: &[&str]| Revert::Unclear(names.iter().map(|&name| name.into()).collect());
        for (without, expected) in [
            (tests(&["a", "z"], &["b"]), fails(&["a"])),
            (tests(&["a", "b"], &[]), fails(&["a", "b"])),
            (tests(&["z"], &["a", "b"]), Revert::Unnoticed),
            (tests(&[], &["a"]), Revert::Unnoticed),
            (tests(&["y"], &["a", "b"]), unclear(&["y"])),
            (unbuilt(), unclear(&["src/lib.rs: E0425"])),
            (silent(101), unclear(&[WHOLE])),
        ] {
            assert_eq!(revert(&mended, &after, &without), expected, "{without:?}");
        }
        let whole = BTreeSet::from([WHOLE.to_owned()]);
        assert_eq!(revert(&whole, &silent(0), &silent(1)), fails(&[WHOLE]));
        assert_eq!(revert(&whole, &silent(0), &silent(0)), Revert::Unnoticed);
    }
}

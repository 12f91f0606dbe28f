//! vitest: one line per failed test or file, then totals.

use crate::Fate;
use crate::sheet::{Sheet, leading_number};

/// Reads one run, or several in a row.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let mut seen = false;
    for line in text.lines() {
        let words = line.trim();
        if is_start(words) {
            seen = true;
        } else if !seen {
            continue;
        } else if let Some(name) = words.strip_prefix("FAIL ") {
            sheet.test(without_suite(name.trim()), Fate::Failed);
        } else if let Some(totals) = words.strip_prefix("Tests ") {
            sum_up(&mut sheet, totals.trim());
        } else if let Some((number, "error" | "errors")) =
            words.strip_prefix("Errors ").and_then(|rest| leading_number(rest.trim()))
        {
            sheet.sum(Fate::Failed, number);
        } else if words.starts_with("No test files found") {
            sheet.says_nothing_ran = true;
        }
    }
    seen.then_some(sheet)
}

/// `RUN  v4.1.12 /project`
fn is_start(words: &str) -> bool {
    let version = words.strip_prefix("RUN ").and_then(|rest| rest.trim_start().strip_prefix('v'));
    version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
}

/// A file that could not be run is printed as `FILE [ FILE ]`.
fn without_suite(name: &str) -> &str {
    match name.split_once(" [ ") {
        Some((file, again)) if again.strip_suffix(" ]") == Some(file) => file,
        _ => name,
    }
}

/// `2 failed | 1 passed | 1 skipped (4)`
fn sum_up(sheet: &mut Sheet, totals: &str) {
    for part in totals.split(" | ") {
        let Some((number, rest)) = leading_number(part) else { continue };
        match rest.split(' ').next() {
            Some("failed") => sheet.sum(Fate::Failed, number),
            Some("passed") => sheet.sum(Fate::Passed, number),
            Some("skipped" | "todo") => sheet.sum(Fate::Skipped, number),
            _ => {}
        }
    }
}

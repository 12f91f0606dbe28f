//! jest: the failed tests of each file, then totals.

use crate::Fate;
use crate::sheet::{Sheet, leading_number};

/// Reads one run, or several in a row.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let mut seen = false;
    let mut file = None;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("FAIL ") {
            file = Some(without_time(name.trim()));
        } else if line.starts_with("PASS ") {
            file = None;
        } else if let Some(title) = line.strip_prefix("  ● ") {
            if let Some(name) = file.and_then(|file| failed(file, title)) {
                sheet.test(name, Fate::Failed);
            }
        } else if let Some(totals) = line.strip_prefix("Tests: ") {
            sum_up(&mut sheet, totals.trim());
        } else if line.starts_with("Test Suites: ") {
            seen = true;
        } else if line.starts_with("No tests found, exiting with code ") {
            seen = true;
            sheet.says_nothing_ran = true;
        }
    }
    seen.then_some(sheet)
}

fn without_time(name: &str) -> &str {
    match name.rsplit_once(" (") {
        Some((file, time)) if time.ends_with("s)") => file,
        _ => name,
    }
}

/// The unit below `  ● `; jest prints other things there too.
fn failed(file: &str, title: &str) -> Option<String> {
    match title {
        "Test suite failed to run" => Some(file.to_owned()),
        "Console" => None,
        _ => Some(format!("{file} › {title}")),
    }
}

/// `2 failed, 1 skipped, 1 passed, 4 total`
fn sum_up(sheet: &mut Sheet, totals: &str) {
    for part in totals.split(", ") {
        match leading_number(part) {
            Some((number, "failed")) => sheet.sum(Fate::Failed, number),
            Some((number, "passed")) => sheet.sum(Fate::Passed, number),
            Some((number, "skipped" | "todo")) => sheet.sum(Fate::Skipped, number),
            _ => {}
        }
    }
}

//! Python's unittest, and what prints like it.

use crate::Fate;
use crate::sheet::{Sheet, leading_number};

/// Reads the output of one run, or of several in a row.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let mut ran = None;
    let mut after_ruler = false;
    for line in text.lines() {
        if after_ruler {
            let failed = line.strip_prefix("FAIL: ").or_else(|| line.strip_prefix("ERROR: "));
            if let Some(name) = failed.and_then(unit) {
                sheet.test(name, Fate::Failed);
            }
            if let Some(number) = ran_line(line) {
                ran = Some(number);
            }
        } else if let Some(total) = ran
            && let Some(counts) = closing(line)
        {
            sum_up(&mut sheet, total, counts);
            sheet.says_nothing_ran |= line == "NO TESTS RAN";
        } else if let Some((name, word)) = line.rsplit_once(" ... ")
            && let Some(fate) = fate(word)
            && let Some(name) = unit(name)
        {
            sheet.test(name, fate);
        }
        after_ruler = is_ruler(line);
    }
    ran.map(|_| sheet)
}

/// Seventy `=` or `-`.
fn is_ruler(line: &str) -> bool {
    line.len() >= 70 && (line.bytes().all(|b| b == b'=') || line.bytes().all(|b| b == b'-'))
}

/// `Ran 3 tests in 0.001s`
fn ran_line(line: &str) -> Option<u64> {
    let (number, rest) = leading_number(line.strip_prefix("Ran ")?)?;
    (rest.starts_with("tests in ") || rest.starts_with("test in ")).then_some(number)
}

/// What stands in the parentheses of `FAILED (failures=1, skipped=1)`; empty without any.
fn closing(line: &str) -> Option<&str> {
    let rest = ["OK", "FAILED", "NO TESTS RAN"].iter().find_map(|word| line.strip_prefix(word))?;
    if rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix(" (")?.strip_suffix(')')
}

fn sum_up(sheet: &mut Sheet, total: u64, counts: &str) {
    let mut passed = total;
    for part in counts.split(", ") {
        let Some((word, number)) = part.split_once('=') else { continue };
        let Ok(number) = number.parse::<u64>() else { continue };
        let fate = match word {
            "failures" | "errors" | "unexpected successes" => Fate::Failed,
            "skipped" => Fate::Skipped,
            _ => continue,
        };
        passed = passed.saturating_sub(number);
        sheet.sum(fate, number);
    }
    sheet.sum(Fate::Passed, passed);
}

fn fate(word: &str) -> Option<Fate> {
    Some(match word {
        "ok" | "expected failure" => Fate::Passed,
        "FAIL" | "ERROR" | "unexpected success" => Fate::Failed,
        _ if word.starts_with("skipped ") => Fate::Skipped,
        _ => return None,
    })
}

/// `test_b (test_a.T.test_b)` and, before Python 3.11, `test_b (test_a.T)`; a subtest has its case
/// behind that. A module that cannot be imported is named as itself.
fn unit(text: &str) -> Option<String> {
    let (method, rest) = text.split_once(" (")?;
    let (place, case) = rest.split_once(')')?;
    if method.is_empty() || place.is_empty() || method.contains(' ') {
        return None;
    }
    let case = case.trim_end();
    let place = place.strip_prefix("unittest.loader._FailedTest.").unwrap_or(place);
    let is_full = place == method || place.ends_with(&format!(".{method}"));
    Some(match place {
        "unittest.loader._FailedTest" => format!("{method}{case}"),
        _ if is_full => format!("{place}{case}"),
        _ => format!("{place}.{method}{case}"),
    })
}

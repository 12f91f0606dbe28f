//! `cargo nextest`: one line per test, the failed ones again below the summary.

use crate::Fate;
use crate::sheet::{Sheet, leading_number};

/// Reads the output of `cargo nextest run`.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let mut seen = false;
    let mut is_summed = false;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("Nextest run ID ") {
            seen = true;
        } else if !seen {
            continue;
        } else if let Some((_, counts)) = summary(line) {
            is_summed = true;
            sum_up(&mut sheet, counts);
        } else if line.starts_with("error: no tests to run") {
            sheet.says_nothing_ran = true;
        } else if let Some((name, fate)) = outcome(line, is_summed) {
            sheet.test(name, fate);
        }
    }
    seen.then_some(sheet)
}

/// `Summary [   0.004s] 3 tests run: 2 passed, 1 failed, 1 skipped`
fn summary(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("Summary [")?.split_once(" run: ")
}

fn sum_up(sheet: &mut Sheet, counts: &str) {
    for part in counts.split(", ") {
        let Some((number, words)) = leading_number(part) else { continue };
        let fate = match words.split(' ').next() {
            Some("passed") => Fate::Passed,
            Some("skipped") => Fate::Skipped,
            Some("failed" | "timed" | "exec") => Fate::Failed,
            _ => continue,
        };
        sheet.sum(fate, number);
    }
}

/// `FAIL [   0.003s] (2/3) sample tests::adds`; a try that failed counts once it is in the summary.
fn outcome(line: &str, is_summed: bool) -> Option<(&str, Fate)> {
    let (word, rest) = line.split_once(" [")?;
    let (time, rest) = rest.split_once("] ")?;
    time.trim().trim_start_matches('>').strip_suffix('s')?.parse::<f64>().ok()?;
    let name = match rest.strip_prefix('(') {
        Some(counted) => counted.split_once(") ")?.1,
        None => rest,
    };
    let fate = match word.trim() {
        "PASS" | "LEAK" => Fate::Passed,
        "SLOW" | "TERMINATING" => return None,
        "SKIP" => Fate::Skipped,
        tried if tried.starts_with("FLAKY ") => Fate::Passed,
        tried if tried.starts_with("TRY ") => {
            let word = tried.rsplit(' ').next()?;
            match (word, is_summed) {
                ("PASS", _) => Fate::Passed,
                (_, true) => Fate::Failed,
                (_, false) => return None,
            }
        }
        word if word.starts_with(|c: char| c.is_ascii_uppercase()) => Fate::Failed,
        _ => return None,
    };
    Some((name, fate))
}

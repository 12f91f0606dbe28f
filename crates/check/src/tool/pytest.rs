//! pytest, with and without `-q`, `-v` and xdist.

use crate::Fate;
use crate::sheet::{Sheet, leading_number};

/// Reads the output of one run, or of several in a row.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let mut seen = false;
    let mut in_summary = false;
    for line in text.lines() {
        if let Some(title) = title(line) {
            seen |= title == "test session starts";
            in_summary = title == "short test summary info";
        }
        if let Some(counts) = closing(line) {
            seen = true;
            in_summary = false;
            sum_up(&mut sheet, counts);
        } else if in_summary {
            if let Some(name) = failed(line) {
                sheet.test(name, Fate::Failed);
            }
        } else if let Some((name, fate)) = verbose(line) {
            sheet.test(name, fate);
        }
    }
    seen.then_some(sheet)
}

/// The words within a ruler of `=`.
fn title(line: &str) -> Option<&str> {
    let title = line.strip_prefix("==")?.strip_suffix("==")?;
    Some(title.trim_matches('=').trim())
}

/// The counts of `1 failed, 2 passed in 0.03s`, which stands in a ruler unless `-q` is given.
fn closing(line: &str) -> Option<&str> {
    let line = title(line).unwrap_or(line);
    let (counts, time) = line.rsplit_once(" in ")?;
    let seconds = time.split(' ').next()?.strip_suffix('s')?;
    seconds.parse::<f64>().ok()?;
    let is_closing = counts == "no tests ran"
        || counts.split(", ").all(|part| {
            leading_number(part).is_some_and(|(_, word)| fate(word).is_some() || is_aside(word))
        });
    is_closing.then_some(counts)
}

fn fate(word: &str) -> Option<Fate> {
    Some(match word {
        "passed" | "xfailed" => Fate::Passed,
        "failed" | "error" | "errors" => Fate::Failed,
        "skipped" => Fate::Skipped,
        // It passed although it was expected to fail; where that is an error, pytest says failed.
        "xpassed" => Fate::Passed,
        _ => return None,
    })
}

fn is_aside(word: &str) -> bool {
    matches!(word, "warning" | "warnings" | "deselected" | "rerun") || word.starts_with("subtests ")
}

fn sum_up(sheet: &mut Sheet, counts: &str) {
    sheet.says_nothing_ran |= counts == "no tests ran";
    for part in counts.split(", ") {
        if let Some((number, word)) = leading_number(part)
            && let Some(fate) = fate(word)
        {
            sheet.sum(fate, number);
        }
    }
}

/// The unit of a line of the short summary: `FAILED test_a.py::test_b[c - d] - AssertionError`.
fn failed(line: &str) -> Option<String> {
    let (word, rest) = split_word(line)?;
    match word {
        "FAILED" | "ERROR" => Some(without_reason(rest).to_owned()),
        _ => {
            let case = word.strip_prefix("SUBFAILED")?;
            Some(format!("{} {case}", without_reason(rest)))
        }
    }
}

/// The first word, with what it holds in parentheses: `SUBFAILED(pair=(1, 1)) NAME`.
fn split_word(line: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    let end = line.find(|c: char| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ' ' && depth == 0
    })?;
    Some((&line[..end], line[end..].trim_start()))
}

/// A name may hold ` - ` within the brackets of its parameters.
fn without_reason(rest: &str) -> &str {
    let first = rest.split_once(" - ").map_or(rest, |(name, _)| name);
    if first.contains('[') && !first.ends_with(']') {
        return rest.find("] - ").map_or(rest, |end| &rest[..=end]);
    }
    first
}

/// `test_a.py::test_b PASSED [ 50%]`, or, with xdist, `[gw0] [ 50%] PASSED test_a.py::test_b`.
fn verbose(line: &str) -> Option<(&str, Fate)> {
    let (name, word) = if line.starts_with("[gw") {
        let (_, rest) = line.split_once("%] ")?;
        let (word, name) = rest.split_once(' ')?;
        (name, word)
    } else {
        word_at_end(without_progress(line))?
    };
    if !name.contains("::") {
        return None;
    }
    let fate = match word {
        "PASSED" | "XFAIL" | "XPASS" => Fate::Passed,
        "FAILED" | "ERROR" => Fate::Failed,
        "SKIPPED" => Fate::Skipped,
        _ => return None,
    };
    Some((name, fate))
}

fn without_progress(line: &str) -> &str {
    match line.rsplit_once('[') {
        Some((rest, progress)) if progress.trim_end().ends_with("%]") => rest.trim_end(),
        _ => line.trim_end(),
    }
}

/// The name and the word that ends the line; a reason in parentheses may follow it.
fn word_at_end(line: &str) -> Option<(&str, &str)> {
    for word in ["SKIPPED", "XFAIL", "XPASS"] {
        let with_reason = format!(" {word} (");
        if let Some((name, _)) = line.split_once(&with_reason) {
            return Some((name, word));
        }
    }
    let (name, word) = line.rsplit_once(' ')?;
    Some((name.trim_end(), word))
}

//! Replaces what differs between machines and runs: `[ROOT]`, `[TIME]`, `[RUN]`.

use std::path::Path;

/// The text with the folder of the run, moments, durations and run ids replaced.
pub(super) fn normal(text: &str, root: &Path) -> String {
    let text = text.replace(&root.display().to_string(), "[ROOT]");
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.as_str();
    let mut previous = ' ';
    while let Some(first) = rest.chars().next() {
        let starts_word = first.is_ascii_alphanumeric() && !previous.is_alphanumeric();
        let replaced = starts_word.then(|| machine_word(rest)).flatten();
        let (length, word) = replaced.unwrap_or((first.len_utf8(), &rest[..first.len_utf8()]));
        shown.push_str(word);
        previous = rest[..length].chars().next_back().unwrap_or(first);
        rest = &rest[length..];
    }
    shown
}

/// Length of a moment, a duration or a run id at the start of the text, and its replacement.
fn machine_word(text: &str) -> Option<(usize, &'static str)> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "-:.+µ".contains(c)));
    let word = text[..end.unwrap_or(text.len())].trim_end_matches(['.', ':', '-', '+']);
    if is_moment(word) || is_duration(word) {
        Some((word.len(), "[TIME]"))
    } else if is_run(word) {
        Some((word.len(), "[RUN]"))
    } else {
        None
    }
}

/// `2026-01-31T12:00:00Z`, with fractions and offsets.
fn is_moment(word: &str) -> bool {
    word.len() > 16 && shaped(&word[..17], "dddd-dd-ddTdd:dd:")
}

/// `12ms`, `0.4s`, `300µs`.
fn is_duration(word: &str) -> bool {
    ["ms", "µs", "s"].iter().filter_map(|unit| word.strip_suffix(unit)).any(|number| {
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        [whole, fraction]
            .iter()
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

/// A UUID.
fn is_run(word: &str) -> bool {
    shaped(word, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh")
}

/// Whether each character fits: `d` a digit, `h` a hexadecimal digit, others themselves.
fn shaped(word: &str, shape: &str) -> bool {
    word.len() == shape.len()
        && word.bytes().zip(shape.bytes()).all(|(byte, expected)| match expected {
            b'd' => byte.is_ascii_digit(),
            b'h' => byte.is_ascii_hexdigit(),
            _ => byte == expected,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(normal(text, Path::new("/tmp/sandbox")), expected);
    }

    #[test]
    fn moments_and_durations() {
        check("at 2026-01-31T12:00:00.123Z.", "at [TIME].");
        check("\"2026-01-31T12:00:00+01:00\"", "\"[TIME]\"");
        check("took 1.2s, 340ms (30µs)", "took [TIME], [TIME] ([TIME])");
        check("the s in v1s, 3 s and 12 stay", "the s in v1s, 3 s and 12 stay");
    }

    #[test]
    fn runs_and_the_folder_of_the_run() {
        check("run 0190c7a4-3e5b-7cc1-9a10-0123456789ab done", "run [RUN] done");
        check("/tmp/sandbox/in/a.rs:3", "[ROOT]/in/a.rs:3");
        check("[merge-validations] WARNING: v2 äöü", "[merge-validations] WARNING: v2 äöü");
    }
}

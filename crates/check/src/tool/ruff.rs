//! ruff, in its full and its concise form.

use crate::Fate;
use crate::sheet::{Complaint, Sheet, file_and_at, leading_number, place};

/// Reads one run, or several in a row.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let mut seen = false;
    let mut above = "";
    for line in text.lines() {
        if line == "All checks passed!" {
            seen = true;
        } else if let Some((number, "errors." | "error.")) =
            line.strip_prefix("Found ").and_then(leading_number)
        {
            seen = true;
            sheet.sum(Fate::Failed, number);
        } else if line.starts_with("warning: No Python files found") {
            sheet.says_nothing_ran = true;
        } else if let Some(spot) =
            line.strip_prefix(" --> ").or_else(|| line.strip_prefix("  --> "))
        {
            if let (Some((file, at)), Some(what)) = (file_and_at(spot), code(above)) {
                sheet.complain(Complaint { file, at, what, fate: Fate::Failed });
            }
        } else if let Some((file, at, rest)) = place(line)
            && let Some(what) = code(rest)
        {
            sheet.complain(Complaint { file, at, what, fate: Fate::Failed });
        }
        above = line;
    }
    seen.then_some(sheet)
}

/// `F401` of `F401 [*] …`; `invalid-syntax` of `invalid-syntax: …`.
fn code(text: &str) -> Option<&str> {
    let word = text.split(' ').next()?;
    if let Some(word) = word.strip_suffix(':') {
        let is_kebab =
            word.contains('-') && word.bytes().all(|b| b == b'-' || b.is_ascii_lowercase());
        return is_kebab.then_some(word);
    }
    let digits = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let is_code = digits.len() < word.len()
        && !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit());
    is_code.then_some(word)
}

//! mypy.

use crate::Fate;
use crate::sheet::{Complaint, Sheet, leading_number, place};

/// Reads one run, or several in a row.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let mut seen = false;
    for line in text.lines() {
        if line.starts_with("Success: no issues found in ") {
            seen = true;
        } else if let Some((number, rest)) = line.strip_prefix("Found ").and_then(leading_number)
            && is_total(rest)
        {
            seen = true;
            sheet.sum(Fate::Failed, number);
        } else if line.starts_with("There are no .py[i] files in directory ") {
            seen = true;
            sheet.says_nothing_ran = true;
        } else if let Some((file, at, rest)) = place(line)
            && let Some(message) = rest.strip_prefix("error: ")
        {
            // The column is left out by default, so two errors of one line are told apart by their
            // message.
            let at = format!("{at} {message}");
            sheet.complain(Complaint { file, at: &at, what: code(message), fate: Fate::Failed });
        }
    }
    seen.then_some(sheet)
}

/// `errors in 1 file (checked 1 source file)`
fn is_total(rest: &str) -> bool {
    let files = rest.strip_prefix("error in ").or_else(|| rest.strip_prefix("errors in "));
    files.and_then(leading_number).is_some_and(|(_, rest)| rest.starts_with("file"))
}

/// `assignment` of `…  [assignment]`, or the message.
fn code(message: &str) -> &str {
    message
        .strip_suffix(']')
        .and_then(|message| message.rsplit_once("  ["))
        .map_or(message, |(_, code)| code)
}

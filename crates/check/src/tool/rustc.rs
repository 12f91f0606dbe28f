//! The Rust compiler and clippy through cargo: for people, short, and as JSON.

use super::wire::{CargoLine, RustMessage};
use crate::Fate;
use crate::sheet::{Complaint, Sheet, file_and_at, place};

/// Reads one run, or several in a row.
///
/// For people, the code of a lint is printed at its first place alone, so its message names the
/// unit; errors have their code everywhere.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let mut has_failed = false;
    let mut has_place = false;
    let mut without_place: Vec<&str> = Vec::new();
    let mut above: Option<Header<'_>> = None;
    for line in text.lines() {
        if line.starts_with("{\"") {
            has_place |= read_json(line, &mut sheet);
        } else if let Some(header) = Header::read(line) {
            has_failed |= header.says_it_failed();
            without_place.extend(above.take().and_then(|header| header.alone()));
            above = Some(header);
        } else if let Some(spot) = line.trim_start().strip_prefix("--> ") {
            if let (Some(header), Some((file, at))) = (above.take(), file_and_at(spot)) {
                has_place = true;
                let Header { what, fate } = header;
                sheet.complain(Complaint { file, at, what, fate });
            }
        } else if let Some((file, at, rest)) = place(line)
            && let Some(Header { what, fate }) = Header::read(rest)
            && file.ends_with(".rs")
        {
            has_place = true;
            sheet.complain(Complaint { file, at, what, fate });
        }
    }
    without_place.extend(above.and_then(|header| header.alone()));
    if has_failed {
        for what in without_place {
            sheet.complain(Complaint { file: "", at: "", what, fate: Fate::Failed });
        }
    }
    (has_failed || has_place).then_some(sheet)
}

/// The first line of a message.
#[derive(Clone, Copy)]
struct Header<'a> {
    /// The code, or the message.
    what: &'a str,
    fate: Fate,
}

impl<'a> Header<'a> {
    /// `error[E0425]: cannot find …`, `warning: unused import`
    fn read(line: &'a str) -> Option<Self> {
        let (fate, rest) = match line.strip_prefix("error") {
            Some(rest) => (Fate::Failed, rest),
            None => (Fate::Warned, line.strip_prefix("warning")?),
        };
        if let Some(message) = rest.strip_prefix(": ") {
            return Some(Self { what: message, fate });
        }
        let (code, _) = rest.strip_prefix('[')?.split_once("]: ")?;
        Some(Self { what: code, fate })
    }

    fn says_it_failed(&self) -> bool {
        self.fate == Fate::Failed
            && (self.what.starts_with("could not compile `")
                || self.what.starts_with("failed to run custom build command"))
    }

    /// The message of an error that names no file and is not about another one.
    fn alone(&self) -> Option<&'a str> {
        let is_about_another = [
            "could not compile",
            "aborting due to",
            "test failed",
            "build failed",
            "command `",
            "process didn't exit",
        ]
        .iter()
        .any(|start| self.what.starts_with(start));
        let is_count = self.what.ends_with(" failed:") || self.what.ends_with("previous error");
        (self.fate == Fate::Failed && !is_about_another && !is_count).then_some(self.what)
    }
}

fn read_json(line: &str, sheet: &mut Sheet) -> bool {
    let message = if line.starts_with("{\"reason\":\"compiler-message\"") {
        serde_json::from_str::<CargoLine>(line).ok().and_then(|line| line.message)
    } else if line.starts_with("{\"$message_type\":\"diagnostic\"") {
        serde_json::from_str::<RustMessage>(line).ok()
    } else {
        None
    };
    message.is_some_and(|message| note(&message, sheet))
}

fn note(message: &RustMessage, sheet: &mut Sheet) -> bool {
    let fate = match message.level.as_str() {
        level if level.starts_with("error") => Fate::Failed,
        "warning" => Fate::Warned,
        _ => return false,
    };
    let Some(span) = message.spans.iter().find(|span| span.is_primary) else { return false };
    let at = format!("{}:{}", span.line_start, span.column_start);
    let code = message.code.as_ref().map(|code| code.code.as_str());
    let what = code.unwrap_or(&message.message);
    sheet.complain(Complaint { file: &span.file_name, at: &at, what, fate });
    true
}

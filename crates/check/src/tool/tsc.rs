//! The TypeScript compiler, plain and pretty.

use crate::Fate;
use crate::sheet::{Complaint, Sheet, file_and_at};

/// Reads one run, or several in a row.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let mut seen = false;
    for line in text.lines() {
        let Some(error) = Error::read(line) else { continue };
        seen = true;
        if error.code == NO_INPUTS {
            sheet.says_nothing_ran = true;
        } else {
            let Error { file, at, code } = error;
            sheet.complain(Complaint { file, at, what: code, fate: Fate::Failed });
        }
    }
    seen.then_some(sheet)
}

/// "No inputs were found in config file".
const NO_INPUTS: &str = "TS18003";

struct Error<'a> {
    file: &'a str,
    at: &'a str,
    code: &'a str,
}

impl<'a> Error<'a> {
    /// `src/a.ts(2,14): error TS2322: …`, `src/a.ts:2:14 - error TS2322: …`, `error TS18003: …`
    fn read(line: &'a str) -> Option<Self> {
        if let Some(rest) = line.strip_prefix("error ") {
            return Some(Self { file: "", at: "", code: code(rest)? });
        }
        if let Some((place, rest)) = line.split_once(": error ") {
            let (file, at) = place.strip_suffix(')')?.rsplit_once('(')?;
            return Some(Self { file, at, code: code(rest)? });
        }
        let (place, rest) = line.split_once(" - error ")?;
        let (file, at) = file_and_at(place)?;
        Some(Self { file, at, code: code(rest)? })
    }
}

fn code(rest: &str) -> Option<&str> {
    let (code, _) = rest.split_once(':')?;
    let digits = code.strip_prefix("TS")?;
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some(code)
}

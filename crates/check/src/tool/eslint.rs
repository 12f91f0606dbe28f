//! `ESLint`: its report for people, and `--format json`.

use super::wire::EslintFile;
use crate::Fate;
use crate::sheet::{Complaint, Sheet, leading_number};

/// Reads one run, or several in a row.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let mut seen = false;
    let mut file = "";
    let mut is_eslint = false;
    for line in text.lines() {
        if line.starts_with("[{\"filePath\":") {
            seen |= read_json(line, &mut sheet);
        } else if let Some(complaint) = Report::read(line) {
            if !file.is_empty() {
                complaint.note(file, &mut sheet);
            }
        } else if let Some(problems) = line.strip_prefix("✖ ") {
            seen |= sum_up(problems, &mut sheet);
        } else if line.starts_with("ESLint found too many warnings") {
            sheet.fail_warnings();
        } else if line.starts_with("ESLint: ") {
            is_eslint = true;
        } else if is_eslint && is_nothing(line) {
            seen = true;
            sheet.says_nothing_ran = true;
        } else {
            file = line;
        }
    }
    seen.then_some(sheet)
}

fn read_json(line: &str, sheet: &mut Sheet) -> bool {
    let Ok(files) = serde_json::from_str::<Vec<EslintFile>>(line) else { return false };
    for file in &files {
        for message in &file.messages {
            let at = format!("{}:{}", message.line, message.column);
            sheet.complain(Complaint {
                file: &file.file_path,
                at: &at,
                what: message.rule_id.as_deref().unwrap_or(&message.message),
                fate: if message.severity >= 2 { Fate::Failed } else { Fate::Warned },
            });
        }
    }
    true
}

/// `  2:5   warning  'unused' is assigned a value but never used  no-unused-vars`
struct Report<'a> {
    at: &'a str,
    fate: Fate,
    what: &'a str,
}

impl<'a> Report<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (at, rest) = line.strip_prefix("  ")?.trim_start().split_once(' ')?;
        let (row, column) = at.split_once(':')?;
        if row.parse::<u64>().is_err() || column.parse::<u64>().is_err() {
            return None;
        }
        let (word, message) = rest.trim_start().split_once(' ')?;
        let fate = match word {
            "error" => Fate::Failed,
            "warning" => Fate::Warned,
            _ => return None,
        };
        let message = message.trim();
        let what = match message.rsplit_once("  ") {
            Some((_, rule)) if !rule.contains(' ') => rule,
            _ => message,
        };
        Some(Self { at, fate, what })
    }

    fn note(&self, file: &str, sheet: &mut Sheet) {
        sheet.complain(Complaint { file, at: self.at, what: self.what, fate: self.fate });
    }
}

/// `5 problems (3 errors, 2 warnings)`
fn sum_up(problems: &str, sheet: &mut Sheet) -> bool {
    let Some((_, counts)) = problems.split_once(" problem") else { return false };
    let Some((_, counts)) = counts.split_once('(') else { return false };
    for part in counts.trim_end_matches(')').split(", ") {
        match leading_number(part) {
            Some((number, "error" | "errors")) => sheet.sum(Fate::Failed, number),
            Some((number, "warning" | "warnings")) => sheet.sum(Fate::Warned, number),
            _ => {}
        }
    }
    true
}

fn is_nothing(line: &str) -> bool {
    line.starts_with("No files matching the pattern ")
        || line.starts_with("You are linting \"")
        || (line.starts_with("All files matched by ") && line.ends_with(" are ignored."))
}

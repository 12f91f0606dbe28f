//! What `eslint --format=json` says.

use std::ops::Range;

use serde::Deserialize;

use super::diagnostic::{Diagnostic, Level, Repair, Replacement, Span};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FileResult {
    file_path: String,
    messages: Vec<Message>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    /// Absent where the file could not be read, or where a remark to eslint itself is wrong.
    rule_id: Option<String>,
    #[serde(default)]
    fatal: bool,
    severity: u8,
    message: String,
    line: Option<u32>,
    end_line: Option<u32>,
    fix: Option<Fix>,
    #[serde(default)]
    suggestions: Vec<Suggestion>,
}

#[derive(Deserialize)]
struct Fix {
    range: (usize, usize),
    text: String,
}

#[derive(Deserialize)]
struct Suggestion {
    desc: String,
}

/// Reads the list of files that eslint prints.
pub(super) fn read(stdout: &str) -> serde_json::Result<Vec<Diagnostic>> {
    let files: Vec<FileResult> = serde_json::from_str(stdout)?;
    let per_file = files.into_iter().flat_map(|FileResult { file_path, messages }| {
        messages.into_iter().filter_map(move |message| diagnostic(&file_path, message))
    });
    Ok(per_file.collect())
}

/// `None` for what eslint says about itself: a file it ignored, a marker that nothing needs.
fn diagnostic(file: &str, message: Message) -> Option<Diagnostic> {
    let rule = match message.rule_id {
        Some(rule) => rule,
        None if message.fatal => "invalid-syntax".to_owned(),
        None => return None,
    };
    let help = message.suggestions.first().map(|suggestion| suggestion.desc.clone());
    let repair = match message.fix {
        Some(fix) => Repair::Safe(vec![replacement(fix)]),
        None if message.suggestions.is_empty() => Repair::Unknown,
        None => Repair::Unsafe,
    };
    let first = message.line.unwrap_or(1).max(1);
    Some(Diagnostic {
        rule: format!("eslint::{rule}"),
        file: file.to_owned(),
        lines: (first, message.end_line.unwrap_or(first).max(first)),
        level: if message.severity > 1 { Level::Error } else { Level::Warning },
        message: message.message,
        help,
        repair,
    })
}

fn replacement(fix: Fix) -> Replacement {
    let (start, end) = fix.range;
    Replacement { span: Span::Utf16(Range { start, end }), text: fix.text }
}

//! What `shellcheck --format=json1` says.

use serde::Deserialize;

use super::diagnostic::{Cell, Diagnostic, Level, Repair, Replacement, Span};

#[derive(Deserialize)]
struct Output {
    comments: Vec<Comment>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Comment {
    file: String,
    line: u32,
    end_line: u32,
    level: Word,
    code: u32,
    message: String,
    fix: Option<Fix>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Word {
    Error,
    Warning,
    Info,
    Style,
}

#[derive(Deserialize)]
struct Fix {
    replacements: Vec<Edit>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Edit {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    replacement: String,
}

/// Reads the one object that shellcheck prints.
pub(super) fn read(stdout: &str) -> serde_json::Result<Vec<Diagnostic>> {
    let output: Output = serde_json::from_str(stdout)?;
    Ok(output.comments.into_iter().map(diagnostic).collect())
}

fn diagnostic(comment: Comment) -> Diagnostic {
    let edits = comment.fix.map_or_else(Vec::new, |fix| fix.replacements);
    Diagnostic {
        rule: format!("shellcheck::SC{:04}", comment.code),
        file: comment.file,
        lines: (comment.line, comment.end_line),
        level: match comment.level {
            Word::Error => Level::Error,
            Word::Warning => Level::Warning,
            Word::Info => Level::Hint,
            Word::Style => Level::Style,
        },
        message: comment.message,
        help: None,
        repair: Repair::safe(edits.into_iter().map(replacement).collect()),
    }
}

fn replacement(edit: Edit) -> Replacement {
    let from = Cell { line: edit.line, column: edit.column };
    let to = Cell { line: edit.end_line, column: edit.end_column };
    Replacement { span: Span::Cells(from..to), text: edit.replacement }
}

//! What `ruff check --output-format=json` says.

use serde::Deserialize;

use super::diagnostic::{Cell, Diagnostic, Level, Repair, Replacement, Span};

#[derive(Deserialize)]
struct Message {
    /// Absent where the file could not be read as Python.
    code: Option<String>,
    filename: String,
    location: Location,
    end_location: Location,
    message: String,
    fix: Option<Fix>,
}

#[derive(Deserialize)]
struct Fix {
    applicability: Applicability,
    edits: Vec<Edit>,
    message: Option<String>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Applicability {
    Safe,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Edit {
    content: String,
    location: Location,
    end_location: Location,
}

#[derive(Deserialize, Clone, Copy)]
struct Location {
    row: u32,
    column: u32,
}

/// Reads the one list that ruff prints.
pub(super) fn read(stdout: &str) -> serde_json::Result<Vec<Diagnostic>> {
    let messages: Vec<Message> = serde_json::from_str(stdout)?;
    Ok(messages.into_iter().map(diagnostic).collect())
}

fn diagnostic(message: Message) -> Diagnostic {
    let code = message.code.as_deref().unwrap_or("invalid-syntax");
    let (help, repair) = match message.fix {
        Some(fix) if fix.applicability == Applicability::Safe => {
            (fix.message, Repair::safe(fix.edits.into_iter().map(replacement).collect()))
        }
        Some(fix) => (fix.message, Repair::Unsafe),
        None => (None, Repair::Unknown),
    };
    Diagnostic {
        rule: format!("ruff::{code}"),
        file: message.filename,
        lines: (message.location.row, message.end_location.row),
        level: Level::Warning,
        message: message.message,
        help,
        repair,
    }
}

fn replacement(edit: Edit) -> Replacement {
    let span = Span::Cells(cell(edit.location)..cell(edit.end_location));
    Replacement { span, text: edit.content }
}

fn cell(location: Location) -> Cell {
    Cell { line: location.row as usize, column: location.column as usize }
}

//! What `cargo clippy --message-format=json` says.

use serde::Deserialize;

use super::diagnostic::{Diagnostic, Level, Repair, Replacement, Span};

/// A line of cargo's output; other reasons tell of artifacts and build scripts.
#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Line {
    CompilerMessage {
        message: Message,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Message {
    message: String,
    /// Absent for what is no lint: a summary, an error without a number.
    code: Option<Code>,
    spans: Vec<Place>,
    children: Vec<Child>,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize)]
struct Child {
    level: String,
    message: String,
    spans: Vec<Place>,
}

#[derive(Deserialize)]
struct Place {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    line_start: u32,
    line_end: u32,
    is_primary: bool,
    suggested_replacement: Option<String>,
    suggestion_applicability: Option<Applicability>,
    /// There where a macro wrote the code.
    expansion: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize, PartialEq)]
enum Applicability {
    MachineApplicable,
    #[serde(other)]
    Other,
}

/// Reads one message a line. Errors of the compiler are no findings: they come as cargo's failure.
pub(super) fn read(stdout: &str) -> serde_json::Result<Vec<Diagnostic>> {
    let mut found = Vec::new();
    for line in stdout.lines().filter(|line| line.starts_with('{')) {
        if let Line::CompilerMessage { message } = serde_json::from_str(line)? {
            // A package with several targets reports what they share once for each.
            found.extend(diagnostic(&message).filter(|fresh| !found.contains(fresh)));
        }
    }
    Ok(found)
}

fn diagnostic(message: &Message) -> Option<Diagnostic> {
    let code = message.code.as_ref().map(|code| code.code.as_str())?;
    let number = code.strip_prefix('E').unwrap_or_default();
    if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let place = message.spans.iter().find(|span| span.is_primary)?;
    let rule = if code.contains("::") { code.to_owned() } else { format!("rustc::{code}") };
    Some(Diagnostic {
        rule,
        file: place.file_name.clone(),
        lines: (place.line_start, place.line_end),
        level: Level::Warning,
        message: message.message.clone(),
        help: help(message),
        repair: repair(message, &place.file_name),
    })
}

/// What stands with the suggestion, else the first help that is more than an address.
fn help(message: &Message) -> Option<String> {
    let helps = || message.children.iter().filter(|child| child.level == "help");
    let with_code = helps().find(|child| !child.spans.is_empty());
    let plain = || helps().find(|child| !child.message.starts_with("for further information"));
    Some(with_code.or_else(plain)?.message.clone())
}

/// How the compiler begins a proposal that only silences it: `_n` for an unused `n`.
const SILENCING: &str = "if this is intentional";

/// The first suggestion, if it mends, is safe in all its parts, and nothing of it is a macro's.
fn repair(message: &Message, file: &str) -> Repair {
    let proposes =
        |child: &&Child| child.spans.iter().any(|span| span.suggested_replacement.is_some());
    let Some(child) = message.children.iter().find(proposes) else { return Repair::Unknown };
    let is_safe = child.spans.iter().all(|span| {
        span.suggestion_applicability == Some(Applicability::MachineApplicable)
            && span.expansion.is_none()
            && span.file_name == file
    });
    if !is_safe || child.message.starts_with(SILENCING) {
        return Repair::Unsafe;
    }
    let mut edits: Vec<Replacement> = child.spans.iter().filter_map(replacement).collect();
    edits.dedup();
    Repair::safe(edits)
}

fn replacement(span: &Place) -> Option<Replacement> {
    let text = span.suggested_replacement.clone()?;
    Some(Replacement { span: Span::Bytes(span.byte_start..span.byte_end), text })
}

//! What one line of source is, as far as that can be told from the line.

use crate::language::Language;

pub(super) fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// Whether brackets and quotes of a line close what they open.
pub(super) fn is_balanced(line: &str) -> bool {
    let mut open = Vec::new();
    let mut quote = None;
    let mut signs = line.chars();
    while let Some(c) = signs.next() {
        match (quote, c) {
            (Some(_), '\\') => drop(signs.next()),
            (Some(end), _) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => open.push(c),
            (None, ')') if open.pop() != Some('(') => return false,
            (None, ']') if open.pop() != Some('[') => return false,
            (None, '}') if open.pop() != Some('{') => return false,
            (None, _) => {}
        }
    }
    open.is_empty() && quote.is_none()
}

/// A statement that begins and ends on this line, of a sort that stands alone.
pub(super) fn is_statement(language: Language, line: &str) -> bool {
    let Some(body) = line.strip_suffix(language.stop()) else { return false };
    if !is_balanced(line) || body.contains("//") || body.contains(" #") {
        return false;
    }
    let first = body.split([' ', '(', '.']).next().unwrap_or(body);
    is_call(language, line)
        || match language {
            Language::Rust => first == "let" && body.contains(" = ") && !body.contains('|'),
            Language::JavaScript | Language::TypeScript => {
                matches!(first, "const" | "let" | "var") && body.contains(" = ")
                    || first == "this" && body.contains(" = ")
            }
            Language::Go => is_assignment(body, " := ") || is_assignment(body, " = "),
            Language::Python => is_assignment(body, " = ") && !body.contains("yield"),
            Language::Shell => is_shell_assignment(body),
            Language::Markdown => false,
        }
}

fn is_assignment(body: &str, sign: &str) -> bool {
    let Some((target, value)) = body.split_once(sign) else { return false };
    let is_name = target.split(", ").all(|part| !part.is_empty() && part.chars().all(is_path_sign));
    is_name && !value.ends_with([',', '(', '\\', '+', '|', '&', '=', '.', '-', '*', ':'])
}

fn is_shell_assignment(body: &str) -> bool {
    let body = body.strip_prefix("local ").unwrap_or(body);
    let Some((name, value)) = body.split_once('=') else { return false };
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name && !name.is_empty() && !value.ends_with('\\') && !value.contains(" ")
}

fn is_path_sign(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.')
}

/// `path(arguments)` and nothing else.
pub(super) fn is_call(language: Language, line: &str) -> bool {
    const KEYWORDS: [&str; 18] = [
        "if", "for", "while", "switch", "return", "def", "function", "func", "class", "print",
        "super", "catch", "match", "elif", "with", "assert", "del", "go",
    ];
    let Some(body) = line.strip_suffix(language.stop()) else { return false };
    if language == Language::Shell {
        let word = body.split(' ').next().unwrap_or(body);
        return matches!(word, "cp" | "mv" | "mkdir" | "install" | "rm" | "printf" | "echo")
            && is_balanced(body)
            && !body.contains(['\\', '|', '&', ';', '<', '>'])
            && !body.contains("%q");
    }
    let Some((path, _)) = body.split_once('(') else { return false };
    let is_path = path.chars().all(|c| is_path_sign(c) || c == ':');
    let first = path.split(['.', ':']).next().unwrap_or(path);
    is_path
        && path.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && body.ends_with(')')
        && is_balanced(body)
        && !KEYWORDS.contains(&first)
        && language != Language::Markdown
}

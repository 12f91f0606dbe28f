//! Which lines of a text begin inside a string or a comment that an earlier line opened.

use crate::language::Language;

/// What is open at the end of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Open {
    Nothing,
    /// Up to this text; `escapes` where a backslash takes the next sign its meaning.
    Until {
        end: String,
        escapes: bool,
    },
}

/// One entry a line: true where the line begins inside of something.
pub(super) fn inside(language: Language, text: &str) -> Vec<bool> {
    let mut open = Open::Nothing;
    let mut inside = Vec::new();
    for line in text.lines() {
        inside.push(open != Open::Nothing);
        open = after(language, line, open);
    }
    inside
}

fn after(language: Language, line: &str, mut open: Open) -> Open {
    let mut rest = line;
    loop {
        match &open {
            Open::Until { end, escapes } => {
                let Some(at) = end_of(rest, end, *escapes) else { return open };
                rest = &rest[at..];
                open = Open::Nothing;
            }
            Open::Nothing => {
                let Some((at, opened)) = next_opened(language, rest) else { return open };
                rest = &rest[at..];
                open = opened;
            }
        }
    }
}

/// Where what is open ends, as the offset behind its end.
fn end_of(text: &str, end: &str, escapes: bool) -> Option<usize> {
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(end) {
            return Some(at + end.len());
        }
        let escaped = escapes && text[at..].starts_with('\\');
        let steps = if escaped { 2 } else { 1 };
        at += text[at..].chars().take(steps).map(char::len_utf8).sum::<usize>();
    }
    None
}

/// The first thing in the text that goes on over its end, or may.
fn next_opened(language: Language, text: &str) -> Option<(usize, Open)> {
    let until = |end: &str, escapes| Open::Until { end: end.to_owned(), escapes };
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if rest.starts_with(language.comment()) && language != Language::Markdown {
            return None;
        }
        let opened = match language {
            Language::Markdown => rest.starts_with("```").then(|| (3, until("```", false))),
            Language::Python => triple(rest),
            _ => rest.starts_with("/*").then(|| (2, until("*/", false))),
        };
        let opened = opened.or_else(|| match (language, c) {
            (Language::Markdown, _) => None,
            (Language::Rust, 'r') => raw(rest),
            (Language::Rust | Language::Shell, '"') => Some((1, until("\"", true))),
            (Language::Shell, '\'') => Some((1, until("'", false))),
            (Language::Go, '`') => Some((1, until("`", false))),
            (Language::JavaScript | Language::TypeScript, '`') => Some((1, until("`", true))),
            _ => None,
        });
        if let Some((length, open)) = opened {
            return Some((at + length, open));
        }
        // A string of one line is stepped over, whatever signs it holds.
        let quoted = matches!(c, '"' | '\'') && language != Language::Markdown;
        let lifetime = language == Language::Rust && c == '\'' && !is_char(rest);
        at += c.len_utf8();
        if quoted && !lifetime {
            at += end_of(&text[at..], &c.to_string(), true).unwrap_or(0);
        } else if c == '\\' {
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    None
}

fn triple(text: &str) -> Option<(usize, Open)> {
    let end = ["\"\"\"", "'''"].into_iter().find(|end| text.starts_with(end))?;
    Some((3, Open::Until { end: end.to_owned(), escapes: true }))
}

/// `r"…"`, `r#"…"#` and on.
fn raw(text: &str) -> Option<(usize, Open)> {
    let hashes = text[1..].chars().take_while(|c| *c == '#').count();
    text[1 + hashes..].starts_with('"').then(|| {
        let end = format!("\"{}", "#".repeat(hashes));
        (2 + hashes, Open::Until { end, escapes: false })
    })
}

/// `'a'` and `'\n'`, not `'a`.
fn is_char(text: &str) -> bool {
    let mut signs = text.chars().skip(1);
    match signs.next() {
        Some('\\') => true,
        Some(_) => signs.next() == Some('\''),
        None => false,
    }
}

#[test]
fn what_an_earlier_line_opened_is_seen() {
    let check = |language, text: &str, expected: &[bool]| {
        assert_eq!(inside(language, text), expected, "{text}");
    };
    check(Language::Python, "a = \"\"\"x\ny\"\"\"\nz", &[false, true, false]);
    check(Language::Python, "# it's \"\"\" here\nz", &[false, false]);
    check(Language::Rust, "let a = r#\"x\n\"\n\"#; // '\nb", &[false, true, true, false]);
    check(Language::Rust, "fn a<'a>(s: &'a str) {}\n'\"';\n/* x\n*/", &[false, false, false, true]);
    check(Language::Go, "a := `x\ny`\nb", &[false, true, false]);
    check(Language::JavaScript, "a = `x\n${y}`\n'`'\nb", &[false, true, false, false]);
    check(Language::Shell, "a='x\ny'\nb", &[false, true, false]);
    check(Language::Markdown, "it's\n```sh\nx\n```\ny", &[false, false, true, true, false]);
}

//! The test cases of a source text.

use super::assertions::assertions;
use super::blanked::{blanked, is_word};
use super::language::{Body, Language, Mark};

/// One test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) name: String,
    /// Whether it is marked not to be run, or returns first of all.
    pub(super) ignored: bool,
    /// Assertions in its body, those of something always true aside.
    pub(super) assertions: usize,
    /// Its body without blanks, so that a renamed test is known again.
    pub(super) body: String,
}

/// A line that may begin a test.
struct Start<'t> {
    /// Its attributes or decorators and itself, blanked.
    head: String,
    /// Where it begins.
    at: usize,
    /// The line itself, blanked.
    line: &'t str,
}

/// Reads the tests of a text, in order.
pub(super) fn cases(text: &str, language: &Language) -> Vec<Case> {
    let blank = blanked(text, language.syntax);
    let mut found = Vec::new();
    let mut head = String::new();
    let mut at = 0;
    let mut skipped_until = 0;
    for line in blank.split_inclusive('\n') {
        let trimmed = line.trim();
        let code = after_attributes(trimmed);
        head.push_str(trimmed);
        head.push('\n');
        if code.is_empty() {
            at += line.len();
            continue;
        }
        let start = Start { head: std::mem::take(&mut head), at, line };
        at += line.len();
        if language.skips_group(code) {
            let body = body(&blank, &start, language.body);
            skipped_until = skipped_until.max(start.at + body.len());
        }
        if let Some(name) = name(text, &start, code, language) {
            let mut case = case(&blank, &start, code, language, name);
            case.ignored |= start.at < skipped_until;
            found.push(case);
        }
    }
    found
}

/// What follows the attributes that a line begins with.
fn after_attributes(line: &str) -> &str {
    let mut rest = line;
    loop {
        let is_list = rest.starts_with('[') && rest.ends_with(']');
        let is_decorator = rest.starts_with('@') && !rest.starts_with("@test");
        if is_decorator {
            rest = rest.trim_start_matches(|letter: char| is_letter(letter) || letter == '.');
        } else if !is_list && !rest.starts_with("#[") {
            return rest;
        }
        // The words in brackets belong to the attribute.
        if rest.starts_with(['(', '[', '#']) {
            let Some(end) = closing(rest) else { return "" };
            rest = &rest[end + 1..];
        }
        rest = rest.trim_start();
    }
}

/// The place of the bracket that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The test's name, if a test begins here.
fn name(text: &str, start: &Start<'_>, code: &str, language: &Language) -> Option<String> {
    match language.mark {
        Mark::Attribute { words, function } => {
            let marked = words.iter().any(|word| start.head.contains(word));
            let after = if function.is_empty() {
                let end = code.find('(')?;
                let head = code[..end].trim_end();
                &head[head.rfind(|letter: char| !is_letter(letter)).map_or(0, |at| at + 1)..]
            } else {
                &code[find_word(code, function)? + function.len()..]
            };
            let name: String = after.trim_start().chars().take_while(|it| is_letter(*it)).collect();
            (marked && !name.is_empty()).then_some(name)
        }
        Mark::Name { before } => {
            let rest = before.iter().find_map(|before| code.strip_prefix(before))?;
            let rest: String = rest.chars().take_while(|it| is_letter(*it)).collect();
            let named = rest.to_lowercase().starts_with("test") || rest.starts_with("Fuzz");
            named.then_some(rest)
        }
        Mark::Call { words } => {
            let end = code.find(|letter: char| !is_letter(letter)).unwrap_or(code.len());
            let called = words.contains(&&code[..end]);
            let quote = code.find(['"', '\'', '`']).filter(|_| called)?;
            // The name is in the text itself, where the strings are not blank.
            let from = start.at + start.line.find(code)? + quote + 1;
            let mark = char::from(text.as_bytes()[from - 1]);
            Some(text[from..].split(mark).next()?.to_owned())
        }
    }
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '@'
}

fn find_word(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let before = at.checked_sub(1).map(|it| text.as_bytes()[it]);
        let after = text.as_bytes().get(at + word.len());
        !before.is_some_and(is_word) && !after.is_some_and(|byte| is_word(*byte))
    })
}

/// From a test's first line to the end of its body.
fn body<'b>(blank: &'b str, start: &Start<'_>, body: Body) -> &'b str {
    let rest = &blank[start.at..];
    match body {
        Body::Braces | Body::Call => {
            let first = if matches!(body, Body::Call) { '(' } else { '{' };
            let from = rest.find(first).unwrap_or(0);
            let end = closing(&rest[from..]).map_or(rest.len(), |end| from + end + 1);
            &rest[..end]
        }
        Body::Indented => {
            let indent = |line: &str| line.len() - line.trim_start().len();
            let own = indent(start.line);
            let mut end = start.line.len();
            for line in rest[end..].split_inclusive('\n') {
                if !line.trim().is_empty() && indent(line) <= own {
                    break;
                }
                end += line.len();
            }
            &rest[..end]
        }
    }
}

fn case(blank: &str, start: &Start<'_>, code: &str, language: &Language, name: String) -> Case {
    let body = body(blank, start, language.body);
    let head = start.head.as_str();
    let marked = language.ignoring_head.iter().any(|word| head.contains(word));
    let skips = language.ignoring_body.iter().any(|word| find_word(body, word).is_some());
    let should_panic = usize::from(head.contains("should_panic"));
    Case {
        name,
        ignored: marked || skips || language.skips(code) || returns_at_once(body, language.body),
        assertions: assertions(body) + should_panic,
        body: inside(body, language.body).split_whitespace().collect(),
    }
}

/// The statements of a body.
fn inside(body: &str, kind: Body) -> &str {
    let from = match kind {
        Body::Braces | Body::Call => body.find('{').map_or(body.len(), |at| at + 1),
        Body::Indented => body.find(":\n").map_or(body.len(), |at| at + 2),
    };
    body[from..].trim()
}

fn returns_at_once(body: &str, kind: Body) -> bool {
    let rest = inside(body, kind);
    rest.strip_prefix("return").is_some_and(|rest| {
        matches!(rest.trim_start_matches(' ').bytes().next(), None | Some(b';' | b'\n' | b'}'))
    })
}

//! Takes Markdown fences off a text (D2).
//!
//! Only whole fence lines go, and a fence on the same line as the first or last brace. No valid
//! JSON string holds a line break, so no character of a string can be on a line that goes.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use crate::broken::find_near;

/// A trimmed text without its fences; `None` where it has none or where no object could be left.
pub(crate) fn unfenced(text: &str) -> Option<Cow<'_, str>> {
    let inner = without_last_fences(without_first_fences(text));
    if !inner.starts_with('{') || !inner.ends_with('}') {
        return None;
    }
    if has_fence_line(inner) {
        let lines = inner.split_inclusive('\n').filter(|line| fence_length(line.trim()) == 0);
        return Some(Cow::Owned(lines.collect()));
    }
    (inner.len() < text.len()).then_some(Cow::Borrowed(inner))
}

/// Length of the run of back-ticks or tildes that the text starts with, 0 when too short.
fn fence_length(text: &str) -> usize {
    let Some(sign @ (b'`' | b'~')) = text.bytes().next() else { return 0 };
    let run = text.bytes().take_while(|byte| *byte == sign).count();
    if run >= 3 { run } else { 0 }
}

fn without_first_fences(text: &str) -> &str {
    let mut rest = text;
    loop {
        let run = fence_length(rest);
        if run == 0 {
            return rest;
        }
        let line = &rest.as_bytes()[run..];
        let line_end = find_near(line, |byte| byte == b'\n', |rest| memchr(b'\n', rest));
        let end = run + line_end.unwrap_or(line.len());
        rest = match object_on(&rest[run..end]) {
            Some(offset) => return &rest[run + offset..],
            None => rest[end..].trim_start(),
        };
    }
}

/// Where an object starts on the rest of a fence's line; a label such as `{.json}` is none.
fn object_on(line: &str) -> Option<usize> {
    let brace = find_near(line.as_bytes(), |byte| byte == b'{', |rest| memchr(b'{', rest))?;
    let next = line[brace + 1..].trim_start().chars().next();
    matches!(next, None | Some('"' | '}')).then_some(brace)
}

fn without_last_fences(text: &str) -> &str {
    let mut rest = text;
    loop {
        let start = rest.rfind('\n').map_or(0, |end| end + 1);
        if fence_length(rest[start..].trim_start()) == 0 {
            return without_closing_run(rest);
        }
        rest = rest[..start].trim_end();
    }
}

/// Takes off one fence that follows the last brace on its line.
fn without_closing_run(text: &str) -> &str {
    let sign = if text.ends_with('~') { '~' } else { '`' };
    let before = text.trim_end_matches(sign);
    let object = before.trim_end();
    if text.len() - before.len() >= 3 && object.ends_with('}') { object } else { text }
}

fn has_fence_line(text: &str) -> bool {
    ["```", "~~~"].into_iter().any(|fence| {
        memmem::find_iter(text.as_bytes(), fence).any(|at| {
            let before = text[..at].trim_end_matches([' ', '\t', '\r']);
            before.is_empty() || before.ends_with('\n')
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(unfenced(text).as_deref(), expected, "{text:?}");
    }

    #[test]
    fn fence_lines_go_whatever_their_label() {
        for label in ["", "json", "JSON", "jsonc title=x", "{.json}", "{r}", " json "] {
            check(&format!("```{label}\n{{\"a\":1}}\n```"), Some("{\"a\":1}"));
            check(&format!("~~~~{label}\r\n{{\"a\":1}}\r\n~~~~"), Some("{\"a\":1}"));
        }
        check("```json\n  {}\n  ```", Some("{}"));
        check("```json\n{\"a\":1}", Some("{\"a\":1}"));
        check("{\"a\":1}\n```", Some("{\"a\":1}"));
        check("```\n```json\n{}\n```\n```", Some("{}"));
        check("```json\n{\"a\":1,\n```\n```json\n\"b\":2}\n```", Some("{\"a\":1,\n\"b\":2}"));
    }

    #[test]
    fn a_fence_on_the_line_of_the_object_goes() {
        check("```json {\"a\":1}```", Some("{\"a\":1}"));
        check("```{\"a\":1} ```", Some("{\"a\":1}"));
        check("```json {\n\"a\":1\n}```", Some("{\n\"a\":1\n}"));
    }

    #[test]
    fn back_ticks_inside_strings_stay() {
        let object = r#"{"a":"x\n```rust\n```\ny ```"}"#;
        check(&format!("```json\n{object}\n```"), Some(object));
        check(object, None);
    }

    #[test]
    fn a_text_without_fences_or_with_prose_is_left_to_others() {
        for text in ["", "{}", "prose", "prose\n```json\n{}\n```", "``{}``", "```", "```\n```"] {
            check(text, None);
        }
    }
}

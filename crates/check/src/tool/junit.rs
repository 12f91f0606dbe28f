//! `JUnit` XML, as many tools write it: each test case with what became of it.

use std::borrow::Cow;

use crate::Fate;
use crate::sheet::Sheet;

/// Reads one report, or several in a row. No more of XML is understood than reports need.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let mut seen = false;
    let mut is_empty = false;
    let mut has_case = false;
    let mut case: Option<(String, Fate)> = None;
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        let Some(tag) = Tag::read(rest) else { break };
        rest = &rest[tag.len..];
        match tag.name {
            "testsuite" | "testsuites" => {
                seen = true;
                is_empty |= tag.attribute("tests") == Some("0");
            }
            "testcase" if seen => {
                has_case = true;
                let fate = if tag.attribute("status") == Some("notrun") {
                    Fate::Skipped
                } else {
                    Fate::Passed
                };
                let opened = (unit(&tag), fate);
                if tag.is_closed {
                    sheet.test(opened.0, opened.1);
                } else {
                    case = Some(opened);
                }
            }
            "failure" | "error" => set(&mut case, Fate::Failed),
            "skipped" => set(&mut case, Fate::Skipped),
            "/testcase" => {
                if let Some((name, fate)) = case.take() {
                    sheet.test(name, fate);
                }
            }
            _ => {}
        }
    }
    sheet.says_nothing_ran = is_empty && !has_case;
    seen.then_some(sheet)
}

/// A failure is not taken back.
fn set(case: &mut Option<(String, Fate)>, to: Fate) {
    if let Some((_, fate)) = case
        && *fate != Fate::Failed
    {
        *fate = to;
    }
}

fn unit(tag: &Tag<'_>) -> String {
    let name = decoded(tag.attribute("name").unwrap_or_default());
    match tag.attribute("classname") {
        Some(class) if !class.is_empty() && class != name => format!("{} {name}", decoded(class)),
        _ => name.into_owned(),
    }
}

/// One thing between `<` and `>`.
struct Tag<'a> {
    name: &'a str,
    attributes: &'a str,
    is_closed: bool,
    /// Of the whole, with both signs.
    len: usize,
}

impl<'a> Tag<'a> {
    /// The tag that the text begins with. Sections of plain text and comments are tags without a
    /// name.
    fn read(text: &'a str) -> Option<Self> {
        for (open, close) in [("<![CDATA[", "]]>"), ("<!--", "-->")] {
            if text.starts_with(open) {
                let len = text.find(close)? + close.len();
                return Some(Self { name: "", attributes: "", is_closed: true, len });
            }
        }
        let mut quote = None;
        let end = text.find(|c| match (quote, c) {
            (None, '>') => true,
            (None, '"' | '\'') => {
                quote = Some(c);
                false
            }
            (Some(open), _) if open == c => {
                quote = None;
                false
            }
            _ => false,
        })?;
        let inside = &text[1..end];
        let is_closed = inside.ends_with('/');
        let inside = inside.trim_end_matches('/');
        let (name, attributes) =
            inside.split_once(|c: char| c.is_whitespace()).unwrap_or((inside, ""));
        Some(Self { name, attributes, is_closed, len: end + 1 })
    }

    fn attribute(&self, wanted: &str) -> Option<&'a str> {
        let mut rest = self.attributes;
        loop {
            let (name, after) = rest.split_once('=')?;
            let after = after.trim_start();
            let quote = after.chars().next().filter(|&c| c == '"' || c == '\'')?;
            let (value, next) = after[1..].split_once(quote)?;
            if name.trim() == wanted {
                return Some(value);
            }
            rest = next;
        }
    }
}

fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    // The ampersand last: what it gives is not decoded again.
    let pairs = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#10;", "\n"),
        ("&amp;", "&"),
    ];
    let decoded = pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    Cow::Owned(decoded)
}

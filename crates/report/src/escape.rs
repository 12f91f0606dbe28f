//! Somebody else's text inside Markdown.

use crate::inert;

/// Text as one line of Markdown that shows it and does nothing else: no emphasis, no link, no image,
/// no HTML, no table cell, no heading or list, no mention of people.
pub(crate) fn inline(text: &str) -> String {
    escaped(&inert::one_line(text))
}

/// Text of several lines as a quotation, its lines kept. Ends with a line end; empty for blank text.
pub(crate) fn quotation(text: &str) -> String {
    let lines = inert::lines(text);
    let mut out = String::new();
    for (index, line) in lines.iter().enumerate() {
        if line.is_empty() {
            out.push_str(">\n");
            continue;
        }
        let words = line.trim_start_matches(' ');
        // Blanks at the start would be dropped, or make it code.
        let indent = "\u{a0}".repeat(line.len() - words.len());
        let goes_on = lines.get(index + 1).is_some_and(|next| !next.is_empty());
        let end = if goes_on { "\\" } else { "" };
        out.push_str(&format!("> {indent}{}{end}\n", escaped(words)));
    }
    out
}

/// Text of several lines in a fence that is longer than any run of back-ticks in it. Ends with a
/// line end.
pub(crate) fn fenced(text: &str) -> String {
    let lines = inert::lines(text);
    let longest = lines.iter().flat_map(|line| line.split(|c| c != '`')).map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    let mut out = format!("{fence}text\n");
    for line in lines {
        out.push_str(&line);
        out.push('\n');
    }
    out.push_str(&fence);
    out.push('\n');
    out
}

fn escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + line.len() / 8);
    let marker = list_marker(line);
    let mut before = ' ';
    let mut rest = line.char_indices().peekable();
    while let Some((at, character)) = rest.next() {
        let after = rest.peek().map_or(' ', |(_, next)| *next);
        let is_active = match character {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '$' => true,
            // Inside of words an underscore is nothing but itself.
            '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
            '#' | '-' | '+' | '=' | ':' => at == 0,
            '.' | ')' => marker == Some(at),
            _ => false,
        };
        if is_active {
            out.push('\\');
        }
        out.push(character);
        if character == '@' && after.is_alphanumeric() {
            // An escape would still call the person; an invisible mark between does not.
            out.push('\u{2060}');
        }
        before = character;
    }
    out
}

/// Where the `.` or `)` stands that makes a number at the start of a line a list.
fn list_marker(line: &str) -> Option<usize> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let is_list = digits > 0 && matches!(line.as_bytes().get(digits + 1), None | Some(b' '));
    is_list.then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_shown_not_followed() {
        let check = |text: &str, expected: &str| assert_eq!(inline(text), expected);
        check("a | b\nsecond line", r"a \| b second line");
        check("<img src=x onerror=alert(1)> *bold*", r"\<img src=x onerror=alert(1)\> \*bold\*");
        check("![x](http://a) [y]: z", r"!\[x\](http://a) \[y\]: z");
        check("dead_code _em_ __x__", r"dead_code \_em\_ \_\_x\_\_");
        check("# no heading", r"\# no heading");
        check("12. no list - here", r"12\. no list - here");
        check("4.0.0 5)", "4.0.0 5)");
        check("::error::x", r"\::error::x");
        check("ask @octo a@b @ 5", "ask @\u{2060}octo a@\u{2060}b @ 5");
    }

    #[test]
    fn a_fence_is_longer_than_any_inside() {
        assert_eq!(fenced("x"), "```text\nx\n```\n");
        assert_eq!(fenced("a ```` b\n```"), "`````text\na ```` b\n```\n`````\n");
        assert_eq!(fenced(""), "```text\n```\n");
    }

    #[test]
    fn a_quotation_keeps_its_lines() {
        assert_eq!(
            quotation("# One\ntwo\n\n    - three\n---\n> four\n\n"),
            "> \\# One\\\n> two\n>\n> \u{a0}\u{a0}\u{a0}\u{a0}\\- three\\\n> \\---\\\n> \\> four\n"
        );
        assert_eq!(quotation(" \n"), "");
    }
}

//! Printed bytes as a person sees them.

/// The text without colours and other terminal codes.
///
/// Bad UTF-8 becomes U+FFFD. A carriage return ends a line as a line feed does, so that each state of
/// a progress line is a line of its own. Linear.
pub(crate) fn seen(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut seen = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{1b}' => skip_code(&mut rest),
            '\r' => {
                if rest.peek() != Some(&'\n') {
                    seen.push('\n');
                }
            }
            '\n' | '\t' => seen.push(c),
            _ if c.is_control() || c == '\u{feff}' => {}
            _ => seen.push(c),
        }
    }
    seen
}

/// Skips what belongs to an escape character; a code that does not end is given up at the end of
/// its line.
fn skip_code(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match rest.next_if(|&c| c != '\n') {
        Some('[') => {
            while rest.next_if(|c| matches!(c, '\u{20}'..='\u{3f}')).is_some() {}
            rest.next_if(|c| matches!(c, '\u{40}'..='\u{7e}'));
        }
        Some(']') => {
            while let Some(c) = rest.next_if(|&c| c != '\n') {
                if c == '\u{7}' || c == '\u{9c}' {
                    return;
                }
                if c == '\u{1b}' {
                    rest.next_if_eq(&'\\');
                    return;
                }
            }
        }
        Some('(' | ')') => {
            rest.next_if(|&c| c != '\n');
        }
        Some(_) | None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(printed: &str, expected: &str) {
        assert_eq!(seen(printed.as_bytes()), expected, "{printed:?}");
    }

    #[test]
    fn terminal_codes_leave_no_trace() {
        check("\u{1b}[1;31mFAIL\u{1b}[0m x", "FAIL x");
        check("\u{1b}]8;;http://a\u{7}link\u{1b}]8;;\u{1b}\\ b", "link b");
        check("\u{1b}(Bplain\u{1b}", "plain");
        check("torn \u{1b}[12\nnext", "torn \nnext");
        check("torn \u{1b}]0;title\nnext", "torn \nnext");
        check("\u{feff}a\u{8}b\tc", "ab\tc");
    }

    #[test]
    fn carriage_returns_end_lines() {
        check("1/2\r2/2\r\ndone\n", "1/2\n2/2\ndone\n");
    }

    #[test]
    fn bad_bytes_become_replacement_characters() {
        assert_eq!(seen(b"a\xffb"), "a\u{fffd}b");
    }
}

//! What counts as blank around an answer (D1).
//!
//! White space, a byte order mark, control codes and terminal sequences are invisible to a person,
//! so an output of these alone is empty.

use std::borrow::Cow;

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;

/// The text of an output; owned where bytes that are no UTF-8 were replaced.
pub(crate) fn decode(raw: &[u8]) -> Cow<'_, str> {
    // Far faster than a lossy reading, and nearly always enough.
    str::from_utf8(raw).map_or_else(|_| String::from_utf8_lossy(raw), Cow::Borrowed)
}

/// Takes the blanks off both ends, in linear time.
pub(crate) fn trim(text: &str) -> &str {
    trim_end(trim_start(text))
}

fn trim_start(text: &str) -> &str {
    let mut rest = text;
    loop {
        let length = sequence_at_start(rest.as_bytes());
        let next = if length > 0 { &rest[length..] } else { rest.trim_start_matches(is_invisible) };
        if next.len() == rest.len() {
            return rest;
        }
        rest = next;
    }
}

fn trim_end(text: &str) -> &str {
    let mut rest = text;
    loop {
        let length = sequence_at_end(rest.as_bytes());
        // One character at a time: a control code may be the end of a longer sequence.
        let next = match rest.chars().next_back() {
            Some(_) if length > 0 => &rest[..rest.len() - length],
            Some(last) if is_invisible(last) => &rest[..rest.len() - last.len_utf8()],
            _ => return rest,
        };
        rest = next;
    }
}

fn is_invisible(letter: char) -> bool {
    // ESC is left to the sequences: alone it would be cut from the one that it starts.
    (letter.is_whitespace() || letter.is_control() || letter == '\u{FEFF}') && letter != '\u{1b}'
}

/// Length of the terminal sequence that the text starts with, 0 for none.
fn sequence_at_start(text: &[u8]) -> usize {
    if text.first() != Some(&ESC) {
        return 0;
    }
    let run = |from: usize, wanted: fn(u8) -> bool| {
        text[from..].iter().take_while(|byte| wanted(**byte)).count()
    };
    let end = match text.get(1) {
        // One that starts another is a sequence of its own; a flood of them goes at once.
        Some(&ESC) => return text.iter().take_while(|byte| **byte == ESC).count() - 1,
        Some(b'[') => {
            let parameters = 2 + run(2, is_parameter);
            parameters + run(parameters, is_intermediate)
        }
        Some(&kind) if opens_string(kind) => {
            let end = 2 + run(2, is_in_string);
            return match text.get(end..) {
                Some([BEL, ..]) => end + 1,
                Some([ESC, b'\\', ..]) => end + 2,
                _ => 1,
            };
        }
        _ => 1 + run(1, is_intermediate),
    };
    // A sequence that the output breaks off in is as invisible as a whole one.
    if text.get(end).is_some_and(|byte| is_final(*byte)) { end + 1 } else { end }
}

/// Length of the terminal sequence that the text ends with, 0 for none.
fn sequence_at_end(text: &[u8]) -> usize {
    let Some((&last, before)) = text.split_last() else { return 0 };
    let start = match (last, before) {
        (ESC, _) => Some(before.len()),
        (BEL, _) => string_start(before),
        (b'\\', [shorter @ .., ESC]) => string_start(shorter).or(Some(shorter.len())),
        _ if is_final(last) => command_start(before),
        _ => None,
    };
    start.map_or(0, |start| text.len() - start)
}

/// Where a control sequence starts whose final byte follows `before`.
fn command_start(before: &[u8]) -> Option<usize> {
    let back = |end: usize, wanted: fn(u8) -> bool| {
        end - before[..end].iter().rev().take_while(|byte| wanted(**byte)).count()
    };
    let intermediates = back(before.len(), is_intermediate);
    let parameters = back(intermediates, is_parameter);
    if let [start @ .., ESC, b'['] = &before[..parameters] {
        return Some(start.len());
    }
    match &before[..intermediates] {
        [start @ .., ESC] => Some(start.len()),
        _ => None,
    }
}

/// Where a control string (a window title, a link) starts whose terminator follows `before`.
fn string_start(before: &[u8]) -> Option<usize> {
    let inside = before.iter().rev().take_while(|byte| is_in_string(**byte)).count();
    let (start, content) = before.split_at(before.len() - inside);
    match (start, content) {
        ([start @ .., ESC], [kind, ..]) if opens_string(*kind) => Some(start.len()),
        _ => None,
    }
}

fn is_parameter(byte: u8) -> bool {
    (0x30..=0x3f).contains(&byte)
}

fn is_intermediate(byte: u8) -> bool {
    (0x20..=0x2f).contains(&byte)
}

fn is_final(byte: u8) -> bool {
    // No terminal in use gives braces a meaning, and an answer starts and ends with one.
    (0x30..=0x7e).contains(&byte) && !matches!(byte, b'{' | b'}')
}

/// The second byte of a device control, operating system, private or application string.
fn opens_string(byte: u8) -> bool {
    matches!(byte, b'P' | b']' | b'^' | b'_')
}

fn is_in_string(byte: u8) -> bool {
    byte >= 0x20 && byte != 0x7f
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_terminal_shows_is_trimmed_from_both_ends() {
        for blank in [
            "",
            " \t\r\n",
            "\u{FEFF}",
            "\u{FEFF}\r\n",
            "\x00\x07\x7f\u{85}",
            "\x1b[0m",
            "\x1b[?2004h\x1b[38;5;12m",
            "\x1b(B\x1b[m",
            "\x1b]0;title\x07",
            "\x1b]8;;https://example.org\x1b\\",
            "\x1bPq#0\x1b\\",
            "\x1b=",
            "\x1b7\x1b8",
            "\x1b",
        ] {
            assert_eq!(trim(blank), "", "{blank:?} alone");
            assert_eq!(trim(&format!("{blank}{{}}{blank}")), "{}", "{blank:?} around");
            assert_eq!(trim(&format!("{blank} é {blank}")), "é", "{blank:?} around a letter");
        }
        assert_eq!(trim("\x1b[31"), "", "a sequence that is cut off");
    }

    #[test]
    fn what_a_terminal_shows_stays() {
        for text in ["[0m", "a\x1b[0mb", "]0;title", "x\\", "(B", "{\"a\":\"\u{FEFF}\"}", "7"] {
            assert_eq!(trim(text), text);
        }
    }
}

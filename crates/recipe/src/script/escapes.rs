//! What quoted text is to bash, where it can be known before the script runs.

use std::iter::Peekable;
use std::str::Chars;

/// The text of `$'…'`, without the quotes.
pub(super) fn ansi_c(inside: &str) -> String {
    let mut text = String::new();
    let mut rest = inside.chars().peekable();
    while let Some(c) = rest.next() {
        text.extend(if c == '\\' { escape(&mut rest) } else { Some(c) });
    }
    text
}

fn escape(rest: &mut Peekable<Chars<'_>>) -> Option<char> {
    let code = match rest.next()? {
        'x' => number(rest, 16, 2, 0),
        'u' => number(rest, 16, 4, 0),
        'U' => number(rest, 16, 8, 0),
        first @ '0'..='7' => number(rest, 8, 2, first.to_digit(8)?),
        'c' => u32::from(rest.next()?) & 0x1f,
        'n' | 'r' | 't' | 'a' | 'b' | 'e' | 'E' | 'f' | 'v' => 0x20,
        c => u32::from(c),
    };
    char::from_u32(code)
}

fn number(rest: &mut Peekable<Chars<'_>>, base: u32, digits: usize, first: u32) -> u32 {
    let mut found = first;
    for _ in 0..digits {
        let Some(digit) = rest.peek().and_then(|c| c.to_digit(base)) else { break };
        found = found.wrapping_mul(base).wrapping_add(digit);
        rest.next();
    }
    found
}

/// The text of `"…"`, without the quotes; NUL stands for all from the first expansion on.
pub(super) fn double_quoted(inside: &str) -> String {
    let joined = inside.replace("\\\n", "");
    match joined.find(['$', '`', '\0']) {
        Some(at) => joined[..at].to_owned() + "\0",
        None => joined,
    }
}

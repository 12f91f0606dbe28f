//! Source text without its comments and the insides of its strings, every byte at its place.

/// How a language writes comments and strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    /// `//`, nested `/* */`, raw strings with `#`, and `'` that may be a lifetime.
    Rust,
    /// `//`, `/* */`, and `'` around one letter or escape.
    Braces,
    /// The same, with `'` and `` ` `` around strings.
    Script,
    /// `#`, and strings of three quotes.
    Hash,
}

/// Puts blanks for everything in comments and strings; quotes and line ends stay, so that positions
/// and lines are the same.
pub(super) fn blanked(text: &str, syntax: Syntax) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let before = at.checked_sub(1).map(|it| bytes[it]);
        let Some(piece) = piece(&bytes[at..], before, syntax) else {
            at += 1;
            continue;
        };
        let end = at + piece.length;
        for byte in &mut out[at + piece.open..end - piece.close] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end;
    }
    // Whole letters are blanked, since comments and strings begin and end with ASCII.
    String::from_utf8(out).unwrap_or_default()
}

/// A comment or a string, at least one byte long.
struct Piece {
    length: usize,
    /// Bytes that stay at its start and end: the quotes.
    open: usize,
    close: usize,
}

impl Piece {
    fn comment(length: usize) -> Self {
        Self { length, open: 0, close: 0 }
    }
}

/// What begins here; `None` for code.
fn piece(rest: &[u8], before: Option<u8>, syntax: Syntax) -> Option<Piece> {
    let is_hash = syntax == Syntax::Hash;
    match rest {
        [b'#', ..] if is_hash => Some(Piece::comment(line(rest))),
        [b'/', b'/', ..] if !is_hash => Some(Piece::comment(line(rest))),
        [b'/', b'*', ..] if !is_hash => Some(Piece::comment(block(rest, syntax == Syntax::Rust))),
        [quote @ (b'"' | b'\''), second, third, ..]
            if is_hash && second == quote && third == quote =>
        {
            Some(quoted(rest, &[*quote; 3]))
        }
        [b'r', b'"' | b'#', ..] if syntax == Syntax::Rust && !before.is_some_and(is_word) => {
            raw(rest)
        }
        [b'"', ..] => Some(quoted(rest, b"\"")),
        [b'`', ..] if syntax == Syntax::Script => Some(quoted(rest, b"`")),
        [b'\'', ..] if is_hash || syntax == Syntax::Script => Some(quoted(rest, b"'")),
        [b'\'', ..] => letter(rest),
        _ => None,
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn line(rest: &[u8]) -> usize {
    rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
}

fn block(rest: &[u8], nests: bool) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") && (nests || depth == 0) {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// A string up to its closing quotes; a backslash takes the next byte along.
fn quoted(rest: &[u8], quotes: &[u8]) -> Piece {
    let open = quotes.len();
    let mut at = open;
    while at < rest.len() {
        if rest[at] == b'\\' {
            at += 2;
        } else if rest[at..].starts_with(quotes) {
            return Piece { length: at + open, open, close: open };
        } else {
            at += 1;
        }
    }
    Piece { length: rest.len(), open, close: 0 }
}

fn raw(rest: &[u8]) -> Option<Piece> {
    let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
    if rest.get(1 + hashes) != Some(&b'"') {
        return None;
    }
    let closing = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
    let (open, close) = (hashes + 2, closing.len());
    let found = rest[open..].windows(close).position(|window| window == closing);
    Some(match found {
        Some(found) => Piece { length: open + found + close, open, close },
        None => Piece { length: rest.len(), open, close: 0 },
    })
}

/// A letter in quotes; a lifetime has no second quote near.
fn letter(rest: &[u8]) -> Option<Piece> {
    if rest.get(1) == Some(&b'\\') {
        return Some(quoted(rest, b"'"));
    }
    let found = rest.iter().skip(2).take(4).position(|byte| *byte == b'\'')?;
    Some(Piece { length: found + 3, open: 1, close: 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(syntax: Syntax, text: &str, expected: &str) {
        assert_eq!(blanked(text, syntax), expected, "{text}");
        assert_eq!(text.len(), expected.len(), "{text}");
    }

    #[test]
    fn comments_and_strings_are_blank_and_code_is_not() {
        check(Syntax::Rust, "a // b\nc", "a     \nc");
        check(Syntax::Rust, "a /* b /* c */ d */ e", "a                   e");
        check(Syntax::Braces, "a /* b /* c */ d", "a              d");
        check(Syntax::Rust, r#"f("a\"b", 'x', '\'')"#, r#"f("    ", ' ', '  ')"#);
        check(Syntax::Rust, "fn f<'a>(x: &'a str)", "fn f<'a>(x: &'a str)");
        check(Syntax::Rust, "r#\"a\"b\"# + her\"c\"", "r#\"   \"# + her\" \"");
        check(Syntax::Script, "it('a // b', `c`)", "it('      ', ` `)");
        check(Syntax::Hash, "a # b\n'# c'", "a    \n'   '");
        check(Syntax::Hash, "\"\"\"a\n# b\"\"\" c", "\"\"\" \n   \"\"\" c");
        check(Syntax::Hash, "\"open", "\"    ");
    }

    proptest! {
        #[test]
        fn every_line_keeps_its_place(text in "[a-z'\"`#/*\\\\ \nräé]{0,60}") {
            for syntax in [Syntax::Rust, Syntax::Braces, Syntax::Script, Syntax::Hash] {
                let blank = blanked(&text, syntax);
                let ends = |text: &str| -> Vec<usize> {
                    text.match_indices('\n').map(|(at, _)| at).collect()
                };
                prop_assert_eq!(blank.len(), text.len());
                prop_assert_eq!(ends(&blank), ends(&text));
            }
        }
    }
}

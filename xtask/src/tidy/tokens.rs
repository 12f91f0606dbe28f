//! Rust text as tokens: enough to tell code from strings and comments.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier, a keyword or a number.
    Word,
    /// A punctuation character, or `::`.
    Mark,
    /// A string, byte string or character literal, with its quotes.
    Text,
    /// A comment of any kind, with its slashes.
    Comment,
}

/// One token and the line it begins on, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub line: usize,
}

/// Splits Rust source into tokens; total: an unclosed literal or comment reaches to the end.
pub(super) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = source;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = match first {
            _ if rest.starts_with("//") => (Some(Kind::Comment), line_end(rest)),
            _ if rest.starts_with("/*") => (Some(Kind::Comment), block_comment(rest)),
            '"' => (Some(Kind::Text), quoted(rest, '"')),
            '\'' => character_or_lifetime(rest),
            _ if is_word(first) => match literal_prefix(rest) {
                Some(length) => (Some(Kind::Text), length),
                None => (Some(Kind::Word), word(rest)),
            },
            _ if rest.starts_with("::") => (Some(Kind::Mark), 2),
            _ if first.is_whitespace() => (None, first.len_utf8()),
            _ => (Some(Kind::Mark), first.len_utf8()),
        };
        let (text, after) = rest.split_at(length);
        if let Some(kind) = kind {
            found.push(Token { kind, text, line });
        }
        line += text.matches('\n').count();
        rest = after;
    }
    found
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn word(rest: &str) -> usize {
    rest.find(|c| !is_word(c)).unwrap_or(rest.len())
}

fn line_end(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// Length of a literal with escapes that begins with its quote.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// `'a'` and `'\n'` are literals, `'a` is a lifetime.
fn character_or_lifetime(rest: &str) -> (Option<Kind>, usize) {
    let mut inside = rest.chars().skip(1);
    match (inside.next(), inside.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => (Some(Kind::Text), quoted(rest, '\'')),
        _ => (Some(Kind::Mark), 1),
    }
}

/// Length of a literal that begins with letters: `b"…"`, `c"…"`, `b'x'`, `r#"…"#`, `br"…"`.
fn literal_prefix(rest: &str) -> Option<usize> {
    let letters = word(rest);
    let after = &rest[letters..];
    match &rest[..letters] {
        "b" | "c" if after.starts_with('"') => Some(letters + quoted(after, '"')),
        "b" if after.starts_with('\'') => Some(letters + quoted(after, '\'')),
        "r" | "br" | "cr" => {
            let hashes = after.bytes().take_while(|&byte| byte == b'#').count();
            let body = after[hashes..].strip_prefix('"')?;
            let end = format!("\"{}", "#".repeat(hashes));
            let length = body.find(&end).map_or(body.len(), |at| at + end.len());
            Some(letters + hashes + 1 + length)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, kind: Kind, expected: &[&str]) {
        let texts: Vec<&str> = tokens(source)
            .into_iter()
            .filter(|token| token.kind == kind)
            .map(|token| token.text)
            .collect();
        assert_eq!(texts, expected, "{source}");
    }

    #[test]
    fn strings_hide_what_looks_like_code() {
        check(r#"let a = "todo!() // \" no";"#, Kind::Text, &[r#""todo!() // \" no""#]);
        check(r##"let a = r#"one " two"#;"##, Kind::Text, &[r##"r#"one " two"#"##]);
        check(r#"b"x" c"y" br"z""#, Kind::Text, &[r#"b"x""#, r#"c"y""#, r#"br"z""#]);
    }

    #[test]
    fn characters_are_literals_and_lifetimes_are_not() {
        check(r"('a', '\'', b'\\', '✓')", Kind::Text, &["'a'", r"'\''", r"b'\\'", "'✓'"]);
        check("fn f<'a>(x: &'a str) -> &'static str", Kind::Text, &[]);
    }

    #[test]
    fn comments_nest() {
        check("a /* b /* c */ d */ e // f\ng", Kind::Comment, &["/* b /* c */ d */", "// f"]);
        check("a /* b /* c */ d */ e // f\ng", Kind::Word, &["a", "e", "g"]);
    }

    #[test]
    fn words_may_be_raw_and_paths_are_one_mark() {
        check("r#type::new", Kind::Word, &["r", "type", "new"]);
        check("a::b:c", Kind::Mark, &["::", ":"]);
    }

    #[test]
    fn lines_count_through_literals() {
        let all = tokens("a\n\"x\ny\"\n/* \n */ b");
        let lines: Vec<usize> = all.iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 2, 4, 5]);
    }

    #[test]
    fn unclosed_text_reaches_the_end() {
        for source in ["a \"bc", "a r#\"bc", "a /* bc", "a '\\", "a b'c"] {
            let last = tokens(source).last().map(|token| token.text);
            assert_eq!(last, source.strip_prefix("a "), "{source}");
        }
    }
}

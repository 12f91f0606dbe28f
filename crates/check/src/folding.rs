//! One line of output without what differs between two runs (D21).

mod volatile;

use volatile::{MATCHERS, digits, is_file, is_host, temporary};

/// The line with times, durations, process ids and ports, addresses, temporary paths, long hex
/// numbers, and lines and columns of files replaced by words in `‹›`, and blanks made one.
///
/// Any other number stays: "2 failing" after "3 failing" is progress. Linear.
pub fn folded(line: &str) -> String {
    let mut folding = Folding { line, at: 0, word: 0, out: String::with_capacity(line.len()) };
    while folding.at < line.len() {
        folding.next();
    }
    folding.out.truncate(folding.out.trim_end().len());
    folding.out
}

struct Folding<'a> {
    line: &'a str,
    /// What is before it is done.
    at: usize,
    /// Where the present word began: a stretch without blanks, quotes and brackets.
    word: usize,
    out: String,
}

impl Folding<'_> {
    fn next(&mut self) {
        let rest = &self.line[self.at..];
        let Some(c) = rest.chars().next() else { return };
        let before = self.line[..self.at].chars().next_back();
        if c.is_whitespace() {
            if !self.out.is_empty() && !self.out.ends_with(' ') {
                self.out.push(' ');
            }
            return self.pass(c.len_utf8(), true);
        }
        let starts_run = !before.is_some_and(|c| c.is_alphanumeric() || c == '_');
        if c == '/'
            && starts_run
            && let Some((len, kept)) = temporary(rest)
        {
            self.out.push_str("‹temp›");
            self.out.push_str(kept);
            return self.pass(len, false);
        }
        if c == ':'
            && let Some(len) = self.line_and_column(rest)
        {
            self.out.push_str(":‹line›");
            return self.pass(len, false);
        }
        if c.is_ascii_digit()
            && starts_run
            && let Some(word) = self.numbered()
        {
            let len = digits(rest);
            self.out.push_str(word);
            return self.pass(len, false);
        }
        if c.is_ascii_alphanumeric() && starts_run {
            for matcher in MATCHERS {
                if let Some((len, word)) = matcher(rest) {
                    self.out.push_str(word);
                    return self.pass(len, false);
                }
            }
        }
        self.out.push(c);
        self.pass(c.len_utf8(), matches!(c, '\'' | '"' | '(' | '[' | '{' | '<' | '='));
    }

    fn pass(&mut self, len: usize, ends_word: bool) {
        self.at += len;
        if ends_word {
            self.word = self.at;
        }
    }

    /// `:40:5` and `:40` after a file's name or a host; the length of it.
    fn line_and_column(&self, rest: &str) -> Option<usize> {
        let first = digits(&rest[1..]);
        let word = last_bytes(&self.line[self.word..self.at], 64);
        if first == 0 || !(is_file(word) || is_host(word)) {
            return None;
        }
        let line = 1 + first;
        let column = rest[line..].strip_prefix(':').map_or(0, digits);
        let len = if column == 0 { line } else { line + 1 + column };
        (!rest[len..].starts_with(|c: char| c.is_alphanumeric())).then_some(len)
    }

    /// What stands for a number that the text before it names: `line 40`, `pid=311`.
    fn numbered(&self) -> Option<&'static str> {
        let before = last_bytes(&self.out, 32);
        let word = before.trim_end_matches([' ', '=', ':', '#', '(']);
        let name = word.rsplit(|c: char| !c.is_ascii_alphabetic()).next()?;
        let is_apart = word.len() < before.len();
        let is = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        if is_apart && is(&["pid", "tid", "port", "process", "goroutine", "thread", "seed"]) {
            return Some("‹number›");
        }
        if is_apart && is(&["line", "lines", "column", "col"]) {
            return Some("‹line›");
        }
        // A thread of Rust: thread 'main' (4711) panicked at …
        let is_thread = before.ends_with("' (") && self.out.starts_with("thread '");
        is_thread.then_some("‹number›")
    }
}

/// The end of a text, at most so long.
fn last_bytes(text: &str, most: usize) -> &str {
    let start = text.len().saturating_sub(most);
    let start = (start..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[(&str, &str)]) {
        for (line, expected) in rows {
            assert_eq!(folded(line), *expected, "{line}");
        }
    }

    #[test]
    fn what_differs_between_two_runs_is_folded() {
        check(&[
            (
                "2030-01-01T10:00:01Z worker pid=311 /tmp/t.ab12/x: assertion failed at lib.rs:40 (0.31s)",
                "‹time› worker pid=‹number› ‹temp›/x: assertion failed at lib.rs:‹line› (‹duration›)",
            ),
            ("at 10:00:01.123 +0200, 2030-01-01 10:00:01", "at ‹time›, ‹time›"),
            (
                "took 1m3s, 12.5ms, 1.5 seconds, 3 s",
                "took ‹duration›, ‹duration›, ‹duration›, ‹duration›",
            ),
            ("<obj at 0x7f3a12> 5f0c9a1e", "<obj at ‹address›> ‹id›"),
            ("id 89aff597-85d8-4933-92c4-c0029172be8f", "id ‹id›"),
            ("deps/sample-e6daf73c296d6df0", "deps/sample-‹id›"),
            ("  File \"a/b.py\", line 8, in x", "File \"a/b.py\", line ‹line›, in x"),
            ("src/lib.rs:16:9: boom", "src/lib.rs:‹line›: boom"),
            (
                "connect 127.0.0.1:40213 and localhost:8080",
                "connect 127.0.0.1:‹line› and localhost:‹line›",
            ),
            ("thread 'tests::adds' (12777) panicked", "thread 'tests::adds' (‹number›) panicked"),
            ("goroutine 7 [running]", "goroutine ‹number› [running]"),
            ("in /tmp/tmpx8s2'", "in ‹temp›'"),
            ("a \t b  ", "a b"),
        ]);
    }

    #[test]
    fn what_says_something_else_stays() {
        check(&[
            ("3 failing", "3 failing"),
            ("expected 1:2:3, got 1:5:6", "expected 1:2:3, got 1:5:6"),
            ("left: 0 right: 4", "left: 0 right: 4"),
            ("error TS2322 in v4.1.12", "error TS2322 in v4.1.12"),
            ("deadbeef facade 12345678", "deadbeef facade 12345678"),
            ("item2s and 3rd and 5x", "item2s and 3rd and 5x"),
            ("/tmpfiles/x", "/tmpfiles/x"),
            ("test_a.py::test_b[1-2]", "test_a.py::test_b[1-2]"),
        ]);
    }
}

//! What the gates look at: every file, and the Rust files as tokens.

use std::ops::RangeInclusive;

use super::tokens::{Kind, Token, tokens};
use crate::tree::Tree;

/// All files of the project; Rust files are read into tokens once.
pub(super) struct Survey<'a> {
    pub tree: &'a Tree,
    pub sources: Vec<Source<'a>>,
}

/// One Rust file.
pub(super) struct Source<'a> {
    pub path: &'a str,
    pub text: &'a str,
    /// Everything but comments.
    pub code: Vec<Token<'a>>,
    pub comments: Vec<Token<'a>>,
    /// Lines of modules and items under `#[cfg(test)]`.
    tests: Vec<RangeInclusive<usize>>,
}

/// What a gate found: where, and what.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hit<'a> {
    pub path: &'a str,
    pub line: usize,
    pub what: String,
}

impl<'a> Survey<'a> {
    pub(super) fn new(tree: &'a Tree) -> Self {
        let rust = tree.files().filter(|(path, _)| is_rust(path));
        Self { tree, sources: rust.map(|(path, text)| Source::new(path, text)).collect() }
    }
}

impl<'a> Source<'a> {
    fn new(path: &'a str, text: &'a str) -> Self {
        let (comments, code): (Vec<_>, Vec<_>) =
            tokens(text).into_iter().partition(|token| token.kind == Kind::Comment);
        let tests = test_lines(&code);
        Self { path, text, code, comments, tests }
    }

    pub(super) fn file_name(&self) -> &'a str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }

    /// Whether the path lies in this folder; a file name without its ending counts as a folder too.
    pub(super) fn is_below(&self, folder: &str) -> bool {
        let after = self.path.strip_prefix(folder);
        after.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || rest == ".rs")
    }

    /// Whether the whole file is made of tests.
    pub(super) fn is_test_file(&self) -> bool {
        let mut folders = self.path.split('/').rev().skip(1);
        folders.any(|folder| matches!(folder, "tests" | "benches" | "examples"))
            || self.file_name() == "tests.rs"
    }

    /// Whether the line is only compiled for tests.
    pub(super) fn is_test(&self, line: usize) -> bool {
        self.is_test_file() || self.tests.iter().any(|lines| lines.contains(&line))
    }

    /// Every place where the code reads `pattern`, tests included: the tokens from there on.
    pub(super) fn matches(&self, pattern: &[&str]) -> Vec<&[Token<'a>]> {
        (0..self.code.len())
            .map(|at| &self.code[at..])
            .filter(|rest| rest.len() >= pattern.len())
            .filter(|rest| rest.iter().zip(pattern).all(|(token, text)| token.text == *text))
            .collect()
    }

    pub(super) fn hit(&self, line: usize, what: impl Into<String>) -> Hit<'a> {
        Hit { path: self.path, line, what: what.into() }
    }
}

fn is_rust(path: &str) -> bool {
    path.ends_with(".rs")
}

/// Line ranges from `#[cfg(test)]` to the end of the item under it.
fn test_lines(code: &[Token<'_>]) -> Vec<RangeInclusive<usize>> {
    let is = |at: usize, text: &str| code.get(at).is_some_and(|token| token.text == text);
    let mut ranges = Vec::new();
    let mut at = 0;
    while at < code.len() {
        let starts = is(at, "#") && is(at + 1, "[") && is(at + 2, "cfg") && is(at + 3, "(");
        let close = closing(code, at + 1);
        let attribute = &code[at..close.max(at)];
        let for_tests = attribute.iter().any(|token| token.text == "test")
            && !attribute.iter().any(|token| token.text == "not");
        if !(starts && for_tests) {
            at += 1;
            continue;
        }
        let end = item_end(code, close + 1);
        let last = code.get(end).or(code.last()).map_or(1, |token| token.line);
        ranges.push(code[at].line..=last);
        at = end + 1;
    }
    ranges
}

/// Index of the bracket that closes the one at `open`; the end of the code when none does.
fn closing(code: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in code.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ if depth == 0 => return at,
            _ => {}
        }
    }
    code.len()
}

/// Index of the last token of the item that starts at `start`: its `;` or closing brace.
fn item_end(code: &[Token<'_>], start: usize) -> usize {
    let mut at = start;
    while at < code.len() {
        match code[at].text {
            ";" => return at,
            "{" => return closing(code, at),
            "(" | "[" => at = closing(code, at) + 1,
            _ => at += 1,
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[usize]) {
        let source = Source::new("crates/x/src/a.rs", text);
        let lines: Vec<usize> =
            (1..=text.lines().count()).filter(|&line| source.is_test(line)).collect();
        assert_eq!(lines, expected, "{text}");
    }

    #[test]
    fn test_modules_and_items_are_told_from_the_rest() {
        check("fn a() {}\n#[cfg(test)]\nmod tests {\n  fn b() {}\n}\nfn c() {}", &[2, 3, 4, 5]);
        check("#[cfg(test)]\n#[path = \"x.rs\"]\nmod tests;\nfn c() {}", &[1, 2, 3]);
        check("#[cfg(not(test))]\nfn a() {}", &[]);
        check("#[cfg(all(test, unix))]\nuse x::{y, z};\nfn a() {}", &[1, 2]);
        check("#[cfg(unix)]\nfn test() {}", &[]);
        check("#[test]\nfn a() {}", &[]);
    }

    #[test]
    fn test_files_are_known_by_their_place() {
        let is_test = |path| Source::new(path, "").is_test_file();
        assert!(is_test("tests/e2e/main.rs") && is_test("crates/x/tests/a.rs"));
        assert!(is_test("crates/x/src/extract/tests.rs"));
        assert!(!is_test("crates/test-support/src/lib.rs") && !is_test("crates/x/src/a.rs"));
    }

    #[test]
    fn a_folder_holds_what_lies_below_it() {
        let below = |path, folder| Source::new(path, "").is_below(folder);
        assert!(below("crates/cli/src/settings.rs", "crates/cli/src/settings"));
        assert!(below("crates/cli/src/settings/env.rs", "crates/cli/src/settings"));
        assert!(!below("crates/client/src/a.rs", "crates/cli"));
    }
}

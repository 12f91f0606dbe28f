//! Places in a file where a sketch can be put, found by text alone.

use std::cell::OnceCell;
use std::ops::Range;

use crate::language::Language;
use crate::line::{indent, is_call, is_statement};
use crate::mask;
use crate::packages::PackageFile;

/// Statements that stand deeper are left alone: one more level may be a fault of its own.
const MOST_LEVELS: usize = 3;

/// A file, line by line.
pub(super) struct Ground<'f> {
    pub(super) language: Language,
    pub(super) lines: Vec<&'f str>,
    /// Lines that begin inside a string or a comment.
    inside: Vec<bool>,
    /// Found when they are asked for first.
    statements: OnceCell<Vec<usize>>,
    /// The first line of the tests at the end of a Rust file; else the number of lines.
    pub(super) tests_from: usize,
    pub(super) is_test: bool,
    pub(super) documented: bool,
}

impl<'f> Ground<'f> {
    pub(super) fn of(file: &'f PackageFile) -> Self {
        let lines: Vec<&str> = file.text.lines().collect();
        let in_file = lines.iter().position(|line| line.starts_with("#[cfg(test)]"));
        let tests_from = match file.language {
            Language::Rust => in_file.unwrap_or(lines.len()),
            _ => lines.len(),
        };
        let is_test = is_test_path(&file.path);
        let inside = mask::inside(file.language, &file.text);
        Self {
            language: file.language,
            lines,
            inside,
            tests_from,
            is_test,
            documented: file.documented,
            statements: OnceCell::new(),
        }
    }

    /// The statements of product functions, as lines.
    pub(super) fn statements(&self) -> &[usize] {
        self.statements.get_or_init(|| {
            let is_site = |at: &usize| self.is_statement(*at) && self.follows_whole_line(*at);
            let lines = if self.is_test { 0..0 } else { 1..self.tests_from };
            lines.filter(is_site).collect()
        })
    }

    /// The statements that are a call and nothing else.
    pub(super) fn calls(&self) -> Vec<usize> {
        let is_call = |at: &usize| is_call(self.language, self.lines[*at].trim());
        self.statements().iter().copied().filter(is_call).collect()
    }

    /// Lines in front of which an item can stand.
    pub(super) fn items(&self) -> Vec<usize> {
        if self.is_test {
            return Vec::new();
        }
        (2..self.tests_from).filter(|at| self.is_gap(*at, "")).collect()
    }

    /// Lines in front of which a test can stand.
    pub(super) fn tests(&self) -> Vec<usize> {
        match self.language {
            Language::Rust => (self.tests_from + 2..self.lines.len())
                .filter(|at| self.lines[*at] == "    #[test]" && self.is_gap(*at, "    "))
                .collect(),
            _ if self.is_test => (2..self.lines.len()).filter(|at| self.is_gap(*at, "")).collect(),
            _ => Vec::new(),
        }
    }

    /// Statements around a line, on lines of their own: code as it was before a change.
    pub(super) fn block(&self, at: usize, n: usize) -> Vec<String> {
        let far = self.statements().iter().copied().filter(|line| line.abs_diff(at) > 3);
        let telling = far.filter(|line| self.lines[*line].contains(['(', '=']));
        let mut starts: Vec<usize> = telling.collect();
        starts.sort_by_key(|line| line.abs_diff(at));
        let wanted = starts.iter().find(|start| self.is_block(**start..**start + n));
        let block = wanted.or(starts.first()).map_or(0..0, |start| {
            if wanted.is_some() { *start..*start + n } else { *start..*start + 1 }
        });
        block.map(|line| self.lines[line].trim().to_owned()).collect()
    }

    fn is_block(&self, lines: Range<usize>) -> bool {
        lines.end <= self.tests_from
            && lines.clone().all(|line| self.is_statement(line))
            && lines.clone().all(|line| indent(self.lines[line]) == indent(self.lines[lines.start]))
    }

    fn is_statement(&self, at: usize) -> bool {
        let line = self.lines[at];
        !self.inside[at]
            && !indent(line).is_empty()
            && indent(line).len() <= MOST_LEVELS * self.language.indent().len()
            && is_statement(self.language, line.trim())
            && self.is_in_function(at)
    }

    /// Whether the line before has come to its end, so that something can stand between.
    fn follows_whole_line(&self, at: usize) -> bool {
        let (before, line) = (self.lines[at - 1], self.lines[at]);
        let opener = if self.language == Language::Python { ":" } else { "{" };
        let opens = before.ends_with(opener) && indent(before).len() < indent(line).len();
        let whole = indent(before) == indent(line) && is_statement(self.language, before.trim());
        !self.inside[at - 1] && (whole || opens && !self.is_python_data(at - 1))
    }

    /// An entry of a dictionary that ends in a colon, or the end of a long header.
    fn is_python_data(&self, at: usize) -> bool {
        const BLOCKS: [&str; 11] = [
            "if ", "elif ", "else:", "for ", "while ", "try:", "except", "finally:", "with ",
            "def ", "async ",
        ];
        let line = self.lines[at].trim_start();
        self.language == Language::Python && !BLOCKS.iter().any(|word| line.starts_with(word))
    }

    /// Whether the line stands in a function rather than in the body of a type.
    fn is_in_function(&self, at: usize) -> bool {
        let (functions, types): (&[&str], &[&str]) = match self.language {
            Language::Python => (&["def ", "async def "], &["class "]),
            Language::Go => (&["func "], &["type ", "var ", "const "]),
            _ => return true,
        };
        let begins = |line: &str, words: &[&str]| words.iter().any(|word| line.starts_with(word));
        let mut width = indent(self.lines[at]).len();
        for line in self.lines[..at].iter().rev() {
            if !line.trim().is_empty() && indent(line).len() < width {
                width = indent(line).len();
                let line = line.trim_start();
                if begins(line, functions) || begins(line, types) {
                    return begins(line, functions);
                }
            }
        }
        false
    }

    /// A line that begins something new at this indentation, after what ended and a blank line.
    fn is_gap(&self, at: usize, indentation: &str) -> bool {
        let line = self.lines[at];
        let begins = !line.is_empty() && indent(line) == indentation && !self.inside[at];
        let blank = self.lines[at - 1].trim().is_empty();
        let before = self.lines[..at].iter().rposition(|line| !line.trim().is_empty());
        let Some(before) = before.filter(|_| begins && blank) else { return false };
        let ended = self.lines[before];
        let bare = &line[indentation.len()..];
        match self.language {
            Language::Markdown => {
                bare.starts_with(char::is_alphanumeric)
                    && ended.starts_with(char::is_alphanumeric)
                    && !self.inside[at - 1]
            }
            Language::Python => {
                !indent(ended).is_empty()
                    && ["def ", "class ", "@", "async def "].iter().any(|w| bare.starts_with(w))
            }
            _ => {
                let ends =
                    ended.strip_prefix(indentation).is_some_and(|rest| rest.starts_with('}'));
                ends && !bare.starts_with(['}', ')', '.', ']'])
            }
        }
    }
}

/// Tests stand in folders and files that say so.
pub(super) fn is_test_path(path: &str) -> bool {
    let mut parts = path.split('/').rev();
    let name = parts.next().unwrap_or(path);
    let by_folder =
        parts.any(|part| matches!(part, "test" | "tests" | "testing") || part.ends_with("test"));
    by_folder || name.starts_with("test_") || name.contains("_test.") || name == "conftest.py"
}

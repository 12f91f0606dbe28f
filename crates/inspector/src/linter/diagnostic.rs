//! What a linter reports, in one shape for all of them.

use std::ops::Range;

use crate::edit::Rewrite;

/// One report of one rule at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    /// The linter's own name of the rule, behind the linter's: `ruff::F401`.
    pub(crate) rule: String,
    /// As the linter names it at first, then relative to the root.
    pub(crate) file: String,
    /// First and last line, counted from 1.
    pub(crate) lines: (u32, u32),
    pub(crate) level: Level,
    pub(crate) message: String,
    /// What the linter says can be done about it.
    pub(crate) help: Option<String>,
    pub(crate) repair: Repair,
}

/// How much a linter makes of it; most leave that to the rule's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Error,
    Warning,
    Hint,
    Style,
}

/// Whether the linter can mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Repair {
    /// By these edits, which the linter vouches for.
    Safe(Vec<Replacement>),
    /// It proposes something that may change what the code does.
    Unsafe,
    /// It knows no edit.
    Unknown,
}

impl Repair {
    /// Edits that the linter calls safe; none at all are no repair.
    pub(crate) fn safe(edits: Vec<Replacement>) -> Self {
        if edits.is_empty() { Self::Unknown } else { Self::Safe(edits) }
    }
}

/// A text for a stretch of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Replacement {
    pub(crate) span: Span,
    pub(crate) text: String,
}

impl Replacement {
    /// The edit in bytes of a text; `None` where the text has no such place.
    pub(crate) fn in_text(&self, text: &str) -> Option<Rewrite> {
        Some(Rewrite { range: self.span.bytes(text)?, text: self.text.clone() })
    }
}

/// A stretch of a file, in the measure of the linter that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Span {
    Bytes(Range<usize>),
    /// Code units of UTF-16, as JavaScript counts; a byte order mark is not counted.
    Utf16(Range<usize>),
    Cells(Range<Cell>),
}

/// A line and a column in characters, both counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Span {
    fn bytes(&self, text: &str) -> Option<Range<usize>> {
        let range = match self {
            Self::Bytes(range) => range.clone(),
            Self::Utf16(range) => utf16(text, range.start)?..utf16(text, range.end)?,
            Self::Cells(range) => cell(text, range.start)?..cell(text, range.end)?,
        };
        // Out of the text, reversed, or inside a character: the file is not what the linter saw.
        text.get(range.clone()).is_some().then_some(range)
    }
}

fn utf16(text: &str, units: usize) -> Option<usize> {
    let skipped = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut left = units;
    for (at, character) in text[skipped..].char_indices() {
        if left == 0 {
            return Some(skipped + at);
        }
        left = left.checked_sub(character.len_utf16())?;
    }
    (left == 0).then_some(text.len())
}

fn cell(text: &str, Cell { line, column }: Cell) -> Option<usize> {
    let above: usize = text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    // The line behind the last line end is there, and empty.
    let is_there = line == 1 || text[..above].matches('\n').count() == line - 1;
    let rest = text[above..].split('\n').next().filter(|_| is_there)?;
    let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
    ends.skip(column.checked_sub(1)?).map(|at| above + at).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(span: &Span, text: &str, expected: Option<&str>) {
        let found = span.bytes(text).map(|range| &text[range]);
        assert_eq!(found, expected, "{span:?} {text:?}");
    }

    fn cells(from: (usize, usize), to: (usize, usize)) -> Span {
        let cell = |(line, column)| Cell { line, column };
        Span::Cells(cell(from)..cell(to))
    }

    #[test]
    fn a_place_is_found_in_the_measure_of_each_linter() {
        check(&Span::Bytes(1..3), "aéb", Some("é"));
        check(&Span::Utf16(1..3), "a😀b", Some("😀"));
        check(&Span::Utf16(0..1), "\u{feff}ab", Some("a"));
        check(&Span::Utf16(3..4), "a😀b", Some("b"));
        check(&cells((2, 2), (2, 3)), "x\naéb\n", Some("é"));
        check(&cells((1, 1), (2, 1)), "x\ny\n", Some("x\n"));
        check(&cells((2, 1), (3, 1)), "x\ny\n", Some("y\n"));
        check(&cells((1, 2), (1, 2)), "x\r\n", Some(""));
        check(&cells((1, 1), (1, 1)), "", Some(""));
    }

    #[test]
    fn a_place_that_the_text_does_not_have_is_none() {
        check(&Span::Bytes(1..2), "aéb", None);
        check(&Span::Bytes(1..9), "ab", None);
        check(&Span::Utf16(0..2), "a😀b", None);
        check(&Span::Utf16(0..9), "ab", None);
        check(&cells((1, 1), (3, 1)), "x\n", None);
        check(&cells((1, 3), (1, 4)), "x\ny\n", None);
        check(&cells((0, 1), (1, 1)), "x\n", None);
    }
}

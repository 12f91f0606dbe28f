//! A page of plain text.

use crate::inert;
use crate::wrap::{columns_of, pad, wrap};

/// Columns of the widest line, paths and other long words apart.
pub(crate) const WIDTH: usize = 96;
/// Columns of the names before values.
pub(crate) const LABEL: usize = 14;

/// Text that grows line by line.
#[derive(Default)]
pub(crate) struct Page {
    text: String,
}

impl Page {
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    pub(crate) fn section(&mut self, title: &str) {
        self.line("");
        self.line(title);
    }

    /// Wraps one line of text; what follows the first stands below `indent` blanks.
    pub(crate) fn wrapped(&mut self, first: &str, indent: usize, text: &str) {
        let rest = " ".repeat(indent);
        let mut before = pad(first, indent);
        for line in wrap(text, WIDTH - indent) {
            self.line(&format!("{before}{line}"));
            before.clone_from(&rest);
        }
    }

    pub(crate) fn pair(&mut self, label: &str, text: &str) {
        self.wrapped(&format!("  {label}"), LABEL + 2, text);
    }

    /// The whole text, safe for a build server's log.
    pub(crate) fn finish(self) -> String {
        inert::without_commands(&self.text)
    }
}

/// Code is not wrapped; a line that is too long ends in `…`.
pub(crate) fn cut(line: &str, width: usize) -> String {
    if columns_of(line) <= width {
        return line.to_owned();
    }
    let mut left = width - 1;
    let fitting = line.chars().take_while(|character| {
        let columns = columns_of(character.encode_utf8(&mut [0; 4]));
        let fits = columns <= left;
        left = left.saturating_sub(columns);
        fits
    });
    format!("{}…", fitting.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_code_that_is_too_long_ends_with_a_mark() {
        let check = |line: &str, expected: &str| assert_eq!(cut(line, 5), expected);
        check("12345", "12345");
        check("123456", "1234…");
        check("漢字漢字", "漢字…");
        check("", "");
    }
}

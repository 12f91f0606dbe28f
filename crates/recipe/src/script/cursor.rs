//! Stepping through the text of a script.

use super::command::Command;
use super::reader::Reader;

/// Substitutions inside substitutions.
const MAX_DEPTH: usize = 32;

impl Reader<'_> {
    /// Goes one substitution deeper; `false` when that is too deep to follow.
    pub(super) fn enter(&mut self) -> bool {
        self.depth += 1;
        let follows = self.depth <= MAX_DEPTH;
        if !follows {
            self.at = self.text.len();
        }
        follows
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn starts_with(&self, prefix: &str) -> bool {
        self.text[self.at..].starts_with(prefix)
    }

    /// Passes over the character here, and the one behind a backslash.
    pub(super) fn skip(&mut self) {
        let escaped = self.peek() == Some(b'\\');
        for c in self.text[self.at..].chars().take(1 + usize::from(escaped)) {
            self.at += c.len_utf8();
        }
    }

    pub(super) fn take_char(&mut self, command: &mut Command, start: usize) {
        if let Some(c) = self.text[self.at..].chars().next() {
            command.push(c, start);
            self.at += c.len_utf8();
        }
    }
}

//! The pieces that a word is made of.

use super::command::Command;
use super::escapes;
use super::reader::Reader;
use super::separators::Opener;

impl Reader<'_> {
    /// Whether an index of an array is read: all of it where bash reads one, elsewhere from what is
    /// more than plain characters.
    pub(super) fn in_index(&self, byte: u8, command: &Command, openers: &[Opener]) -> bool {
        let in_patterns = openers.last() == Some(&Opener::CasePattern);
        command.in_subscript()
            && ((command.takes_assignments() && !in_patterns)
                || self.token().is_some()
                || matches!(byte, b'"' | b'\'' | b'$' | b'`'))
    }

    /// One piece of a word, or what parts words.
    pub(super) fn word_byte(&mut self, byte: u8, command: &mut Command, openers: &mut Vec<Opener>) {
        let start = self.at;
        match byte {
            _ if self.at_substitution() || (self.at_redirection() && !command.in_conditional()) => {
                self.redirection(command);
            }
            b' ' | b'\t' | b'>' | b'<' | b'&' | b'|' | b';' => {
                self.at += 1;
                self.end_word(command, openers);
            }
            b'\\' => {
                self.at += 1;
                match self.text[self.at..].chars().next() {
                    Some('\n') => self.at += 1,
                    Some(c) => {
                        command.push_quoted(c.encode_utf8(&mut [0; 4]), start);
                        self.at += c.len_utf8();
                    }
                    None => {}
                }
            }
            b'\'' | b'"' => self.quoted(command),
            b'$' if self.starts_with("$'") || self.starts_with("$\"") => self.quoted(command),
            b'$' | b'`' => {
                self.piece(byte, false);
                command.push_opaque(start);
            }
            _ => self.take_char(command, start),
        }
    }

    /// A quoted piece of a word: its text counts as the text of the word.
    fn quoted(&mut self, command: &mut Command) {
        let start = self.at;
        let dollar = usize::from(self.peek() == Some(b'$'));
        let double = self.text[start + dollar..].starts_with('"');
        match (dollar, double) {
            (1, _) => self.dollar(false),
            (_, true) => self.double_quoted(),
            (_, false) => self.single_quoted(),
        }
        let quotes = start + dollar + 1..self.at.saturating_sub(1).max(start + dollar + 1);
        let first_token = self.tokens_in(&quotes).next().map(|token| token.start);
        let known = self.text.get(quotes.start..first_token.unwrap_or(quotes.end)).unwrap_or("");
        let known = if first_token.is_some() { known.to_owned() + "\0" } else { known.to_owned() };
        let text = match (dollar, double) {
            (1, false) => escapes::ansi_c(&known),
            (_, true) => escapes::double_quoted(&known),
            (_, false) => known,
        };
        command.push_quoted(&text, start);
        if first_token.is_some() {
            command.mark_value(start);
        }
    }
}

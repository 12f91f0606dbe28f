//! Finds out where in a shell script each token stands.
//!
//! Follows bash's own rules for quotes, substitutions, comments, `case` and here-documents. It need not
//! be right to be safe: a token always becomes the expansion of a variable, so a place that is judged
//! wrongly gives a wrong word, never a command. Where bash runs text or arithmetic, tokens are refused.

use std::ops::Range;

use super::ScriptFault;
use super::binding::{Place, Why};
use super::command::Command;
use super::heredoc::HereDocument;
use crate::template::Path;

/// What the reader found.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) edits: Vec<(Range<usize>, String)>,
    pub(super) paths: Vec<(Path, Range<usize>)>,
}

/// What a `)` would close.
#[derive(PartialEq, Eq)]
enum Opener {
    Paren,
    /// The list of an array, part of the command around it; `[…]=` is an index.
    Array,
    /// A `)` ends a pattern; `esac` closes it.
    Case,
}

pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) tokens: &'t [(Path, Range<usize>)],
    /// Which tokens were bound, refused or passed over in a comment.
    pub(super) settled: Vec<bool>,
    pub(super) reading: Reading,
    pub(super) faults: Vec<ScriptFault>,
    pub(super) pending: Vec<HereDocument>,
    pub(super) depth: usize,
    /// Why tokens are refused in what is being read.
    pub(super) refused: Option<Why>,
}

/// Finds the place of every token.
pub(super) fn read(
    text: &str,
    tokens: &[(Path, Range<usize>)],
) -> Result<Reading, Vec<ScriptFault>> {
    let (settled, reading) = (vec![false; tokens.len()], Reading::default());
    let (faults, pending) = (Vec::new(), Vec::new());
    let mut reader =
        Reader { text, at: 0, tokens, settled, reading, faults, pending, depth: 0, refused: None };
    reader.commands(None);
    reader.refuse_unsettled();
    reader.refuse_overlaps();
    if reader.faults.is_empty() {
        return Ok(reader.reading);
    }
    reader.faults.sort_by_key(|fault| fault.span.start);
    reader.faults.dedup_by_key(|fault| fault.span.start);
    Err(reader.faults)
}

impl Reader<'_> {
    /// Commands up to an unmatched `)`, or the end of the script.
    pub(super) fn commands(&mut self, closer: Option<u8>) {
        let mut openers = Vec::new();
        let mut command = Command::default();
        while let Some(byte) = self.peek() {
            let start = self.at;
            if self.token().is_some() {
                if command.in_subscript() {
                    self.index();
                } else {
                    self.bind_here(Place::Bare);
                }
                command.push_opaque(start);
                continue;
            }
            match byte {
                b')' if openers.is_empty() && closer.is_some() => {
                    self.end_command(&mut command, &mut openers);
                    self.at += 1;
                    return;
                }
                b'(' if self.starts_with("((") && command.at_word_start() => {
                    self.at += 2;
                    self.arithmetic();
                }
                b'(' | b')' => self.parenthesis(byte, &mut command, &mut openers),
                b'[' if openers.last() == Some(&Opener::Array) && command.at_word_start() => {
                    self.at += 1;
                    command.push('[', start);
                    self.index();
                }
                b'\n' => {
                    self.at += 1;
                    self.end_line(&mut command, &mut openers);
                }
                b';' | b'&' | b'|' if !command.in_conditional() && !self.in_redirection() => {
                    self.at += 1;
                    self.end_command(&mut command, &mut openers);
                }
                b'#' if command.at_word_start() => self.comment(),
                _ => self.word_byte(byte, &mut command, &mut openers),
            }
        }
        self.end_command(&mut command, &mut openers);
    }

    fn parenthesis(&mut self, byte: u8, command: &mut Command, openers: &mut Vec<Opener>) {
        let in_array = openers.last() == Some(&Opener::Array);
        if byte == b'(' && command.word_ends_with('=') {
            self.end_word(command, openers);
            openers.push(Opener::Array);
        } else if byte == b'(' {
            self.end_command(command, openers);
            openers.push(Opener::Paren);
        } else if in_array {
            self.end_word(command, openers);
            openers.pop();
        } else {
            self.end_command(command, openers);
            if openers.last() == Some(&Opener::Paren) {
                openers.pop();
            }
        }
        self.at += 1;
    }

    /// One piece of a word, or what parts words.
    fn word_byte(&mut self, byte: u8, command: &mut Command, openers: &mut Vec<Opener>) {
        let start = self.at;
        match byte {
            b' ' | b'\t' | b'>' | b'&' | b'|' | b';' => {
                self.at += 1;
                self.end_word(command, openers);
            }
            b'<' if self.starts_with("<<<") => {
                self.at += 3;
                self.end_word(command, openers);
            }
            b'<' if self.starts_with("<<") && !command.in_conditional() => {
                self.end_word(command, openers);
                self.here_document(command.is_interpreter());
            }
            b'<' => {
                self.at += 1;
                self.end_word(command, openers);
            }
            b'\\' => {
                self.at += 1;
                match self.peek() {
                    Some(b'\n') => self.at += 1,
                    _ => self.take_char(command, start),
                }
            }
            b'\'' | b'"' => {
                if byte == b'"' {
                    self.double_quoted();
                } else {
                    self.single_quoted();
                }
                command.push_quoted(&self.text[start..self.at], start);
            }
            b'$' | b'`' => {
                self.piece(byte, false);
                command.push_opaque(start);
            }
            _ => self.take_char(command, start),
        }
    }

    fn end_line(&mut self, command: &mut Command, openers: &mut Vec<Opener>) {
        if command.in_conditional() || openers.last() == Some(&Opener::Array) {
            self.end_word(command, openers);
        } else {
            self.end_command(command, openers);
        }
        self.here_document_bodies();
    }

    fn end_word(&mut self, command: &mut Command, openers: &mut Vec<Opener>) {
        match command.end_word(self.at) {
            Some("case") => openers.push(Opener::Case),
            Some("esac") if openers.last() == Some(&Opener::Case) => {
                openers.pop();
            }
            _ => {}
        }
    }

    fn end_command(&mut self, command: &mut Command, openers: &mut Vec<Opener>) {
        self.end_word(command, openers);
        for (word, message, remedy) in command.finish() {
            for token in self.tokens_in(&word).cloned().collect::<Vec<_>>() {
                self.refuse(&token, &message, remedy);
            }
        }
    }

    /// A token in a comment stays as it is.
    fn comment(&mut self) {
        let end =
            self.text[self.at..].find('\n').map_or(self.text.len(), |length| self.at + length);
        for (token, settled) in self.tokens.iter().zip(&mut self.settled) {
            *settled |= (self.at..end).contains(&token.1.start);
        }
        self.at = end;
    }
}

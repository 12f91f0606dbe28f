//! Finds out where in a shell script each token stands.
//!
//! Follows bash's own rules for quotes, substitutions, comments, `case` and here-documents. It need not
//! be right to be safe: a token always becomes the expansion of a variable, so a place that is judged
//! wrongly gives a wrong word, never a command. Where bash runs text or arithmetic, tokens are refused.

use std::ops::Range;

use super::ScriptFault;
use super::binding::Place;
use super::command::Command;
use super::heredoc::HereDocument;
use super::quotes::NO_ARITHMETIC;
use crate::template::Path;

/// What the reader found.
pub(super) struct Reading {
    pub(super) edits: Vec<(Range<usize>, String)>,
    pub(super) paths: Vec<(Path, Range<usize>)>,
}

/// What a `)` would close.
#[derive(PartialEq, Eq)]
enum Opener {
    Paren,
    /// A `)` ends a pattern; `esac` closes it.
    Case,
}

/// Substitutions inside substitutions.
const MAX_DEPTH: usize = 32;

pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) tokens: &'t [(Path, Range<usize>)],
    /// Which tokens were bound, refused or passed over in a comment.
    pub(super) settled: Vec<bool>,
    pub(super) reading: Reading,
    pub(super) faults: Vec<ScriptFault>,
    pub(super) pending: Vec<HereDocument>,
    depth: usize,
}

/// Finds the place of every token.
pub(super) fn read(
    text: &str,
    tokens: &[(Path, Range<usize>)],
) -> Result<Reading, Vec<ScriptFault>> {
    let mut reader = Reader {
        text,
        at: 0,
        tokens,
        settled: vec![false; tokens.len()],
        reading: Reading { edits: Vec::new(), paths: Vec::new() },
        faults: Vec::new(),
        pending: Vec::new(),
        depth: 0,
    };
    reader.commands(None);
    reader.refuse_unsettled();
    if reader.faults.is_empty() {
        reader.reading.edits.sort_by_key(|(span, _)| (span.start, span.end));
        Ok(reader.reading)
    } else {
        reader.faults.sort_by_key(|fault| fault.span.start);
        Err(reader.faults)
    }
}

impl Reader<'_> {
    /// Commands up to an unmatched `)`, or the end of the script.
    pub(super) fn commands(&mut self, closer: Option<u8>) {
        let mut openers = Vec::new();
        let mut command = Command::default();
        while let Some(byte) = self.peek() {
            if let Some(token) = self.token() {
                if command.in_subscript() {
                    self.refuse_here(token, "an array index is arithmetic", NO_ARITHMETIC);
                    continue;
                }
                command.push_token(token.clone());
                self.bind(token, Place::Bare);
                continue;
            }
            match byte {
                b')' => {
                    self.end_command(&mut command, &mut openers);
                    self.at += 1;
                    if openers.is_empty() && closer.is_some() {
                        break;
                    }
                    if openers.last() == Some(&Opener::Paren) {
                        openers.pop();
                    }
                }
                b'(' if self.starts_with("((") && command.at_word_start() => {
                    self.at += 2;
                    self.arithmetic(2);
                }
                b'(' => {
                    self.end_command(&mut command, &mut openers);
                    openers.push(Opener::Paren);
                    self.at += 1;
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

    /// One piece of a word, or what parts words.
    fn word_byte(&mut self, byte: u8, command: &mut Command, openers: &mut Vec<Opener>) {
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
                self.here_document(command.interpreter());
            }
            b'<' => {
                self.at += 1;
                self.end_word(command, openers);
            }
            b'\\' => {
                if self.starts_with("\\\n") {
                    self.at += 2;
                } else {
                    self.at += 1;
                    self.take_char(command);
                }
            }
            b'\'' => {
                let start = self.at;
                command.push_tokens(self.single_quoted());
                command.push_quoted(&self.text[start..self.at]);
            }
            b'"' => {
                let start = self.at;
                command.push_tokens(self.double_quoted());
                command.push_quoted(&self.text[start..self.at]);
            }
            b'$' => {
                command.push_expansion();
                command.push_tokens(self.dollar(false));
            }
            b'`' => {
                command.push_expansion();
                self.backtick();
            }
            _ => self.take_char(command),
        }
    }

    fn take_char(&mut self, command: &mut Command) {
        if let Some(c) = self.text[self.at..].chars().next() {
            command.push(c);
            self.at += c.len_utf8();
        }
    }

    fn end_line(&mut self, command: &mut Command, openers: &mut Vec<Opener>) {
        if command.in_conditional() {
            self.end_word(command, openers);
        } else {
            self.end_command(command, openers);
        }
        self.here_document_bodies();
    }

    fn end_word(&mut self, command: &mut Command, openers: &mut Vec<Opener>) {
        match command.end_word() {
            Some("case") => openers.push(Opener::Case),
            Some("esac") if openers.last() == Some(&Opener::Case) => {
                openers.pop();
            }
            _ => {}
        }
    }

    fn end_command(&mut self, command: &mut Command, openers: &mut Vec<Opener>) {
        self.end_word(command, openers);
        for (token, message, remedy) in command.finish() {
            self.refuse(&token, &message, &remedy);
        }
    }

    /// Whether this `&` belongs to a redirection such as `2>&1` or `&>file`.
    fn in_redirection(&self) -> bool {
        self.starts_with("&>")
            || (self.peek() == Some(b'&') && self.text[..self.at].ends_with(['>', '<']))
            || (self.peek() == Some(b'|') && self.text[..self.at].ends_with('>'))
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
}

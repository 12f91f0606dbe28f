//! Finds out where in a shell script each token stands.
//!
//! Follows bash's own rules for quotes, substitutions, comments, `case` and here-documents. It need not
//! be right to be safe: a token always becomes the expansion of a variable, so a place that is judged
//! wrongly gives a wrong word, never a command. Where bash runs text or arithmetic, tokens are refused.

use std::ops::Range;

use super::ScriptFault;
use super::assignment::Variables;
use super::binding::{Place, Why};
use super::command::Command;
use super::heredoc::HereDocument;
use super::separators::Opener;
use crate::template::Path;

/// What the reader found.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) edits: Vec<(Range<usize>, String)>,
    pub(super) paths: Vec<(Path, Range<usize>)>,
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
    pub(super) variables: Variables,
}

/// Finds the place of every token.
pub(super) fn read(
    text: &str,
    tokens: &[(Path, Range<usize>)],
) -> Result<Reading, Vec<ScriptFault>> {
    let (settled, reading) = (vec![false; tokens.len()], Reading::default());
    let (faults, pending) = (Vec::new(), Vec::new());
    let variables = Variables::default();
    let (depth, refused) = (0, None);
    let mut reader = Reader {
        text,
        at: 0,
        tokens,
        settled,
        reading,
        faults,
        pending,
        depth,
        refused,
        variables,
    };
    reader.commands(None);
    reader.refuse_assigned();
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
            if self.in_index(byte, &command, &openers) {
                self.index();
                command.push_index(&self.text[start..self.at], start);
                continue;
            }
            if self.bind_here(Place::Bare) {
                command.push_opaque(start);
                command.mark_value(start);
                continue;
            }
            match byte {
                b'(' | b')' if command.in_conditional() => {
                    self.end_word(&mut command, &mut openers);
                    self.at += 1;
                }
                b')' if closer.is_some() && self.closes_all(&mut command, &mut openers) => {
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
                b';' | b'&' | b'|' if !command.in_conditional() && !self.at_redirection() => {
                    self.separator(byte, &mut command, &mut openers);
                }
                b'#' if command.at_word_start() => self.comment(),
                _ => self.word_byte(byte, &mut command, &mut openers),
            }
        }
        self.end_command(&mut command, &mut openers);
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

//! What parts commands, and what a `)` closes.

use super::command::Command;
use super::reader::Reader;

/// What a `)` would close.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Opener {
    Paren,
    /// The list of an array, part of the command around it; `[…]=` is an index.
    Array,
    /// A `)` ends the pattern of a `case`; `esac` closes it.
    CasePattern,
    /// What a `case` runs for a pattern, up to `;;`.
    CaseBody,
    /// `@(…)` and the like inside a word.
    Pattern,
}

impl Reader<'_> {
    /// Whether a `)` here closes what the commands stand in; `esac)` ends its `case` first.
    pub(super) fn closes_all(&mut self, command: &mut Command, openers: &mut Vec<Opener>) -> bool {
        if matches!(openers.last(), Some(Opener::CasePattern | Opener::CaseBody)) {
            self.end_word(command, openers);
        }
        openers.is_empty()
    }

    pub(super) fn parenthesis(
        &mut self,
        byte: u8,
        command: &mut Command,
        openers: &mut Vec<Opener>,
    ) {
        let pattern_of_words =
            command.has_words() && command.word_ends_with(&['?', '*', '+', '@', '!']);
        match (byte, openers.last()) {
            (b'(', _) if command.word_ends_with(&['=']) => {
                command.open_list(self.at);
                openers.push(Opener::Array);
            }
            (b'(', _) if pattern_of_words => {
                command.push('(', self.at);
                openers.push(Opener::Pattern);
            }
            (b'(', Some(Opener::CasePattern)) => command.open_pattern(self.at),
            (b'(', _) => {
                self.end_command(command, openers);
                openers.push(Opener::Paren);
            }
            (_, Some(Opener::Array)) => {
                command.close_list(self.at);
                openers.pop();
            }
            (_, Some(Opener::Pattern)) => {
                command.push(')', self.at);
                openers.pop();
            }
            (_, last) => {
                let last = last.copied();
                self.end_command(command, openers);
                if matches!(last, Some(Opener::Paren | Opener::CasePattern)) {
                    openers.pop();
                }
                if last == Some(Opener::CasePattern) {
                    openers.push(Opener::CaseBody);
                }
            }
        }
        self.at += 1;
    }

    /// `;`, `&` or `|` between commands, patterns and branches.
    pub(super) fn separator(&mut self, byte: u8, command: &mut Command, openers: &mut Vec<Opener>) {
        let ends_branch = self.starts_with(";;") || self.starts_with(";&");
        self.at += 1;
        if byte == b'|' && matches!(openers.last(), Some(Opener::CasePattern | Opener::Pattern)) {
            self.end_word(command, openers);
            return;
        }
        self.end_command(command, openers);
        if ends_branch && openers.last() == Some(&Opener::CaseBody) {
            self.at += 1 + usize::from(self.starts_with(";&"));
            openers.pop();
            openers.push(Opener::CasePattern);
        }
    }

    pub(super) fn end_line(&mut self, command: &mut Command, openers: &mut Vec<Opener>) {
        let goes_on = openers.last() == Some(&Opener::Array)
            || (openers.last() == Some(&Opener::CasePattern) && command.awaits_in());
        if command.in_conditional() || goes_on {
            self.end_word(command, openers);
        } else {
            self.end_command(command, openers);
        }
        self.here_document_bodies();
    }

    pub(super) fn end_word(&mut self, command: &mut Command, openers: &mut Vec<Opener>) {
        let in_patterns = openers.last() == Some(&Opener::CasePattern);
        match command.end_word(self.at, in_patterns) {
            Some("case") => openers.push(Opener::CasePattern),
            Some("esac")
                if matches!(openers.last(), Some(Opener::CasePattern | Opener::CaseBody)) =>
            {
                openers.pop();
            }
            _ => {}
        }
    }

    pub(super) fn end_command(&mut self, command: &mut Command, openers: &mut Vec<Opener>) {
        self.end_word(command, openers);
        let judgement = command.finish();
        for (word, message, remedy) in judgement.refused {
            self.refuse_in(&word, &message, remedy);
        }
        self.note(judgement.assignments, judgement.computed);
    }
}

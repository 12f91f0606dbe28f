//! Tokens that are met while a script is read: bound where they stand, or refused.

use std::ops::Range;

use super::quotes::BIND_FIRST;
use super::reader::Reader;
use super::{ScriptFault, variable};
use crate::template::Path;

/// Where a token stands, as far as its value can be bound there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Bare,
    Double,
    Single,
    HereDocument,
}

impl Reader<'_> {
    /// The token that begins here.
    pub(super) fn token(&self) -> Option<Range<usize>> {
        let number = self.tokens.binary_search_by_key(&self.at, |(_, span)| span.start).ok()?;
        Some(self.tokens[number].1.clone())
    }

    /// Places of all tokens.
    pub(super) fn token_spans(&self) -> impl Iterator<Item = &Range<usize>> {
        self.tokens.iter().map(|(_, span)| span)
    }

    /// Passes over a token and binds it to the variable of its path.
    pub(super) fn bind(&mut self, span: Range<usize>, place: Place) {
        let Some(path) = self.settle(&span) else { return };
        let known = self.reading.paths.iter().position(|(found, _)| *found == path);
        let number = known.unwrap_or_else(|| {
            self.reading.paths.push((path, span.clone()));
            self.reading.paths.len() - 1
        });
        let expansion = format!("${{{}}}", variable(number));
        let replacement = match place {
            Place::Bare => format!("\"{expansion}\""),
            Place::Double | Place::HereDocument => expansion,
            Place::Single => format!("'\"{expansion}\"'"),
        };
        self.edit(span, replacement);
    }

    pub(super) fn edit(&mut self, span: Range<usize>, replacement: String) {
        self.reading.edits.push((span, replacement));
    }

    /// Passes over a token that cannot be bound here.
    pub(super) fn refuse_here(&mut self, token: Range<usize>, message: &str, remedy: &str) {
        if self.settle(&token).is_some() {
            self.refuse(&token, message, remedy);
        }
    }

    /// Passes over a token; its path, unless it was settled before.
    fn settle(&mut self, span: &Range<usize>) -> Option<Path> {
        self.at = span.end;
        let number = self.tokens.binary_search_by_key(&span.start, |(_, span)| span.start).ok()?;
        if std::mem::replace(&mut self.settled[number], true) {
            let message = "it stands where a here-document ends inside an expansion";
            self.refuse(span, message, BIND_FIRST);
            return None;
        }
        Some(self.tokens[number].0.clone())
    }

    pub(super) fn refuse(&mut self, token: &Range<usize>, message: &str, remedy: &str) {
        let (message, remedy) = (message.to_owned(), remedy.to_owned());
        self.faults.push(ScriptFault { span: token.clone(), message, remedy });
    }

    /// What was never passed over: behind a backslash, or nested too deep.
    pub(super) fn refuse_unsettled(&mut self) {
        for (number, (_, span)) in self.tokens.iter().enumerate() {
            if !self.settled[number] {
                self.refuse(span, "a value cannot be bound where this stands", BIND_FIRST);
            }
        }
    }
}

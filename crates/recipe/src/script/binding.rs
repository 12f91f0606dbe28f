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

/// Why tokens are refused in a place, and the way around it.
pub(super) type Why = (&'static str, &'static str);

impl Reader<'_> {
    /// The token that begins here.
    pub(super) fn token(&self) -> Option<Range<usize>> {
        let number = self.tokens.binary_search_by_key(&self.at, |(_, span)| span.start).ok()?;
        Some(self.tokens[number].1.clone())
    }

    /// Places of the tokens in a part of the text.
    pub(super) fn tokens_in(&self, part: &Range<usize>) -> impl Iterator<Item = &Range<usize>> {
        let tokens = self.tokens.iter().map(|(_, span)| span);
        tokens.filter(|span| part.contains(&span.start))
    }

    /// Binds the token that begins here, if one does.
    pub(super) fn bind_here(&mut self, place: Place) -> bool {
        let token = self.token();
        token.clone().into_iter().for_each(|token| self.bind(token, place));
        token.is_some()
    }

    /// Reads a place in which tokens are refused, however deep they stand.
    pub(super) fn refusing<T>(&mut self, why: Why, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.refused.replace(why);
        let found = read(self);
        self.refused = outer;
        found
    }

    /// Passes over a token and binds it to the variable of its path.
    fn bind(&mut self, span: Range<usize>, place: Place) {
        let Some(path) = self.settle(&span) else { return };
        if let Some((message, remedy)) = self.refused {
            return self.refuse(&span, message, remedy);
        }
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

    /// Refuses the tokens in a part of the text.
    pub(super) fn refuse_in(&mut self, part: &Range<usize>, message: &str, remedy: &str) {
        for token in self.tokens_in(part).cloned().collect::<Vec<_>>() {
            self.refuse(&token, message, remedy);
        }
    }

    /// What was never passed over: behind a backslash, or nested too deep.
    pub(super) fn refuse_unsettled(&mut self) {
        for (number, (_, span)) in self.tokens.iter().enumerate() {
            if !self.settled[number] {
                self.refuse(span, "a value cannot be bound where this stands", BIND_FIRST);
            }
        }
    }

    /// Orders the edits; two that meet mean that the script was read in two ways.
    pub(super) fn refuse_overlaps(&mut self) {
        let edits = &mut self.reading.edits;
        edits.sort_by_key(|(span, _)| (span.start, span.end));
        let overlap = edits.windows(2).any(|pair| pair[0].0.end > pair[1].0.start);
        if let (true, Some((_, token))) = (overlap, self.tokens.first()) {
            self.refuse(token, "the here-documents of this script cannot be followed", BIND_FIRST);
        }
    }
}

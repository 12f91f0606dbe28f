//! Stepping through the words of an expression.

use std::ops::Range;

use super::ExprError;
use super::lexer::Token;

/// The words of an expression and how far they are read.
pub(super) struct Cursor {
    pub(super) tokens: Vec<(Token, Range<usize>)>,
    pub(super) next: usize,
    /// Where the text ends.
    pub(super) end: usize,
    pub(super) depth: usize,
}

impl Cursor {
    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(token, _)| token)
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let here = matches!(self.peek(), Some(Token::Word(found)) if found == word);
        self.next += usize::from(here);
        here
    }

    pub(super) fn take_sign(&mut self, sign: &str) -> bool {
        let here = matches!(self.peek(), Some(Token::Sign(found)) if *found == sign);
        self.next += usize::from(here);
        here
    }

    pub(super) fn expect_sign(&mut self, sign: &str) -> Result<(), ExprError> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.tokens.get(self.next).map_or(self.end..self.end, |(_, span)| span.clone())
    }

    pub(super) fn last_end(&self) -> usize {
        self.tokens[..self.next].last().map_or(0, |(_, span)| span.end)
    }

    pub(super) fn unexpected(&self, wanted: &str) -> ExprError {
        let found = match self.peek() {
            None => "the end".to_owned(),
            Some(Token::Word(word)) => format!("`{word}`"),
            Some(Token::Text(_)) => "a text".to_owned(),
            Some(Token::Int(_) | Token::Float(_)) => "a number".to_owned(),
            Some(Token::Sign(sign)) => format!("`{sign}`"),
        };
        ExprError::new(self.span(), format!("expected {wanted}, found {found}"))
    }
}

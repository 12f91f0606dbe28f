//! Conditions: one small language on typed values (D38).

mod call;
mod compare;
mod cursor;
mod eval;
mod lexer;
mod parser;
mod tree;

use std::ops::Range;

use crate::{Datum, Scope};
use tree::Tree;

/// A parsed expression.
///
/// `or and not`, one comparison (`== != < <= > >= in`, `not in`), then fields `.name`, `['name']`,
/// `[0]`, methods of text and the functions `int float str bool len min max`. Comparisons do not
/// chain; there is no arithmetic. At most 8192 bytes, 32 levels of
/// brackets and 16 links (`.name`, `[…]`, calls) in a row. Evaluation is total: it
/// gives a value or an error with a place, never a guess.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    text: String,
    tree: Tree,
}

/// An expression cannot be read, or has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExprError {
    /// Bytes of the expression or template that it is about.
    pub span: Range<usize>,
    /// What is wrong: a lower-case fragment.
    pub message: String,
    /// What to write instead.
    pub remedy: Option<String>,
}

impl ExprError {
    pub(crate) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), remedy: None }
    }

    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// A name that nothing declares, with the nearest one that something does.
    pub(crate) fn undeclared<'n>(
        span: Range<usize>,
        name: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let error = Self::new(span, format!("nothing declares `{name}`"));
        match crate::scope::nearest(name, names) {
            Some(near) => error.remedy(format!("did you mean `{near}`?")),
            None => error,
        }
    }
}

impl Expr {
    /// Reads an expression.
    ///
    /// # Errors
    /// Anything that is not wholly one expression; the span is in `text`.
    pub fn parse(text: &str) -> Result<Self, ExprError> {
        Ok(Self { text: text.to_owned(), tree: parser::parse(text)? })
    }

    /// The expression as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value of the expression; `and` and `or` give the operand that decided.
    ///
    /// # Errors
    /// Undeclared names, missing fields, indexing what has no fields, comparing across kinds (null
    /// apart), unknown calls, and texts such as `false` where a condition is wanted.
    pub fn eval(&self, scope: &dyn Scope) -> Result<Datum, ExprError> {
        eval::eval(&self.tree, scope).map(std::borrow::Cow::into_owned)
    }

    /// Whether the expression holds.
    ///
    /// # Errors
    /// As [`Expr::eval`], and the texts that [`Datum::truthy`] refuses.
    pub fn condition(&self, scope: &dyn Scope) -> Result<bool, ExprError> {
        eval::condition(&self.tree, scope)
    }

    /// The names the expression reads, with their places, each as often as it occurs; the settings
    /// come as `setting.NAME`.
    pub fn names(&self) -> Vec<(String, Range<usize>)> {
        let mut names = Vec::new();
        self.tree.collect_names(&mut names);
        names
    }
}

#[cfg(test)]
mod tests;

//! Bash scripts whose values travel as data (D39).

mod assignment;
mod binding;
mod builtins;
mod command;
mod cursor;
mod escapes;
mod heredoc;
mod leading;
mod operands;
mod pieces;
mod programs;
mod quotes;
mod reader;
mod redirection;
mod separators;
mod word;

use std::fmt::Write as _;
use std::ops::Range;

use crate::expr::ExprError;
use crate::template::{Braces, Path, braces};
use crate::{Datum, Scope};

/// The folder of the values, for the script alone; it is unset before the first command.
pub const VALUES_VARIABLE: &str = "TRIBUNAL_VALUES";

/// A bash script in which `{{name(.name)*}}` stands for a value.
///
/// Where each token stands is found once, when the script is read. Bash's parser never sees a value:
/// a token becomes the expansion of a shell variable, quoted as its place needs it, and the variable is
/// read from a file. A bare token is one word; inside `"…"`, `'…'` and here-documents the value stands
/// as it is. Tokens in comments stay. Where bash would compute with a value or run it (arithmetic,
/// array indices, `let`, `eval`, `trap`, `bash -c`, here-documents of an interpreter), where a value
/// would name a variable (`read`, `printf -v`, `declare`, `[ -v`, `unset`, `for`) or be assigned to one
/// that bash computes, and inside `$'…'`, `` `…` `` and `${…}`, a token is refused, however deep it
/// stands. What the author does with a variable of his own that holds a value is not followed, nor a
/// builtin whose name is computed or an alias.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    source: String,
    /// The source with expansions for tokens; without the lines that read the values.
    body: String,
    paths: Vec<(Path, Range<usize>)>,
    strays: Vec<Range<usize>>,
}

/// A script that is ready to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// Bash source, the same whatever the values are.
    pub text: String,
    /// File name and bytes of each value, to be written below the folder that
    /// [`VALUES_VARIABLE`] names.
    pub values: Vec<(String, Vec<u8>)>,
}

/// A token stands where its value cannot be bound as data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ScriptFault {
    /// Bytes of the script's text.
    pub span: Range<usize>,
    /// What is wrong: a lower-case fragment.
    pub message: String,
    /// What to write instead.
    pub remedy: String,
}

impl Script {
    /// Reads a script; one without tokens is taken as it is.
    ///
    /// # Errors
    /// Every token that stands where its value cannot be bound.
    pub fn parse(text: &str) -> Result<Self, Vec<ScriptFault>> {
        let mut tokens = Vec::new();
        let mut strays = Vec::new();
        for brace in braces(text) {
            match brace {
                Braces::Token(path, span) => tokens.push((path, span)),
                Braces::Stray(span) => strays.push(span),
            }
        }
        let source = text.to_owned();
        if tokens.is_empty() {
            return Ok(Self { body: source.clone(), source, paths: Vec::new(), strays });
        }
        let reading = reader::read(text, &tokens)?;
        let body = apply(text, &reading.edits);
        Ok(Self { source, body, paths: reading.paths, strays })
    }

    /// The script as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The names the script reads, with their places; the settings come as `setting.NAME`.
    pub fn names(&self) -> Vec<(String, Range<usize>)> {
        self.paths.iter().map(|(path, span)| (path.declared(), span.clone())).collect()
    }

    /// Places of `{{` that begin no token and stay as they are.
    pub fn strays(&self) -> &[Range<usize>] {
        &self.strays
    }

    /// Renders the values beside the script.
    ///
    /// # Errors
    /// An undeclared name, a field that is not there, or a value that holds a NUL byte, which no
    /// shell variable can.
    pub fn bind(&self, scope: &dyn Scope) -> Result<Bound, ExprError> {
        let mut values = Vec::with_capacity(self.paths.len());
        for (number, (path, span)) in self.paths.iter().enumerate() {
            let value = path.resolve(scope, span).map(Datum::render)?;
            if value.contains('\0') {
                let message = format!("`{path}` holds a NUL byte, which bash cannot carry");
                return Err(ExprError::new(span.clone(), message));
            }
            values.push((file_name(number), value.into_bytes()));
        }
        Ok(Bound { text: self.prelude() + &self.body, values })
    }

    /// Reads each value into its variable, byte for byte; no line break, so that bash's messages
    /// count the lines of the recipe.
    fn prelude(&self) -> String {
        let mut prelude = String::new();
        for number in 0..self.paths.len() {
            let (variable, file) = (variable(number), file_name(number));
            // `read` ends with 1 at the end of the file, and leaves the variable unset without one.
            write!(
                prelude,
                "LC_ALL=C IFS= read -r -d '' {variable} <\"${{{VALUES_VARIABLE}}}/{file}\" || \
                 : \"${{{variable}?cannot read its value}}\"; "
            )
            .expect("writing to a string cannot fail");
        }
        if !prelude.is_empty() {
            write!(prelude, "unset {VALUES_VARIABLE}; ").expect("writing to a string cannot fail");
        }
        prelude
    }
}

fn file_name(number: usize) -> String {
    (number + 1).to_string()
}

fn variable(number: usize) -> String {
    format!("__tribunal_{}", number + 1)
}

/// Puts the replacements into the text; they come in order and do not overlap.
fn apply(text: &str, edits: &[(Range<usize>, String)]) -> String {
    let mut body = String::with_capacity(text.len() + 16 * edits.len());
    let mut at = 0;
    for (span, replacement) in edits {
        body.push_str(&text[at..span.start]);
        body.push_str(replacement);
        at = span.end;
    }
    body.push_str(&text[at..]);
    body
}

#[cfg(test)]
mod tests;

//! Texts with tokens in them (D38).

use std::fmt;
use std::ops::Range;

use crate::expr::ExprError;
use crate::scope::is_name;
use crate::{Datum, Scope};

/// A text in which every `{{name(.name)*}}` stands for a value, replaced once.
///
/// Any other `{{` stays as it is; [`Template::strays`] lists them. Values are never looked at again,
/// so a value that holds a token stays what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
    strays: Vec<Range<usize>>,
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Stands as it is.
    Text(String),
    /// Stands for a value.
    Token {
        /// The name and the fields below it.
        path: Path,
        /// Bytes of the template's text.
        span: Range<usize>,
        /// Nothing but blanks shares its line: data, not a word in a sentence.
        alone: bool,
    },
}

/// A name and the fields below it; never empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Path(Vec<String>);

impl Path {
    /// The declared name; for settings this is `setting`.
    pub fn root(&self) -> &str {
        &self.0[0]
    }

    /// The fields below the name.
    pub fn fields(&self) -> &[String] {
        &self.0[1..]
    }

    /// The name that must be declared: the root, or `setting.NAME`.
    pub(crate) fn declared(&self) -> String {
        match self.0.as_slice() {
            [root, field, ..] if root == "setting" => format!("setting.{field}"),
            _ => self.root().to_owned(),
        }
    }

    /// The value in a scope.
    ///
    /// # Errors
    /// An undeclared name, or a field that is not there; null has no fields.
    pub fn resolve<'s>(
        &self,
        scope: &'s dyn Scope,
        span: &Range<usize>,
    ) -> Result<&'s Datum, ExprError> {
        let root = scope
            .get(self.root())
            .ok_or_else(|| ExprError::undeclared(span.clone(), self.root(), scope.names()))?;
        self.fields().iter().try_fold(root, |value, name| {
            value.field(name).ok_or_else(|| {
                let kind = value.kind();
                let error = ExprError::new(
                    span.clone(),
                    format!("`{self}`: no field `{name}` in this {kind}"),
                );
                match value {
                    Datum::Text(_) => {
                        error.remedy("set `parse_json: true` on the step that writes it")
                    }
                    _ => error,
                }
            })
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let names: Vec<_> = text.split('.').map(str::to_owned).collect();
        names.iter().all(|name| is_name(name)).then_some(Self(names))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("."))
    }
}

/// A token, or braces that are none, in a text.
pub(crate) enum Braces {
    Token(Path, Range<usize>),
    Stray(Range<usize>),
}

/// Finds the tokens of a text, in order.
pub(crate) fn braces(text: &str) -> Vec<Braces> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = text[at..].find("{{") {
        let open = at + offset;
        let inside = open + 2;
        let length = text[inside..]
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.')
            .unwrap_or(text.len() - inside);
        let name_end = inside + length;
        let path = Path::parse(&text[inside..name_end]);
        match path {
            Some(path) if text[name_end..].starts_with("}}") => {
                found.push(Braces::Token(path, open..name_end + 2));
                at = name_end + 2;
            }
            _ => {
                // `{{{name}}}` holds a token: one brace is passed over, not two.
                let runs_on = text[inside..].starts_with('{');
                if !runs_on {
                    found.push(Braces::Stray(open..inside));
                }
                at = if runs_on { open + 1 } else { inside };
            }
        }
    }
    found
}

impl Template {
    /// Reads a text; every text is a template.
    pub fn parse(text: &str) -> Self {
        let mut parts = Vec::new();
        let mut strays = Vec::new();
        let mut at = 0;
        for brace in braces(text) {
            match brace {
                Braces::Stray(span) => strays.push(span),
                Braces::Token(path, span) => {
                    if at < span.start {
                        parts.push(Part::Text(text[at..span.start].to_owned()));
                    }
                    at = span.end;
                    let alone = stands_alone(text, &span);
                    parts.push(Part::Token { path, span, alone });
                }
            }
        }
        if at < text.len() {
            parts.push(Part::Text(text[at..].to_owned()));
        }
        Self { parts, strays }
    }

    /// The pieces in order; texts are never empty.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Places of `{{` that begin no token and stay as they are.
    pub fn strays(&self) -> &[Range<usize>] {
        &self.strays
    }

    /// The text with every token replaced by its value, rendered as [`Datum::render`] says.
    ///
    /// # Errors
    /// An undeclared name, or a field that is not there.
    pub fn render(&self, scope: &dyn Scope) -> Result<String, ExprError> {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(piece) => text.push_str(piece),
                Part::Token { path, span, .. } => {
                    text.push_str(&path.resolve(scope, span)?.render());
                }
            }
        }
        Ok(text)
    }

    /// The value of a template that is one token and nothing else, with its kind; else the text.
    ///
    /// # Errors
    /// As [`Template::render`].
    pub fn value(&self, scope: &dyn Scope) -> Result<Datum, ExprError> {
        match self.parts.as_slice() {
            [Part::Token { path, span, .. }] => path.resolve(scope, span).cloned(),
            _ => self.render(scope).map(Datum::Text),
        }
    }

    /// The names the template reads, with their places; the settings come as `setting.NAME`.
    pub fn names(&self) -> Vec<(String, Range<usize>)> {
        self.parts
            .iter()
            .filter_map(|part| match part {
                Part::Text(_) => None,
                Part::Token { path, span, .. } => Some((path.declared(), span.clone())),
            })
            .collect()
    }
}

fn stands_alone(text: &str, span: &Range<usize>) -> bool {
    let before = text[..span.start].rsplit('\n').next().unwrap_or("");
    let after = text[span.end..].split('\n').next().unwrap_or("");
    before.trim().is_empty() && after.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datum::Fields;

    fn scope() -> Fields {
        let json = r#"{"name":"<{{secret}}>","secret":"s3cr3t","nothing":null,
            "tally":{"count":2,"ids":["a"]},"setting":{"fix_attempts":2}}"#;
        Datum::from_json(json).expect("valid").as_map().expect("object").clone()
    }

    fn check(text: &str, expected: &str) {
        let rendered = Template::parse(text).render(&scope());
        assert_eq!(rendered.as_deref(), Ok(expected), "{text}");
    }

    #[test]
    fn tokens_are_replaced_once_and_nothing_else_is() {
        check("", "");
        check("a {{secret}} b", "a s3cr3t b");
        check("{{secret}}{{secret}}", "s3cr3ts3cr3t");
        check("{{name}}", "<{{secret}}>");
        check("{{nothing}}", "");
        check("{{tally}}", r#"{"count":2,"ids":["a"]}"#);
        check("{{tally.count}}", "2");
        check("{{setting.fix_attempts}}", "2");
        check("{{{secret}}}", "{s3cr3t}");
        check("{{ secret }} {{secret-x}} {{}} {{secret", "{{ secret }} {{secret-x}} {{}} {{secret");
        check("é{{secret}}é", "és3cr3té");
    }

    #[test]
    fn braces_that_are_no_token_are_listed() {
        let template = Template::parse("{{ a }} {{b}} {{c-d}} {{1}} {{");
        assert_eq!(template.strays(), [0..2, 14..16, 22..24, 28..30]);
        assert_eq!(template.names(), [("b".to_owned(), 8..13)]);
    }

    #[test]
    fn what_has_no_value_is_refused_with_its_place() {
        for (text, span, message) in [
            ("x {{secert}}", 2..12, "nothing declares `secert`"),
            ("{{tally.cuont}}", 0..15, "`tally.cuont`: no field `cuont` in this object"),
            ("{{nothing.x}}", 0..13, "`nothing.x`: no field `x` in this null"),
            ("{{secret.x}}", 0..12, "`secret.x`: no field `x` in this text"),
        ] {
            let error = Template::parse(text).render(&scope()).expect_err(text);
            assert_eq!((error.span, error.message.as_str()), (span, message), "{text}");
        }
    }

    #[test]
    fn a_sole_token_keeps_its_kind() {
        let value = |text: &str| Template::parse(text).value(&scope()).expect(text);
        assert_eq!(value("{{tally.count}}"), Datum::Int(2));
        assert_eq!(value("{{nothing}}"), Datum::Null);
        assert_eq!(value("n={{tally.count}}"), Datum::from("n=2"));
        assert_eq!(value(""), Datum::from(""));
    }

    #[test]
    fn data_stands_alone_on_its_line_and_words_do_not() {
        let template = Template::parse("{{a}}\n  {{b}} \nin {{c}}\n{{d}} {{e}}\n{{f}}");
        let alone: Vec<_> = template
            .parts()
            .iter()
            .filter_map(|part| match part {
                Part::Token { path, alone, .. } => Some((path.to_string(), *alone)),
                Part::Text(_) => None,
            })
            .collect();
        let expected =
            [("a", true), ("b", true), ("c", false), ("d", false), ("e", false), ("f", true)];
        assert_eq!(alone, expected.map(|(name, alone)| (name.to_owned(), alone)));
    }
}

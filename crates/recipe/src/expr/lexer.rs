//! The words of an expression.

use std::ops::Range;

use super::ExprError;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A name or a word of the language.
    Word(String),
    Text(String),
    Int(i64),
    Float(f64),
    /// `== != <= >= < > ( ) [ ] . ,`
    Sign(&'static str),
}

/// Longest first, so that `<=` is not read as `<`.
const SIGNS: [&str; 14] =
    ["==", "!=", "<=", ">=", "&&", "||", "<", ">", "(", ")", "[", "]", ".", ","];

/// Cuts a text into tokens with their places.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Range<usize>)>, ExprError> {
    let mut found: Vec<(Token, Range<usize>)> = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let after_value = found.last().is_some_and(|(token, _)| ends_value(token));
        let rest = &text[at..];
        let (token, length) = match first {
            'a'..='z' | 'A'..='Z' | '_' => word(rest),
            '\'' | '"' => quoted(rest, first, at)?,
            '0'..='9' => number(rest, at)?,
            '-' if !after_value && rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                number(rest, at)?
            }
            _ => sign(rest, first, at)?,
        };
        found.push((token, at..at + length));
        at += length;
    }
    Ok(found)
}

/// Whether a `-` behind this token would be arithmetic.
fn ends_value(token: &Token) -> bool {
    match token {
        Token::Word(word) => !matches!(word.as_str(), "and" | "or" | "not" | "in"),
        Token::Text(_) | Token::Int(_) | Token::Float(_) => true,
        Token::Sign(sign) => matches!(*sign, ")" | "]"),
    }
}

fn word(rest: &str) -> (Token, usize) {
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    (Token::Word(rest[..length].to_owned()), length)
}

/// Text in either quote; `\` takes the next character as it is, `\n` and `\t` apart.
fn quoted(rest: &str, quote: char, at: usize) -> Result<(Token, usize), ExprError> {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((offset, c)) = chars.next() {
        if c == quote {
            return Ok((Token::Text(text), offset + 1));
        }
        if c != '\\' {
            text.push(c);
            continue;
        }
        match chars.next() {
            Some((_, 'n')) => text.push('\n'),
            Some((_, 't')) => text.push('\t'),
            Some((_, escaped)) => text.push(escaped),
            None => break,
        }
    }
    Err(ExprError::new(at..at + rest.len(), format!("the text is not closed by {quote}")))
}

fn number(rest: &str, at: usize) -> Result<(Token, usize), ExprError> {
    let length = rest
        .char_indices()
        .skip(1)
        .find(|(_, c)| !c.is_ascii_alphanumeric() && *c != '.' && *c != '_')
        .map_or(rest.len(), |(offset, _)| offset);
    let written = &rest[..length];
    let no_number = || ExprError::new(at..at + length, format!("`{written}` is no number"));
    let token = if written.contains('.') {
        let value: f64 = written.parse().map_err(|_| no_number())?;
        Token::Float(value)
    } else {
        Token::Int(written.parse().map_err(|_| no_number())?)
    };
    Ok((token, length))
}

fn sign(rest: &str, first: char, at: usize) -> Result<(Token, usize), ExprError> {
    if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
        return Ok((Token::Sign(sign), sign.len()));
    }
    let error = ExprError::new(at..at + first.len_utf8(), format!("`{first}` has no meaning here"));
    Err(match first {
        '=' => error.remedy("`==` compares"),
        '!' => error.remedy("write `not`"),
        '{' => error.remedy("a condition names its variables without braces"),
        '+' | '-' | '*' | '/' | '%' => error.remedy("there is no arithmetic"),
        _ => error,
    })
}

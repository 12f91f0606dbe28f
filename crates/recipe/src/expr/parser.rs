//! From words to a tree, by precedence: `or`, `and`, `not`, one comparison, fields and calls.

use super::ExprError;
use super::cursor::Cursor;
use super::lexer::{Token, tokens};
use super::tree::{Comparison, Op, Tree};
use crate::Datum;

const MAX_BYTES: usize = 8192;
const MAX_DEPTH: usize = 32;
/// Fields and calls in a row; with the depth it bounds how deep any tree is.
const MAX_LINKS: usize = 16;

pub(super) fn parse(text: &str) -> Result<Tree, ExprError> {
    if text.len() > MAX_BYTES {
        return Err(ExprError::new(0..text.len(), format!("longer than {MAX_BYTES} bytes")));
    }
    let tokens = tokens(text)?;
    if tokens.is_empty() {
        return Err(ExprError::new(0..text.len(), "the expression is empty"));
    }
    let mut parser = Cursor { tokens, next: 0, end: text.len(), depth: 0 };
    let tree = parser.or()?;
    match parser.peek() {
        None => Ok(tree),
        Some(_) => Err(parser.unexpected("the end of the expression")),
    }
}

impl Cursor {
    fn or(&mut self) -> Result<Tree, ExprError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ExprError::new(
                self.span(),
                format!("nested deeper than {MAX_DEPTH} levels"),
            ));
        }
        let tree = self.chain(["or", "||"], Self::and, Op::Or)?;
        self.depth -= 1;
        Ok(tree)
    }

    fn and(&mut self) -> Result<Tree, ExprError> {
        self.chain(["and", "&&"], Self::not, Op::And)
    }

    fn chain(
        &mut self,
        spellings: [&str; 2],
        operand: fn(&mut Self) -> Result<Tree, ExprError>,
        op: fn(Vec<Tree>) -> Op,
    ) -> Result<Tree, ExprError> {
        let first = operand(self)?;
        let start = first.span.start;
        let mut operands = vec![first];
        while self.take_word(spellings[0]) || self.take_sign(spellings[1]) {
            operands.push(operand(self)?);
        }
        if operands.len() == 1 {
            return Ok(operands.remove(0));
        }
        Ok(Tree { span: start..self.last_end(), op: op(operands) })
    }

    fn not(&mut self) -> Result<Tree, ExprError> {
        let start = self.span().start;
        let mut negated = false;
        let mut any = false;
        while self.take_word("not") {
            negated = !negated;
            any = true;
        }
        let tree = self.comparison()?;
        if !any {
            return Ok(tree);
        }
        let span = start..self.last_end();
        let once = Tree { span: span.clone(), op: Op::Not(Box::new(tree)) };
        Ok(if negated { once } else { Tree { span, op: Op::Not(Box::new(once)) } })
    }

    fn comparison(&mut self) -> Result<Tree, ExprError> {
        let left = self.postfix()?;
        let Some(by) = self.take_comparison() else { return Ok(left) };
        let right = self.postfix()?;
        let span = left.span.start..right.span.end;
        let before = self.next;
        if self.take_comparison().is_some() {
            self.next = before;
            let error = ExprError::new(self.span(), "comparisons do not chain");
            return Err(error.remedy("join two of them with `and`"));
        }
        Ok(Tree { span, op: Op::Compare { left: Box::new(left), by, right: Box::new(right) } })
    }

    fn take_comparison(&mut self) -> Option<Comparison> {
        let found = match self.peek()? {
            Token::Sign("==") => Comparison::Equal,
            Token::Sign("!=") => Comparison::NotEqual,
            Token::Sign("<") => Comparison::Less,
            Token::Sign("<=") => Comparison::LessOrEqual,
            Token::Sign(">") => Comparison::Greater,
            Token::Sign(">=") => Comparison::GreaterOrEqual,
            Token::Word(word) if word == "in" => Comparison::In,
            Token::Word(word) if word == "not" => {
                let followed_by_in = matches!(self.tokens.get(self.next + 1), Some((Token::Word(w), _)) if w == "in");
                if !followed_by_in {
                    return None;
                }
                self.next += 1;
                Comparison::NotIn
            }
            _ => return None,
        };
        self.next += 1;
        Some(found)
    }

    fn postfix(&mut self) -> Result<Tree, ExprError> {
        let mut tree = self.atom()?;
        for _ in 0..=MAX_LINKS {
            let start = tree.span.start;
            let op = if self.take_sign(".") {
                let name = self.field_name()?;
                if self.take_sign("(") {
                    let args = self.list(")")?;
                    Op::Method { of: Box::new(tree), name, args }
                } else {
                    Op::Field { of: Box::new(tree), name }
                }
            } else if self.take_sign("[") {
                let by = self.or()?;
                self.expect_sign("]")?;
                Op::Index { of: Box::new(tree), by: Box::new(by) }
            } else {
                return Ok(tree);
            };
            tree = Tree { span: start..self.last_end(), op };
        }
        Err(ExprError::new(tree.span, format!("more than {MAX_LINKS} fields and calls in a row")))
    }

    fn atom(&mut self) -> Result<Tree, ExprError> {
        let span = self.span();
        let Some((token, _)) = self.tokens.get(self.next).cloned() else {
            return Err(self.unexpected("a value"));
        };
        self.next += 1;
        let op = match token {
            Token::Text(text) => Op::Literal(Datum::Text(text)),
            Token::Int(value) => Op::Literal(Datum::Int(value)),
            Token::Float(value) => Op::Literal(Datum::Float(value)),
            Token::Sign("(") => {
                let inner = self.or()?;
                self.expect_sign(")")?;
                return Ok(Tree { span: span.start..self.last_end(), op: inner.op });
            }
            Token::Sign("[") => Op::List(self.list("]")?),
            Token::Word(word) => match word.as_str() {
                "true" | "True" => Op::Literal(Datum::Bool(true)),
                "false" | "False" => Op::Literal(Datum::Bool(false)),
                "null" | "None" => Op::Literal(Datum::Null),
                "and" | "or" | "not" | "in" => {
                    self.next -= 1;
                    return Err(self.unexpected("a value"));
                }
                _ if self.take_sign("(") => Op::Function { name: word, args: self.list(")")? },
                _ => Op::Name(word),
            },
            Token::Sign(_) => {
                self.next -= 1;
                return Err(self.unexpected("a value"));
            }
        };
        Ok(Tree { span: span.start..self.last_end(), op })
    }

    /// Expressions with commas between them, up to the closing sign.
    fn list(&mut self, close: &'static str) -> Result<Vec<Tree>, ExprError> {
        let mut items = Vec::new();
        while !self.take_sign(close) {
            items.push(self.or()?);
            if !self.take_sign(",") {
                self.expect_sign(close)?;
                break;
            }
        }
        Ok(items)
    }

    fn field_name(&mut self) -> Result<String, ExprError> {
        let Some(Token::Word(name)) = self.peek().cloned() else {
            return Err(self.unexpected("the name of a field"));
        };
        self.next += 1;
        Ok(name)
    }
}

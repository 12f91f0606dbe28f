//! From a tree to a value; total, with a place for every refusal.

use std::borrow::Cow;
use std::ops::Range;

use super::tree::{Op, Tree};
use super::{ExprError, call, compare};
use crate::{Datum, Fields, Scope};

type Value<'s> = Cow<'s, Datum>;

pub(super) fn eval<'s>(tree: &'s Tree, scope: &'s dyn Scope) -> Result<Value<'s>, ExprError> {
    Ok(match &tree.op {
        Op::Literal(value) => Cow::Borrowed(value),
        Op::List(items) => {
            let items: Result<Vec<_>, _> =
                items.iter().map(|item| eval(item, scope).map(Cow::into_owned)).collect();
            Cow::Owned(Datum::List(items?))
        }
        Op::Name(name) => Cow::Borrowed(
            scope
                .get(name)
                .ok_or_else(|| ExprError::undeclared(tree.span.clone(), name, scope.names()))?,
        ),
        Op::Field { of, name } => field(eval(of, scope)?, name, of, &tree.span)?,
        Op::Index { of, by } => {
            let by_value = eval(by, scope)?;
            index(eval(of, scope)?, &by_value, of, &tree.span)?
        }
        Op::Function { name, args } => {
            let args = values(args, scope)?;
            Cow::Owned(call::function(name, &args, &tree.span)?)
        }
        Op::Method { of, name, args } => {
            let receiver = eval(of, scope)?;
            let args = values(args, scope)?;
            Cow::Owned(call::method(&receiver, name, &args, &tree.span)?)
        }
        Op::Not(of) => Cow::Owned(Datum::Bool(!condition(of, scope)?)),
        Op::And(operands) => deciding(operands, false, scope)?,
        Op::Or(operands) => deciding(operands, true, scope)?,
        Op::Compare { left, by, right } => {
            let (a, b) = (eval(left, scope)?, eval(right, scope)?);
            let holds = compare::holds(&a, *by, &b).map_err(|error| error.at(&tree.span))?;
            Cow::Owned(Datum::Bool(holds))
        }
    })
}

pub(super) fn condition(tree: &Tree, scope: &dyn Scope) -> Result<bool, ExprError> {
    truth(&*eval(tree, scope)?, &tree.span)
}

fn truth(value: &Datum, span: &Range<usize>) -> Result<bool, ExprError> {
    value.truthy().map_err(|error| {
        ExprError::new(span.clone(), error.to_string())
            .remedy("compare it (`== 'true'`) or give the boolean without quotes")
    })
}

fn values<'s>(trees: &'s [Tree], scope: &'s dyn Scope) -> Result<Vec<Value<'s>>, ExprError> {
    trees.iter().map(|tree| eval(tree, scope)).collect()
}

/// The first operand whose truth is `decisive`, else the last; the rest is not looked at.
fn deciding<'s>(
    operands: &'s [Tree],
    decisive: bool,
    scope: &'s dyn Scope,
) -> Result<Value<'s>, ExprError> {
    let mut last = Cow::Owned(Datum::Bool(!decisive));
    for operand in operands {
        last = eval(operand, scope)?;
        if truth(&last, &operand.span)? == decisive {
            break;
        }
    }
    Ok(last)
}

fn field<'s>(
    value: Value<'s>,
    name: &str,
    of: &Tree,
    span: &Range<usize>,
) -> Result<Value<'s>, ExprError> {
    match value {
        Cow::Borrowed(Datum::Map(fields)) => {
            fields.get(name).map(Cow::Borrowed).ok_or_else(|| missing(fields, name, span))
        }
        Cow::Owned(Datum::Map(mut fields)) => {
            let found = fields.swap_remove(name).map(Cow::Owned);
            found.ok_or_else(|| missing(&fields, name, span))
        }
        other => Err(no_fields(&other, of, span)),
    }
}

fn index<'s>(
    value: Value<'s>,
    by: &Datum,
    of: &Tree,
    span: &Range<usize>,
) -> Result<Value<'s>, ExprError> {
    match (&*value, by) {
        (Datum::Map(_), Datum::Text(name)) => field(value, name, of, span),
        (Datum::List(items), Datum::Int(position)) => {
            let from_start = if *position < 0 {
                usize::try_from(position.unsigned_abs())
                    .ok()
                    .and_then(|back| items.len().checked_sub(back))
            } else {
                usize::try_from(*position).ok()
            };
            let item = from_start.and_then(|position| items.get(position)).cloned();
            item.map(Cow::Owned).ok_or_else(|| {
                ExprError::new(
                    span.clone(),
                    format!("the list has {} items, none at {position}", items.len()),
                )
            })
        }
        (Datum::Map(_) | Datum::List(_), other) => Err(ExprError::new(
            span.clone(),
            format!("{} is not indexed by {}", with_article(&value), with_article(other)),
        )),
        (other, _) => Err(no_fields(other, of, span)),
    }
}

/// What an expression calls a value: by name where it has one.
pub(super) fn subject(tree: &Tree) -> String {
    match &tree.op {
        Op::Name(name) => format!("`{name}`"),
        Op::Field { of, name } => match &of.op {
            Op::Name(root) => format!("`{root}.{name}`"),
            _ => "this".to_owned(),
        },
        _ => "this".to_owned(),
    }
}

pub(super) fn with_article(value: &Datum) -> String {
    match value {
        Datum::Null => "null".to_owned(),
        Datum::Text(_) => "text".to_owned(),
        Datum::Map(_) => "an object".to_owned(),
        other => format!("a {}", other.kind()),
    }
}

fn no_fields(value: &Datum, of: &Tree, span: &Range<usize>) -> ExprError {
    let name = subject(of);
    let error = ExprError::new(
        span.clone(),
        format!("{name} is {} and has no fields", with_article(value)),
    );
    match value {
        Datum::Text(_) => error.remedy("set `parse_json: true` on the step that writes it"),
        Datum::Null => {
            error.remedy("its step was skipped or gave nothing; ask for it first with `and`")
        }
        _ => error,
    }
}

fn missing(fields: &Fields, name: &str, span: &Range<usize>) -> ExprError {
    let error = ExprError::new(span.clone(), format!("there is no field `{name}`"));
    match crate::scope::nearest(name, fields.keys().map(String::as_str)) {
        Some(near) => error.remedy(format!("did you mean `{near}`?")),
        None => error.remedy(format!("ask for it first: `'{name}' in …`")),
    }
}

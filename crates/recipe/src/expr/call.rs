//! The functions and the methods of text.

use std::borrow::Cow;
use std::ops::Range;

use super::ExprError;
use super::compare;
use super::eval::with_article;
use super::tree::Comparison;
use crate::Datum;
use crate::scope::nearest;

const FUNCTIONS: [&str; 7] = ["int", "float", "str", "bool", "len", "min", "max"];
const METHODS: [&str; 13] = [
    "strip",
    "lstrip",
    "rstrip",
    "lower",
    "upper",
    "title",
    "startswith",
    "endswith",
    "replace",
    "split",
    "join",
    "count",
    "find",
];

pub(super) fn function(
    name: &str,
    args: &[Cow<'_, Datum>],
    span: &Range<usize>,
) -> Result<Datum, ExprError> {
    let fail = |message: String| ExprError::new(span.clone(), message);
    if matches!(name, "min" | "max") {
        return extreme(name, args, span);
    }
    if !FUNCTIONS.contains(&name) {
        return Err(unknown("function", name, &FUNCTIONS, span));
    }
    let [arg] = args else {
        return Err(fail(format!("`{name}` takes one value, not {}", args.len())));
    };
    let arg = &**arg;
    let refused = || fail(format!("`{name}` makes nothing of {}", described(arg)));
    match name {
        "int" => whole(arg).map(Datum::Int).ok_or_else(refused),
        "float" => match arg {
            #[expect(clippy::cast_precision_loss, reason = "what the function is for")]
            Datum::Int(value) => Ok(Datum::Float(*value as f64)),
            Datum::Float(value) => Ok(Datum::Float(*value)),
            Datum::Text(text) => finite(text).map(Datum::Float).ok_or_else(refused),
            _ => Err(refused()),
        },
        "str" => Ok(Datum::Text(arg.render())),
        "bool" => match arg {
            Datum::Text(text) if !text.is_empty() => {
                arg.as_bool().map(Datum::Bool).ok_or_else(refused)
            }
            _ => arg.truthy().map(Datum::Bool).map_err(|_| refused()),
        },
        _ => length(arg).map(Datum::Int).ok_or_else(refused),
    }
}

pub(super) fn method(
    receiver: &Datum,
    name: &str,
    args: &[Cow<'_, Datum>],
    span: &Range<usize>,
) -> Result<Datum, ExprError> {
    if !METHODS.contains(&name) {
        return Err(unknown("method", name, &METHODS, span));
    }
    let Datum::Text(text) = receiver else {
        let message = format!("`.{name}()` is for text, not for {}", with_article(receiver));
        return Err(ExprError::new(span.clone(), message).remedy("`str(…)` makes text of a value"));
    };
    let bad = || {
        let given: Vec<_> = args.iter().map(|arg| arg.kind()).collect();
        ExprError::new(span.clone(), format!("`.{name}()` does not take ({})", given.join(", ")))
    };
    let texts: Option<Vec<&str>> = args.iter().map(|arg| arg.as_text()).collect();
    if name == "join" {
        let [list] = args else { return Err(bad()) };
        let items = list.as_list().ok_or_else(bad)?;
        let items: Option<Vec<_>> = items.iter().map(Datum::as_text).collect();
        return Ok(Datum::Text(items.ok_or_else(bad)?.join(text)));
    }
    Ok(match (name, texts.ok_or_else(bad)?.as_slice()) {
        ("strip", []) => text.trim().into(),
        ("lstrip", []) => text.trim_start().into(),
        ("rstrip", []) => text.trim_end().into(),
        ("lower", []) => text.to_lowercase().into(),
        ("upper", []) => text.to_uppercase().into(),
        ("title", []) => title(text).into(),
        ("split", []) => text.split_whitespace().collect::<Vec<_>>().into(),
        ("strip", [set]) => text.trim_matches(|c| set.contains(c)).into(),
        ("lstrip", [set]) => text.trim_start_matches(|c| set.contains(c)).into(),
        ("rstrip", [set]) => text.trim_end_matches(|c| set.contains(c)).into(),
        ("startswith", [start]) => text.starts_with(start).into(),
        ("endswith", [end]) => text.ends_with(end).into(),
        ("split", [separator]) if !separator.is_empty() => {
            text.split(separator).collect::<Vec<_>>().into()
        }
        ("count", [part]) if !part.is_empty() => counted(text.matches(part).count()),
        ("find", [part]) => match text.find(part) {
            Some(at) => counted(text[..at].chars().count()),
            None => Datum::Int(-1),
        },
        ("replace", [from, to]) if !from.is_empty() => text.replace(from, to).into(),
        _ => return Err(bad()),
    })
}

fn extreme(name: &str, args: &[Cow<'_, Datum>], span: &Range<usize>) -> Result<Datum, ExprError> {
    let by = if name == "min" { Comparison::Less } else { Comparison::Greater };
    let items: Vec<&Datum> = match args {
        [one] => match one.as_list() {
            Some(items) => items.iter().collect(),
            None => vec![&**one],
        },
        _ => args.iter().map(|arg| &**arg).collect(),
    };
    let Some((first, rest)) = items.split_first() else {
        return Err(ExprError::new(span.clone(), format!("`{name}` of nothing has no value")));
    };
    let mut best = *first;
    for item in rest {
        if compare::holds(item, by, best).map_err(|error| error.at(span))? {
            best = item;
        }
    }
    Ok(best.clone())
}

fn whole(value: &Datum) -> Option<i64> {
    match value {
        Datum::Int(value) => Some(*value),
        Datum::Bool(value) => Some(i64::from(*value)),
        Datum::Text(text) => text.trim().parse().ok(),
        #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
        Datum::Float(value) if value.abs() < 9.0e18 => Some(value.trunc() as i64),
        _ => None,
    }
}

fn finite(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|value| value.is_finite())
}

fn length(value: &Datum) -> Option<i64> {
    let length = match value {
        Datum::Text(text) => text.chars().count(),
        Datum::List(items) => items.len(),
        Datum::Map(fields) => fields.len(),
        _ => return None,
    };
    i64::try_from(length).ok()
}

fn counted(count: usize) -> Datum {
    Datum::Int(i64::try_from(count).unwrap_or(i64::MAX))
}

fn title(text: &str) -> String {
    let mut after_letter = false;
    let mut titled = String::with_capacity(text.len());
    for c in text.chars() {
        if after_letter {
            titled.extend(c.to_lowercase());
        } else {
            titled.extend(c.to_uppercase());
        }
        after_letter = c.is_alphabetic();
    }
    titled
}

fn described(value: &Datum) -> String {
    match value {
        Datum::Text(text) if text.chars().count() <= 40 => format!("the text `{text}`"),
        other => with_article(other),
    }
}

fn unknown(sort: &str, name: &str, known: &[&str], span: &Range<usize>) -> ExprError {
    let error = ExprError::new(span.clone(), format!("there is no {sort} `{name}`"));
    match nearest(name, known.iter().copied()) {
        Some(near) => error.remedy(format!("did you mean `{near}`?")),
        None => error.remedy(format!("there are {}", known.join(", "))),
    }
}

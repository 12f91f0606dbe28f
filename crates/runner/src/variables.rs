//! The variables of a recipe: declared, given, of the right kind.

use tribunal_finding::{UnknownCategory, UnknownSeverity};
use tribunal_phase::cycle::PolicyError;
use tribunal_recipe::{ContextNameError, Datum, Fields, Recipe};
use tribunal_vote::ThresholdError;

/// A variable that cannot be used as it was given.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("`-c {}`: {fault}", name.escape_debug())]
pub struct VariableError {
    /// The variable.
    pub name: String,
    /// What is wrong with it.
    pub fault: VariableFault,
}

/// What is wrong with a variable.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VariableFault {
    /// It is not declared, or belongs to the loop.
    #[error(transparent)]
    Name(#[from] ContextNameError),
    /// It is not of the kind that its default has.
    #[error("`{}` is no {expected}", got.escape_debug())]
    Kind {
        /// The kind that is needed.
        expected: &'static str,
        /// What was given.
        got: String,
    },
    /// The limits of the cycle cannot hold.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The agreement asked for cannot be reached.
    #[error(transparent)]
    Threshold(#[from] ThresholdError),
    /// It names no severity.
    #[error(transparent)]
    Severity(#[from] UnknownSeverity),
    /// It names no category.
    #[error(transparent)]
    Category(#[from] UnknownCategory),
    /// It must be at least 1.
    #[error("must be at least 1")]
    Zero,
}

pub(crate) fn fault(name: &str, fault: impl Into<VariableFault>) -> VariableError {
    VariableError { name: name.to_owned(), fault: fault.into() }
}

/// The recipe's context with the given values in it.
///
/// A value is read as the kind that its default has; where the default is null or text it stays text.
///
/// # Errors
/// Every value that is unknown, managed by the loop or of the wrong kind.
pub(crate) fn settle(
    recipe: &Recipe,
    given: &[(String, String)],
) -> Result<Fields, Vec<VariableError>> {
    let mut values: Fields = recipe
        .context
        .iter()
        .map(|variable| (variable.name.clone(), variable.default.clone()))
        .collect();
    let mut errors = Vec::new();
    for (name, text) in given {
        match recipe.settable(name).map(|variable| read(&variable.default, text)) {
            Err(error) => errors.push(fault(name, error)),
            Ok(Ok(value)) => {
                values.insert(name.clone(), value);
            }
            Ok(Err(expected)) => {
                let got = text.clone();
                errors.push(fault(name, VariableFault::Kind { expected, got }));
            }
        }
    }
    if errors.is_empty() { Ok(values) } else { Err(errors) }
}

fn read(default: &Datum, text: &str) -> Result<Datum, &'static str> {
    match default {
        Datum::Bool(_) => {
            Datum::from(text).as_bool().map(Datum::Bool).ok_or("boolean (true or false)")
        }
        Datum::Int(_) => decimal(text).map(Datum::Int).ok_or("decimal integer"),
        Datum::Float(_) => text.parse().map(Datum::Float).map_err(|_| "number"),
        Datum::List(_) | Datum::Map(_) => {
            Datum::from_json(text).map_err(|_| "JSON value of the kind the recipe declares")
        }
        Datum::Null | Datum::Text(_) => Ok(Datum::from(text)),
    }
}

/// A decimal integer as people write one: no sign but `-`, no leading zero, no separators (D17).
pub(crate) fn decimal(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_as_the_kind_its_default_has() {
        let rows = [
            (Datum::Int(3), "4", Some(Datum::Int(4))),
            (Datum::Int(3), "-1", Some(Datum::Int(-1))),
            (Datum::Int(3), "007", None),
            (Datum::Int(3), "1e5", None),
            (Datum::Int(3), "1_000", None),
            (Datum::Int(3), "", None),
            (Datum::Bool(true), "False", Some(Datum::Bool(false))),
            (Datum::Bool(true), "no", None),
            (Datum::Bool(true), "0", None),
            (Datum::from("x"), "a=b\nc", Some(Datum::from("a=b\nc"))),
            (Datum::Null, "007", Some(Datum::from("007"))),
            (Datum::List(vec![]), "[1]", Some(Datum::List(vec![Datum::Int(1)]))),
            (Datum::List(vec![]), "[1", None),
        ];
        for (default, text, expected) in rows {
            assert_eq!(read(&default, text).ok(), expected, "{default:?} {text:?}");
        }
    }
}

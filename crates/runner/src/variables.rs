//! The variables of a recipe: declared, given, of the right kind.

use tribunal_finding::{Category, Severity, UnknownCategory, UnknownSeverity};
use tribunal_phase::cycle::{Policy, PolicyError};
use tribunal_recipe::{ContextNameError, Datum, Fields, Recipe};
use tribunal_vote::{Threshold, ThresholdError};

/// A variable that cannot be used as it was given.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("`-c {name}`: {fault}")]
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
    #[error("`{got}` is no {expected}")]
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

fn fault(name: &str, fault: impl Into<VariableFault>) -> VariableError {
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
fn decimal(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}

/// What an audit is held to, from its variables.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// How many cycles run.
    pub policy: Policy,
    /// How many validators must agree.
    pub threshold: Threshold,
    /// Findings below it, as SEEK rated them, are dropped.
    pub severity_threshold: Severity,
    /// Findings outside are dropped; empty means all.
    pub categories: Vec<Category>,
}

impl Limits {
    /// Reads the limits of an audit with this many validators.
    ///
    /// # Errors
    /// Every limit that is missing, of the wrong kind or cannot hold.
    pub fn read(values: &Fields, validators: u32) -> Result<Self, Vec<VariableError>> {
        let mut errors = Vec::new();
        let min = keep(whole(values, "min_cycles"), &mut errors);
        let max = keep(whole(values, "max_cycles"), &mut errors);
        let agree = keep(whole(values, "validation_threshold"), &mut errors);
        let loc = keep(whole(values, "module_loc_limit"), &mut errors);
        let fix_all = keep(boolean(values, "fix_all_per_cycle"), &mut errors);
        let severity = keep(severity(values), &mut errors);
        let categories = keep(categories(values), &mut errors);
        if loc == Some(0) {
            errors.push(fault("module_loc_limit", VariableFault::Zero));
        }
        let policy = match (min, max, fix_all) {
            (Some(min), Some(max), Some(fix_all)) => {
                let policy = Policy::new(min, max, fix_all).map_err(|error| {
                    let name = match error {
                        PolicyError::Zero(name) => name,
                        PolicyError::MinOverMax { .. } => "min_cycles",
                    };
                    fault(name, error)
                });
                keep(policy, &mut errors)
            }
            _ => None,
        };
        let threshold = agree.and_then(|agree| {
            let threshold = Threshold::new(agree, validators)
                .map_err(|error| fault("validation_threshold", error));
            keep(threshold, &mut errors)
        });
        match (policy, threshold, severity, categories) {
            (Some(policy), Some(threshold), Some(severity_threshold), Some(categories))
                if errors.is_empty() =>
            {
                Ok(Self { policy, threshold, severity_threshold, categories })
            }
            _ => Err(errors),
        }
    }
}

fn keep<T>(result: Result<T, VariableError>, errors: &mut Vec<VariableError>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            errors.push(error);
            None
        }
    }
}

fn whole(values: &Fields, name: &str) -> Result<u32, VariableError> {
    let value = values.get(name).unwrap_or(&Datum::Null);
    let number = match value {
        Datum::Text(text) => decimal(text),
        other => other.as_int(),
    };
    number.and_then(|number| u32::try_from(number).ok()).ok_or_else(|| {
        fault(name, VariableFault::Kind { expected: "decimal integer from 1", got: value.render() })
    })
}

fn boolean(values: &Fields, name: &str) -> Result<bool, VariableError> {
    let value = values.get(name).unwrap_or(&Datum::Null);
    value.as_bool().ok_or_else(|| {
        let got = value.render();
        fault(name, VariableFault::Kind { expected: "boolean (true or false)", got })
    })
}

fn severity(values: &Fields) -> Result<Severity, VariableError> {
    let name = "severity_threshold";
    let text = values.get(name).map(Datum::render).unwrap_or_default();
    text.parse().map_err(|error: UnknownSeverity| fault(name, error))
}

/// A comma-separated list or a list of words; empty and `all` mean every category.
fn categories(values: &Fields) -> Result<Vec<Category>, VariableError> {
    let name = "categories";
    let words: Vec<String> = match values.get(name) {
        None | Some(Datum::Null) => Vec::new(),
        Some(Datum::List(items)) => items.iter().map(Datum::render).collect(),
        Some(other) => other.render().split(',').map(str::to_owned).collect(),
    };
    let words: Vec<&str> =
        words.iter().map(|word| word.trim()).filter(|word| !word.is_empty()).collect();
    if words.iter().any(|word| word.eq_ignore_ascii_case("all")) {
        return Ok(Vec::new());
    }
    words
        .into_iter()
        .map(|word| word.parse().map_err(|error: UnknownCategory| fault(name, error)))
        .collect()
}

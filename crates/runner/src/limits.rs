//! What an audit is held to, read from its variables.

use tribunal_finding::{Category, Severity, UnknownCategory, UnknownSeverity};
use tribunal_phase::cycle::{Policy, PolicyError};
use tribunal_recipe::{Datum, Fields};
use tribunal_vote::Threshold;

use crate::variables::{VariableError, VariableFault, decimal, fault};

/// What an audit is held to, from its variables.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Limits {
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
    pub(crate) fn read(values: &Fields, validators: u32) -> Result<Self, Vec<VariableError>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn values(changed: &[(&str, Datum)]) -> Fields {
        let mut values: Fields = [
            ("min_cycles", Datum::Int(3)),
            ("max_cycles", Datum::Int(6)),
            ("validation_threshold", Datum::Int(2)),
            ("module_loc_limit", Datum::Int(300)),
            ("fix_all_per_cycle", Datum::Bool(true)),
            ("severity_threshold", Datum::from("medium")),
            ("categories", Datum::from("")),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
        values.extend(changed.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        values
    }

    fn check(changed: &[(&str, Datum)], expected: &str) {
        let errors = Limits::read(&values(changed), 3).expect_err(expected);
        let said: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(said.join("; "), expected);
    }

    #[test]
    fn limits_that_cannot_hold_are_named_all_at_once() {
        check(&[("min_cycles", Datum::Int(0))], "`-c min_cycles`: min_cycles must be at least 1");
        check(
            &[("min_cycles", Datum::Int(7))],
            "`-c min_cycles`: min_cycles (7) is more than max_cycles (6)",
        );
        check(
            &[("max_cycles", Datum::Int(-1)), ("module_loc_limit", Datum::Int(0))],
            "`-c max_cycles`: `-1` is no decimal integer from 1; \
             `-c module_loc_limit`: must be at least 1",
        );
        check(
            &[("fix_all_per_cycle", Datum::from("maybe"))],
            "`-c fix_all_per_cycle`: `maybe` is no boolean (true or false)",
        );
        check(
            &[("categories", Datum::from("security,securty"))],
            "`-c categories`: `securty` is no category, did you mean `security`?",
        );
    }

    /// LO-03: limits that arrive as text are numbers all the same.
    #[test]
    fn limits_may_be_text_and_are_compared_as_numbers() {
        let text = [("min_cycles", Datum::from("2")), ("max_cycles", Datum::from("10"))];
        let limits = Limits::read(&values(&text), 3).expect("they hold");
        assert_eq!((limits.policy.min(), limits.policy.max()), (2, 10));
    }

    #[test]
    fn every_category_is_meant_by_none_and_by_all() {
        for (written, expected) in [
            (Datum::Null, vec![]),
            (Datum::from(""), vec![]),
            (Datum::from("all"), vec![]),
            (Datum::from("security, all"), vec![]),
            (Datum::from("security,dead_code"), vec![Category::Security, Category::DeadCode]),
            (Datum::from(vec!["silent_fallback"]), vec![Category::SilentFallbacks]),
        ] {
            let limits = Limits::read(&values(&[("categories", written)]), 3).expect("they hold");
            assert_eq!(limits.categories, expected);
        }
    }
}

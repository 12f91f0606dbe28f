//! Comparing two values: equal kinds only, null apart.

use std::cmp::Ordering;
use std::ops::Range;

use super::ExprError;
use super::eval::with_article;
use super::tree::Comparison;
use crate::Datum;

/// Two values that cannot be compared that way.
pub(super) struct Incomparable {
    message: String,
    remedy: Option<String>,
}

impl Incomparable {
    pub(super) fn at(self, span: &Range<usize>) -> ExprError {
        let error = ExprError::new(span.clone(), self.message);
        match self.remedy {
            Some(remedy) => error.remedy(remedy),
            None => error,
        }
    }
}

pub(super) fn holds(left: &Datum, by: Comparison, right: &Datum) -> Result<bool, Incomparable> {
    match by {
        Comparison::Equal => equal(left, right),
        Comparison::NotEqual => equal(left, right).map(|same| !same),
        Comparison::In => contains(right, left),
        Comparison::NotIn => contains(right, left).map(|inside| !inside),
        Comparison::Less => order(left, right, by).map(Ordering::is_lt),
        Comparison::LessOrEqual => order(left, right, by).map(Ordering::is_le),
        Comparison::Greater => order(left, right, by).map(Ordering::is_gt),
        Comparison::GreaterOrEqual => order(left, right, by).map(Ordering::is_ge),
    }
}

/// Whether two values are the same; null equals null alone.
fn equal(left: &Datum, right: &Datum) -> Result<bool, Incomparable> {
    if let Some(ordering) = number_order(left, right) {
        return Ok(ordering.is_eq());
    }
    let null_apart = matches!(left, Datum::Null) || matches!(right, Datum::Null);
    if null_apart || left.kind() == right.kind() {
        Ok(left == right)
    } else {
        Err(across_kinds(left, right))
    }
}

/// The order of two numbers or two texts; `min` and `max` use it as well.
pub(super) fn order(left: &Datum, right: &Datum, by: Comparison) -> Result<Ordering, Incomparable> {
    if let Some(ordering) = number_order(left, right) {
        return Ok(ordering);
    }
    match (left, right) {
        (Datum::Text(a), Datum::Text(b)) => Ok(a.cmp(b)),
        _ if left.kind() == right.kind() => Err(Incomparable {
            message: format!("`{}` does not order {}", by.word(), with_article(left)),
            remedy: None,
        }),
        _ => Err(across_kinds(left, right)),
    }
}

/// Exact, also between a whole number and one with a fraction.
fn number_order(left: &Datum, right: &Datum) -> Option<Ordering> {
    match (left, right) {
        (Datum::Int(a), Datum::Int(b)) => Some(a.cmp(b)),
        (Datum::Float(a), Datum::Float(b)) => a.partial_cmp(b),
        (Datum::Int(a), Datum::Float(b)) => whole_and_fraction(*a, *b),
        (Datum::Float(a), Datum::Int(b)) => whole_and_fraction(*b, *a).map(Ordering::reverse),
        _ => None,
    }
}

fn whole_and_fraction(whole: i64, number: f64) -> Option<Ordering> {
    if number.is_nan() {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "saturates, and i128 holds any i64")]
    let floor = number.floor() as i128;
    Some(i128::from(whole).cmp(&floor).then(if number.fract() == 0.0 {
        Ordering::Equal
    } else {
        Ordering::Less
    }))
}

/// Whether text holds a text, an object has a field, or a list has an item.
fn contains(whole: &Datum, part: &Datum) -> Result<bool, Incomparable> {
    match (whole, part) {
        (Datum::Text(text), Datum::Text(part)) => Ok(text.contains(part.as_str())),
        (Datum::Map(fields), Datum::Text(name)) => Ok(fields.contains_key(name)),
        (Datum::List(items), _) => in_list(items, part),
        (Datum::Null, _) => Err(Incomparable {
            message: "nothing can be in null".to_owned(),
            remedy: Some(
                "its step was skipped or gave nothing; ask for it first with `and`".into(),
            ),
        }),
        _ => Err(Incomparable {
            message: format!("{} cannot be in {}", with_article(part), with_article(whole)),
            remedy: None,
        }),
    }
}

/// Items of other kinds are no match; a list of nothing but other kinds is a mistake.
fn in_list(items: &[Datum], part: &Datum) -> Result<bool, Incomparable> {
    let mut mistake = None;
    let mut comparable = items.is_empty();
    for item in items {
        match equal(item, part) {
            Ok(true) => return Ok(true),
            Ok(false) => comparable = true,
            Err(error) => mistake = mistake.or(Some(error)),
        }
    }
    match mistake {
        Some(error) if !comparable => Err(error),
        _ => Ok(false),
    }
}

fn across_kinds(left: &Datum, right: &Datum) -> Incomparable {
    let remedy = match (left, right) {
        (Datum::Text(_), Datum::Int(_) | Datum::Float(_))
        | (Datum::Int(_) | Datum::Float(_), Datum::Text(_)) => {
            Some("`int(…)` makes a number of a text".to_owned())
        }
        (Datum::Null, _) | (_, Datum::Null) => {
            Some("its step was skipped or gave nothing; ask for it first with `and`".to_owned())
        }
        _ => None,
    };
    Incomparable {
        message: format!("{} is not compared with {}", with_article(left), with_article(right)),
        remedy,
    }
}

//! What makes two failures the same (D21).

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{End, Unit, folded};

/// What failed, as a set, without what differs between two runs of the same failure.
///
/// It is the set of failing units where the check names them: order and repeats do not matter, and
/// one test more or less is another failure. Where nothing is named it is the end of the output and
/// how the command ended. Two runs show the same failure exactly when their signatures are equal.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Signature(BTreeSet<String>);

/// How many lines of an output that names no units are looked at, from its end.
const TAIL: usize = 12;

impl Signature {
    pub(crate) fn of<'a>(failing: impl Iterator<Item = &'a Unit>, text: &str, end: End) -> Self {
        let units: BTreeSet<String> = failing.map(|unit| folded(&unit.name)).collect();
        if !units.is_empty() {
            return Self(units);
        }
        let lines = text.lines().rev().filter(|line| says_something(line)).take(TAIL);
        Self(lines.map(folded).chain([format!("({end})")]).collect())
    }

    pub(crate) fn from_line(line: &str) -> Self {
        Self(BTreeSet::from([folded(line)]))
    }

    /// The units or lines, in order.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether there is no failure to speak of.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Whether a line is more than a blank or a frame of a JavaScript stack.
fn says_something(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with("at ")
}

/// One line for each unit; equal texts are equal signatures.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines().enumerate().try_for_each(|(index, line)| {
            let end = if index == 0 { "" } else { "\n" };
            write!(f, "{end}{line}")
        })
    }
}

//! From what a check printed and how it ended to what it says.

use serde::{Deserialize, Serialize};

use crate::screen::seen;
use crate::tool::{Looks, TOOLS};
use crate::{Counts, End, Fate, Tool, Unit};

/// What a check printed, and how it ended.
#[derive(Debug, Clone, Copy)]
pub struct Printed<'a> {
    /// Standard output and standard error, best as they were written, in one stream.
    pub bytes: &'a [u8],
    /// How the command ended.
    pub end: End,
}

impl<'a> Printed<'a> {
    /// Joins the two.
    pub fn new(bytes: &'a [u8], end: End) -> Self {
        Self { bytes, end }
    }
}

/// What a check says, as far as it could be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// Whether it holds.
    pub answer: Answer,
    /// Whose output was recognised; empty where nobody's was.
    pub tools: Vec<Tool>,
    /// The units that were named, in the order in which they were. Many tools name only those that
    /// failed.
    pub units: Vec<Unit>,
    /// How many units there were, named or not.
    pub counts: Counts,
}

/// Whether a check holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// It ended with status 0, and it does not say that it looked at nothing.
    Passed,
    /// It did not end with status 0.
    Failed,
    /// It says itself that it ran no test: neither pass nor failure (D22).
    NothingRan,
}

/// Reads what a check printed (D21, D22).
///
/// The output of several tools in a row is read as the sum of what each says. A check that ended
/// with a status other than 0 never passes, whatever it printed; one that ended with 0 passes even
/// where failures were read ([`Reading::is_masked`]), unless no test ran at all.
pub fn read(printed: &Printed<'_>) -> Reading {
    let text = seen(printed.bytes);
    let mut reading = Reading {
        answer: Answer::Passed,
        tools: Vec::new(),
        units: Vec::new(),
        counts: Counts::default(),
    };
    let mut quoted: Vec<Tool> = Vec::new();
    let mut ran_tests = None;
    let mut says_nothing_ran = false;
    for row in TOOLS {
        if quoted.contains(&row.tool) {
            continue;
        }
        let Some(sheet) = (row.read)(&text) else { continue };
        quoted.extend(row.quotes);
        says_nothing_ran |= sheet.says_nothing_ran;
        let (units, counts) = sheet.finish();
        match row.looks {
            Looks::Tests => ran_tests = Some(counts.ran().saturating_add(ran_tests.unwrap_or(0))),
        }
        reading.tools.push(row.tool);
        reading.units.extend(units);
        reading.counts = reading.counts.merged(counts, u64::saturating_add);
    }
    let ran_none = ran_tests == Some(0) && reading.counts.failed == 0;
    reading.answer = match printed.end.is_success() {
        true if ran_none => Answer::NothingRan,
        true => Answer::Passed,
        false if ran_none && says_nothing_ran => Answer::NothingRan,
        false => Answer::Failed,
    };
    reading
}

impl Reading {
    /// The units that make the check fail: those that failed, or, where none did, those with a
    /// warning. Empty when the check passed, or names none.
    pub fn failing(&self) -> impl Iterator<Item = &Unit> {
        let fate = if self.counts.failed > 0 { Fate::Failed } else { Fate::Warned };
        let is_failure = self.answer == Answer::Failed;
        self.units.iter().filter(move |unit| is_failure && unit.fate == fate)
    }

    /// Whether failures were read although the check ended with status 0, as after `|| true`.
    pub fn is_masked(&self) -> bool {
        self.answer == Answer::Passed && self.counts.failed > 0
    }
}

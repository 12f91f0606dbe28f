//! From what a check printed and how it ended to what it says.

use serde::{Deserialize, Serialize};

use crate::screen::seen;
use crate::tool::{Looks, TOOLS};
use crate::{Counts, End, Fate, Signature, Tool, Unit};

/// What a check printed, where, and how it ended.
#[derive(Debug, Clone, Copy)]
pub struct Printed<'a> {
    /// Standard output and standard error, best as they were written, in one stream.
    pub bytes: &'a [u8],
    /// How the command ended.
    pub end: End,
    /// The absolute path of the folder it ran in, or nothing. Paths below it are read as relative
    /// ones, so that units are called the same in every copy of a project.
    pub folder: &'a str,
}

impl<'a> Printed<'a> {
    /// Joins bytes and end; the folder is not known.
    pub fn new(bytes: &'a [u8], end: End) -> Self {
        Self { bytes, end, folder: "" }
    }

    /// The text as a person sees it, with paths as they are seen from the folder.
    pub(crate) fn text(&self) -> String {
        let text = seen(self.bytes);
        let folder = self.folder.trim_end_matches('/');
        if folder.is_empty() {
            return text;
        }
        text.replace(&format!("file://{folder}/"), "").replace(&format!("{folder}/"), "")
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
    /// What failed, without what differs between two runs; empty unless the check failed.
    pub signature: Signature,
}

/// Whether a check holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// It ended with status 0, and it does not say that it looked at nothing.
    Passed,
    /// It did not end with status 0.
    Failed,
    /// It says itself that it had nothing to look at: neither pass nor failure (D22).
    NothingRan,
}

/// Reads what a check printed (D21, D22).
///
/// The output of several tools in a row is read as the sum of what each says. A check that ended
/// with a status other than 0 never passes, whatever it printed; one that ended with 0 passes even
/// where failures were read ([`Reading::is_masked`]), unless no test ran at all.
pub fn read(printed: &Printed<'_>) -> Reading {
    let text = printed.text();
    let mut reading = Reading {
        answer: Answer::Passed,
        tools: Vec::new(),
        units: Vec::new(),
        counts: Counts::default(),
        signature: Signature::default(),
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
            Looks::Files => {}
        }
        reading.tools.push(row.tool);
        reading.units.extend(units);
        reading.counts = reading.counts.merged(counts, u64::saturating_add);
    }
    let none_failed = reading.counts.failed == 0;
    let none_ran = none_failed && ran_tests.unwrap_or(0) == 0;
    reading.answer = match printed.end {
        End::Exit(_) if none_ran && says_nothing_ran => Answer::NothingRan,
        End::Exit(0) if none_ran && ran_tests.is_some() => Answer::NothingRan,
        End::Exit(0) => Answer::Passed,
        End::Exit(_) | End::Signal(_) | End::TimedOut | End::NotStarted => Answer::Failed,
    };
    if reading.answer == Answer::Failed {
        reading.signature = Signature::of(reading.failing(), &text, printed.end);
    }
    reading
}

impl Reading {
    /// The units that make the check fail; none when it did not, or when it names none.
    pub fn failing(&self) -> impl Iterator<Item = &Unit> {
        let is_failure = self.answer == Answer::Failed;
        self.units.iter().filter(move |unit| is_failure && unit.fate == Fate::Failed)
    }

    /// Whether failures were read although the check ended with status 0, as after `|| true`.
    pub fn is_masked(&self) -> bool {
        self.answer == Answer::Passed && self.counts.failed > 0
    }
}

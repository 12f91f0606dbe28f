//! mocha: totals, then the failed tests by number; what passed stands in an outline that is not read.

use super::tree::indent;
use crate::Fate;
use crate::sheet::{Sheet, leading_number};

/// Reads one run, or several in a row.
pub(super) fn read(text: &str) -> Option<Sheet> {
    let mut sheet = Sheet::default();
    let mut seen = false;
    let mut title: Option<Title<'_>> = None;
    for line in text.lines() {
        if let Some((number, fate)) = total(line) {
            seen |= fate == Fate::Passed;
            if seen {
                sheet.sum(fate, number);
            }
        } else if let Some(rest) = line.strip_prefix("Error: No test files found: ") {
            seen = true;
            sheet.says_nothing_ran |= !rest.is_empty();
        } else if seen {
            title = match (title.take(), numbered(line)) {
                (_, Some(name)) => Title::begin(line, name).goes_on(&mut sheet),
                (Some(title), None) => title.next(line).and_then(|title| title.goes_on(&mut sheet)),
                (None, None) => None,
            };
        }
    }
    seen.then_some(sheet)
}

/// `  3 passing (7ms)`
fn total(line: &str) -> Option<(u64, Fate)> {
    let (number, rest) = leading_number(line.strip_prefix("  ")?)?;
    let fate = match rest.split(' ').next()? {
        "passing" => Fate::Passed,
        "failing" => Fate::Failed,
        "pending" => Fate::Skipped,
        _ => return None,
    };
    Some((number, fate))
}

/// The title of `  2) sums`.
fn numbered(line: &str) -> Option<&str> {
    let line = line.strip_prefix("  ")?;
    let (number, title) = line.split_once(") ")?;
    number.parse::<u64>().ok()?;
    Some(title)
}

/// The title of a failed test, one line for each level; the last one ends with a colon.
struct Title<'a> {
    names: Vec<&'a str>,
    /// Each level is indented deeper than the one before.
    depth: usize,
}

impl<'a> Title<'a> {
    fn begin(line: &'a str, name: &'a str) -> Self {
        Self { names: vec![name], depth: indent(line) }
    }

    fn next(mut self, line: &'a str) -> Option<Self> {
        let depth = indent(line);
        if depth <= self.depth || line.trim().is_empty() {
            return None;
        }
        self.depth = depth;
        self.names.push(line.trim());
        Some(self)
    }

    /// Notes the test once its title is whole.
    fn goes_on(mut self, sheet: &mut Sheet) -> Option<Self> {
        let last = self.names.pop()?;
        let Some(last) = last.strip_suffix(':') else {
            self.names.push(last);
            return Some(self);
        };
        self.names.push(last);
        sheet.test(self.names.join(" > "), Fate::Failed);
        None
    }
}

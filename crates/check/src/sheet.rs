//! What one tool's output was found to say.

use std::collections::{HashMap, HashSet};

use crate::{Counts, Fate, Unit};

/// Units as they are read, and the totals that the tool itself printed.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    units: Vec<Unit>,
    at: HashMap<String, usize>,
    /// Places complained about, so that what is printed twice counts once.
    places: HashSet<(String, String)>,
    complaints: Counts,
    summed: Counts,
    /// The tool says itself that there was nothing to look at.
    pub(crate) says_nothing_ran: bool,
}

/// One complaint of a linter or compiler, as it was printed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Complaint<'a> {
    /// The file; empty where none is named.
    pub(crate) file: &'a str,
    /// Line and column, as printed.
    pub(crate) at: &'a str,
    /// The code of the rule or error, or the message where there is none.
    pub(crate) what: &'a str,
    pub(crate) fate: Fate,
}

impl Sheet {
    /// Notes a test; it counts once however often it is printed. The last word holds, but a failure
    /// is not taken back.
    pub(crate) fn test(&mut self, name: impl Into<String>, fate: Fate) {
        let name = name.into();
        match self.at.get(&name) {
            Some(&at) if self.units[at].fate == Fate::Failed => {}
            Some(&at) => self.units[at].fate = fate,
            None => self.push(name, fate),
        }
    }

    /// Notes a complaint: each place counts, but one kind of complaint is one unit in one file.
    pub(crate) fn complain(&mut self, complaint: Complaint<'_>) {
        let Complaint { file, at, what, fate } = complaint;
        let name = if file.is_empty() { what.to_owned() } else { format!("{file}: {what}") };
        if !self.places.insert((name.clone(), at.to_owned())) {
            return;
        }
        self.complaints.add(fate, 1);
        match self.at.get(&name) {
            Some(&at) if fate == Fate::Failed => self.units[at].fate = fate,
            Some(_) => {}
            None => self.push(name, fate),
        }
    }

    fn push(&mut self, name: String, fate: Fate) {
        self.at.insert(name.clone(), self.units.len());
        self.units.push(Unit { name, fate });
    }

    /// Takes a number out of a summary that the tool printed.
    pub(crate) fn sum(&mut self, fate: Fate, number: u64) {
        self.summed.add(fate, number);
    }

    /// The tool says that it fails because of its warnings.
    pub(crate) fn fail_warnings(&mut self) {
        for counts in [&mut self.complaints, &mut self.summed] {
            counts.failed = counts.failed.saturating_add(std::mem::take(&mut counts.warned));
        }
        for unit in &mut self.units {
            if unit.fate == Fate::Warned {
                unit.fate = Fate::Failed;
            }
        }
    }

    /// The units in the order printed, and their number by fate: what was listed or what the tool
    /// summed up, whichever is more, since each of them may be cut short.
    pub(crate) fn finish(self) -> (Vec<Unit>, Counts) {
        let mut listed = Counts::default();
        for unit in &self.units {
            listed.add(unit.fate, 1);
        }
        let counts = listed.merged(self.complaints, u64::max).merged(self.summed, u64::max);
        (self.units, counts)
    }
}

/// The number that a text begins with, and what follows it after blanks.
pub(crate) fn leading_number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number = text[..end].parse().ok()?;
    Some((number, text[end..].trim_start()))
}

/// Splits `FILE:LINE:COLUMN: REST` or `FILE:LINE: REST` into file, line and column, and rest.
pub(crate) fn place(line: &str) -> Option<(&str, &str, &str)> {
    let (place, rest) = line.split_once(": ")?;
    let (file, at) = file_and_at(place)?;
    Some((file, at, rest))
}

/// Splits `FILE:LINE:COLUMN` or `FILE:LINE`.
pub(crate) fn file_and_at(place: &str) -> Option<(&str, &str)> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (before, last) = place.rsplit_once(':')?;
    if !is_number(last) {
        return None;
    }
    let file = match before.rsplit_once(':') {
        Some((file, line)) if is_number(line) => file,
        _ => before,
    };
    (!file.is_empty()).then(|| (file, &place[file.len() + 1..]))
}

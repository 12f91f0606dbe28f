//! What one tool's output was found to say.

use std::collections::HashMap;

use crate::{Counts, Fate, Unit};

/// Units as they are read, and the totals that the tool itself printed.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    units: Vec<Unit>,
    at: HashMap<String, usize>,
    summed: Counts,
    /// The tool says itself that there was nothing to run.
    pub(crate) says_nothing_ran: bool,
}

impl Sheet {
    /// Notes a unit that counts once however often it is printed: a test. The last word holds, but a
    /// failure is not taken back.
    pub(crate) fn test(&mut self, name: impl Into<String>, fate: Fate) {
        let name = name.into();
        match self.at.get(&name) {
            Some(&at) if self.units[at].fate == Fate::Failed => {}
            Some(&at) => self.units[at].fate = fate,
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

    /// The units in the order printed, and their number by fate: what was listed or what the tool
    /// summed up, whichever is more, since each of them may be cut short.
    pub(crate) fn finish(self) -> (Vec<Unit>, Counts) {
        let mut listed = Counts::default();
        for unit in &self.units {
            listed.add(unit.fate, 1);
        }
        let counts = listed.merged(self.summed, u64::max);
        (self.units, counts)
    }
}

/// The number that a text begins with, and what follows it after blanks.
pub(crate) fn leading_number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number = text[..end].parse().ok()?;
    Some((number, text[end..].trim_start()))
}

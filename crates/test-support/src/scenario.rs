//! Scenarios built in Rust, and the log they leave.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Act, Cue, Fault, Repo, Role, Scenario, Stamp};

impl Scenario {
    /// A scenario without faults in which everybody is honest.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Has every call logged to this file.
    #[must_use]
    pub fn log(mut self, file: impl Into<PathBuf>) -> Self {
        self.log = Some(file.into());
        self
    }

    /// Adds a fault.
    #[must_use]
    pub fn fault(mut self, fault: Fault) -> Self {
        self.faults.push(fault);
        self
    }

    /// Adds a cue; cues added earlier win.
    #[must_use]
    pub fn cue(mut self, cue: Cue) -> Self {
        self.acts.push(cue);
        self
    }

    /// Puts every fault on a line of its own at the end of its file; commits nothing.
    pub fn plant(&self, repo: &Repo) {
        for fault in &self.faults {
            repo.append(&fault.file, &format!("{}\n", fault.find));
        }
    }

    /// Writes the scenario as JSON.
    ///
    /// # Panics
    ///
    /// When the file cannot be written.
    pub fn store(&self, file: &Path) {
        let json = serde_json::to_vec_pretty(self).expect("a scenario is plain data");
        fs::write(file, json).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

impl Fault {
    /// A reliability fault of high severity, seen from the first cycle on.
    #[must_use]
    pub fn new(id: &str, file: &str, find: &str, replace: &str) -> Self {
        Self {
            id: id.to_owned(),
            category: Self::usual_category(),
            severity: Self::usual_severity(),
            file: file.to_owned(),
            find: find.to_owned(),
            replace: replace.to_owned(),
            description: String::new(),
            from_cycle: Self::first_cycle(),
        }
    }

    /// Reports it under this category.
    #[must_use]
    pub fn category(mut self, word: &str) -> Self {
        word.clone_into(&mut self.category);
        self
    }

    /// Reports it with this severity.
    #[must_use]
    pub fn severity(mut self, word: &str) -> Self {
        word.clone_into(&mut self.severity);
        self
    }

    /// Describes it so.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        text.clone_into(&mut self.description);
        self
    }

    /// Hides it from seekers of earlier cycles.
    #[must_use]
    pub fn from_cycle(mut self, cycle: u32) -> Self {
        self.from_cycle = cycle;
        self
    }
}

impl Cue {
    /// A cue for every call, to be narrowed down.
    #[must_use]
    pub fn to(act: Act) -> Self {
        Self { role: None, step: None, cycle: None, turn: None, act }
    }

    /// Only for this role.
    #[must_use]
    pub fn role(mut self, role: Role) -> Self {
        self.role = Some(role);
        self
    }

    /// Only for this step id.
    #[must_use]
    pub fn step(mut self, step: &str) -> Self {
        self.step = Some(step.to_owned());
        self
    }

    /// Only in this cycle.
    #[must_use]
    pub fn cycle(mut self, cycle: u32) -> Self {
        self.cycle = Some(cycle);
        self
    }

    /// Only in this turn.
    #[must_use]
    pub fn turn(mut self, turn: u32) -> Self {
        self.turn = Some(turn);
        self
    }
}

/// Reads the log of a scenario, in the order in which the lines were written.
///
/// A log that no call has opened yet is empty; so is the part after the last line end.
///
/// # Panics
///
/// When a whole line is no stamp.
#[must_use]
pub fn stamps(log: &Path) -> Vec<Stamp> {
    let text = match fs::read_to_string(log) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => panic!("{}: {error}", log.display()),
    };
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

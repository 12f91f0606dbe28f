//! Tests that prove less after a change than before it (D24).
//!
//! Read by their look alone, in Rust, Python, JavaScript and TypeScript, Go, Java, Kotlin, C# and
//! bats: a hint for people, on which no verdict hangs.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::one_line::one_line;
use cases::{Case, cases};
use language::Language;

mod assertions;
mod blanked;
mod cases;
mod language;

/// A file that changed, with its text before and after; empty where there was or is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangedText<'t> {
    /// Its path; the end of the name tells the language.
    pub path: &'t str,
    /// The text before.
    pub before: &'t str,
    /// The text after.
    pub after: &'t str,
}

/// In what a test proves less than before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weakening {
    /// It is gone, and no changed file has it under this or another name.
    Deleted {
        /// Its name.
        test: String,
    },
    /// It is there and not run any more.
    Ignored {
        /// Its name.
        test: String,
    },
    /// It asserts less often.
    FewerAssertions {
        /// Its name.
        test: String,
        /// How many assertions it had.
        before: usize,
        /// How many it has.
        after: usize,
    },
}

impl Weakening {
    /// What happened, in one line.
    pub fn line(&self) -> String {
        match self {
            Self::Deleted { test } => format!("test `{}` is gone", one_line(test)),
            Self::Ignored { test } => format!("test `{}` is not run any more", one_line(test)),
            Self::FewerAssertions { test, before, after } => {
                format!("test `{}` has {after} assertions, it had {before}", one_line(test))
            }
        }
    }
}

/// Compares the tests of all files that changed, one file after the other.
///
/// They belong together: a test that moved to another file, or was renamed with its body as it was,
/// is not gone.
#[derive(Debug, Default)]
pub struct TestsCompared {
    found: Vec<Vec<Weakening>>,
    gone: Vec<(usize, Case)>,
    new: Vec<Case>,
}

impl TestsCompared {
    /// Whether tests of a file can be told by their look.
    pub fn can_read(path: &str) -> bool {
        Language::of(path).is_some()
    }

    /// Takes the next file.
    pub fn add(&mut self, text: ChangedText<'_>) {
        let file = self.found.len();
        self.found.push(Vec::new());
        let Some(language) = Language::of(text.path) else { return };
        let mut after = by_name(cases(text.after, language));
        for case in cases(text.before, language) {
            match after.get_mut(&case.name).and_then(Vec::pop) {
                Some(now) => self.found[file].extend(weaker(&case, &now)),
                None => self.gone.push((file, case)),
            }
        }
        self.new.extend(after.into_values().flatten());
    }

    /// Says for each file, in their order, which of its tests prove less.
    pub fn weakened(self) -> Vec<Vec<Weakening>> {
        let Self { mut found, mut gone, mut new } = self;
        for same in [
            |was: &Case, is: &Case| was.name == is.name,
            |was: &Case, is: &Case| was.body == is.body,
        ] {
            gone.retain(|(file, case)| match new.iter().position(|now| same(case, now)) {
                Some(at) => {
                    found[*file].extend(weaker(case, &new.swap_remove(at)));
                    false
                }
                None => true,
            });
        }
        for (file, case) in gone {
            // One that was not run proved nothing.
            if !case.ignored {
                found[file].push(Weakening::Deleted { test: case.name });
            }
        }
        found
    }
}

/// Tests of one name, the last one first, so that they are taken in order from the end.
fn by_name(cases: Vec<Case>) -> BTreeMap<String, Vec<Case>> {
    let mut named: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    for case in cases.into_iter().rev() {
        named.entry(case.name.clone()).or_default().push(case);
    }
    named
}

fn weaker(before: &Case, after: &Case) -> Option<Weakening> {
    let test = before.name.clone();
    if before.ignored {
        None
    } else if after.ignored {
        Some(Weakening::Ignored { test })
    } else if after.assertions < before.assertions {
        let (before, after) = (before.assertions, after.assertions);
        Some(Weakening::FewerAssertions { test, before, after })
    } else {
        None
    }
}

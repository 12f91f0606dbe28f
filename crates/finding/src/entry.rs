//! One finding and where it is.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Category, FindingId, Severity};

/// A place in the audited repository.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Place {
    /// Path relative to the repository root, with `/`.
    pub file: String,
    /// Line, counted from 1; a finding about a whole file has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl Place {
    /// The same place, its file relative to `root`, an absolute path, where it lies below.
    ///
    /// Agents often name files absolutely; every other path stays as it is.
    #[must_use]
    pub fn relative_to(mut self, root: &str) -> Self {
        let root = root.trim_end_matches('/');
        let below = self.file.strip_prefix(root).and_then(|rest| rest.strip_prefix('/'));
        if let Some(below) = below.filter(|below| !below.is_empty()) {
            self.file = below.to_owned();
        }
        self
    }

    /// Whether the file can lie inside of the repository: not absolute, and never above the root.
    pub fn is_inside(&self) -> bool {
        let mut depth = 0_usize;
        for part in self.file.split('/') {
            match part {
                ".." if depth == 0 => return false,
                ".." => depth -= 1,
                "" | "." => {}
                _ => depth += 1,
            }
        }
        !self.file.starts_with('/')
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// What SEEK reports: one fault, with the evidence that makes it checkable (DESIGN §5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Unique within the run; ids of later cycles are renamed where they collide (D18).
    pub id: FindingId,
    /// The kind of fault.
    pub category: Category,
    /// As SEEK rated it; the vote keeps its own rating beside this one.
    pub severity: Severity,
    /// Where it is.
    pub place: Place,
    /// What is wrong, in a sentence.
    pub description: String,
    /// Text of the code that shows it.
    pub evidence: String,
    /// What to do about it.
    pub recommendation: String,
}

/// A finding as far as a single-rule command was told about it: its id, and what else was given
/// (DESIGN §5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The finding's id.
    pub id: FindingId,
    /// Where it was given and is one.
    pub category: Option<Category>,
    /// Where it was given and is one.
    pub severity: Option<Severity>,
    /// Where a file was given.
    pub place: Option<Place>,
    /// `description`, or `title` where that was given instead.
    pub description: Option<String>,
    /// Text of the code that shows it.
    pub evidence: Option<String>,
    /// What to do about it.
    pub recommendation: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leads_out_of_the_root_is_outside() {
        for (file, expected) in [
            ("src/a.py", true),
            ("./src/../a.py", true),
            ("a..b/..c", true),
            ("", true),
            ("/etc/passwd", false),
            ("../x", false),
            ("src/../../x", false),
            ("a/../..", false),
        ] {
            let place = Place { file: file.to_owned(), line: None };
            assert_eq!(place.is_inside(), expected, "{file}");
        }
    }

    #[test]
    fn only_paths_below_the_root_become_relative() {
        for (file, expected) in [
            ("/srv/shop/src/a.py", "src/a.py"),
            ("/srv/shopping/a.py", "/srv/shopping/a.py"),
            ("/srv/shop", "/srv/shop"),
            ("/srv/shop/", "/srv/shop/"),
            ("/etc/passwd", "/etc/passwd"),
            ("src/srv/shop/a.py", "src/srv/shop/a.py"),
        ] {
            for root in ["/srv/shop", "/srv/shop/"] {
                let place = Place { file: file.to_owned(), line: Some(3) };
                let relative = place.relative_to(root);
                assert_eq!((relative.file.as_str(), relative.line), (expected, Some(3)));
            }
        }
    }
}

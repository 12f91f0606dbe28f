//! Finds the change that a claim names.

use std::collections::BTreeMap;

use crate::{Change, Evidence};

/// Evidence that can be asked by a claimed file.
pub(crate) struct ByFile<'a> {
    changes: BTreeMap<String, Vec<&'a Change>>,
}

impl<'a> ByFile<'a> {
    /// A rename is found under both of its paths.
    pub(crate) fn new(evidence: &'a Evidence) -> Self {
        let mut changes: BTreeMap<String, Vec<&Change>> = BTreeMap::new();
        for change in &evidence.changes {
            changes.entry(change.path.to_string()).or_default().push(change);
            if let Some(was) = &change.was {
                changes.entry(was.to_string()).or_default().push(change);
            }
        }
        Self { changes }
    }

    /// The change of a file as an agent writes it: `./src//a.rs`, `src/a.rs:12` and `src/x/../a.rs`
    /// are `src/a.rs`, unless a file has exactly that name.
    ///
    /// Where several changes stand under the name, one that can be a fix is preferred.
    pub(crate) fn find(&self, file: &str) -> Option<&'a Change> {
        let file = file.trim();
        let plain = plain_path(file);
        let lineless = plain_path(without_line(file));
        [file, &plain, &lineless].into_iter().find_map(|name| {
            let changes = self.changes.get(name)?;
            changes.iter().find(|change| change.can_be_a_fix()).or(changes.first()).copied()
        })
    }
}

fn plain_path(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            "" if !parts.is_empty() || !path.starts_with('/') => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, "" | "..")) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// Cuts `:12` or `:12:3` from the end.
fn without_line(path: &str) -> &str {
    let mut rest = path;
    for _ in 0..2 {
        match rest.rsplit_once(':') {
            Some((head, digits))
                if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                rest = head;
            }
            _ => break,
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_compared_without_detours() {
        for (written, plain) in [
            ("src/a.rs", "src/a.rs"),
            ("./src//a.rs", "src/a.rs"),
            ("src/x/../a.rs", "src/a.rs"),
            ("../a.rs", "../a.rs"),
            ("/a.rs", "/a.rs"),
            ("//a.rs", "/a.rs"),
            ("src/", "src"),
        ] {
            assert_eq!(plain_path(written), plain, "{written}");
        }
    }

    #[test]
    fn a_line_is_no_part_of_the_path() {
        for (written, path) in [
            ("a.rs:12", "a.rs"),
            ("a.rs:12:3", "a.rs"),
            ("a.rs:", "a.rs:"),
            ("a:b", "a:b"),
            ("a.rs:1:2:3", "a.rs:1"),
        ] {
            assert_eq!(without_line(written), path);
        }
    }
}

//! Names of snapshots.

use std::fmt;

use crate::WorktreeError;

/// `RUN/3` or `single/ID`: the part of a snapshot's ref after `refs/tribunal/`.
///
/// Both parts consist of ASCII letters, digits, `-`, `_` and `.`, start with no `.`, and end
/// neither in `.` nor in `.lock`, so that no name leaves its folder or clashes with a lock of git.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SnapshotName(String);

impl SnapshotName {
    /// Reads a name of two parts.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::InvalidName`].
    pub fn new(name: &str) -> Result<Self, WorktreeError> {
        match name.split_once('/') {
            Some((run, last)) if is_part(run) && is_part(last) => Ok(Self(name.to_owned())),
            _ => Err(WorktreeError::InvalidName { name: name.to_owned() }),
        }
    }

    /// The n-th snapshot of a run.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::InvalidName`].
    pub fn of_run(run: &str, number: u32) -> Result<Self, WorktreeError> {
        Self::new(&format!("{run}/{number}"))
    }

    /// A snapshot that belongs to no run (`tribunal fixes snapshot`).
    ///
    /// # Errors
    ///
    /// [`WorktreeError::InvalidName`].
    pub fn single(id: &str) -> Result<Self, WorktreeError> {
        Self::new(&format!("single/{id}"))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The run, or `single`.
    pub(crate) fn run(&self) -> &str {
        self.0.split_once('/').map_or(self.as_str(), |(run, _)| run)
    }

    pub(crate) fn reference(&self) -> String {
        format!("{PREFIX}{}", self.0)
    }

    pub(crate) fn from_reference(reference: &str) -> Option<Self> {
        Self::new(reference.strip_prefix(PREFIX)?).ok()
    }
}

pub(crate) const PREFIX: &str = "refs/tribunal/";

pub(crate) fn is_part(part: &str) -> bool {
    let letters = part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    letters
        && !part.is_empty()
        && !part.starts_with('.')
        && !part.ends_with('.')
        && !part.ends_with(".lock")
        && !part.contains("..")
}

impl fmt::Display for SnapshotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_two_plain_parts() {
        for good in ["0192f-a/3", "single/abc", "r.1/x_y"] {
            assert_eq!(SnapshotName::new(good).unwrap().as_str(), good);
        }
        let bad = [
            "", "a", "a/", "/a", "a/b/c", "../x", "a/..", "a/b.lock", "a b/c", "a/b~1", ".a/b",
            "ä/b",
        ];
        for bad in bad {
            assert!(SnapshotName::new(bad).is_err(), "{bad}");
        }
    }
}

//! Names of git objects.

use std::fmt;
use std::str::FromStr;

/// A tree of raw files; equal ids mean equal paths, modes and bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeId(pub(crate) git2::Oid);

/// A commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(pub(crate) git2::Oid);

impl fmt::Display for TreeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A text that is no full object id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no object id of 40 hexadecimal digits")]
pub struct NotAnId(pub String);

fn full_id(text: &str) -> Result<git2::Oid, NotAnId> {
    match git2::Oid::from_str(text) {
        Ok(id) if text.len() == 40 => Ok(id),
        _ => Err(NotAnId(text.to_owned())),
    }
}

impl FromStr for TreeId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        full_id(text).map(Self)
    }
}

impl FromStr for CommitId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        full_id(text).map(Self)
    }
}

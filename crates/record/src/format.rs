//! The first line of a journal, and which versions are read.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tribunal_phase::RunId;

use crate::{Hash, RecordError, RecordErrorKind};

/// A version of the format: the major grows when old readers would go wrong, the minor when
/// something is added (D45).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Format {
    /// Read only when equal to ours.
    pub major: u32,
    /// Read up to ours.
    pub minor: u32,
}

impl Format {
    /// What is written today.
    ///
    /// 1.1 has tool calls (`asked`, `compared`), the states of review loops, undoing, and agents that ended
    /// before their closing event; 1.2 has applying.
    pub const CURRENT: Self = Self { major: 1, minor: 2 };
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A text that is no version of the format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no format version (major.minor)")]
pub struct BadFormat(pub String);

impl FromStr for Format {
    type Err = BadFormat;

    fn from_str(text: &str) -> Result<Self, BadFormat> {
        let bad = |_| BadFormat(text.to_owned());
        let (major, minor) = text.split_once('.').ok_or_else(|| BadFormat(text.to_owned()))?;
        Ok(Self { major: major.parse().map_err(bad)?, minor: minor.parse().map_err(bad)? })
    }
}

impl From<Format> for String {
    fn from(format: Format) -> Self {
        format.to_string()
    }
}

impl TryFrom<String> for Format {
    type Error = BadFormat;

    fn try_from(text: String) -> Result<Self, BadFormat> {
        text.parse()
    }
}

/// The first line of a journal: `{"format":"1.2","run":"…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version that all lines after it are written in.
    pub format: Format,
    /// The run.
    pub run: RunId,
}

/// What every version's header has: enough to say that a version is not ours.
#[derive(Deserialize)]
struct AnyHeader {
    format: Format,
}

impl Header {
    /// The header of a new journal.
    pub fn new(run: RunId) -> Self {
        Self { format: Format::CURRENT, run }
    }

    /// The line, without its line end, and the hash that the first record follows.
    pub fn encode(&self) -> (String, Hash) {
        let line = serde_json::to_string(self).expect("two texts can always be written as JSON");
        let hash = Hash::of(line.as_bytes());
        (line, hash)
    }

    /// Reads the line, without its line end.
    ///
    /// # Errors
    /// [`RecordErrorKind::Newer`] for a later major or minor version, [`RecordErrorKind::Older`] for
    /// an earlier major one, [`RecordErrorKind::Unreadable`] for all that is no header.
    pub fn decode(line: &str) -> Result<(Self, Hash), RecordError> {
        let fault = |kind| RecordError { kind, seq: 0 };
        let unreadable = |error| fault(RecordErrorKind::Unreadable(error));
        let AnyHeader { format: found } = serde_json::from_str(line).map_err(unreadable)?;
        if found > Format::CURRENT {
            return Err(fault(RecordErrorKind::Newer { found }));
        }
        if found.major < Format::CURRENT.major {
            return Err(fault(RecordErrorKind::Older { found }));
        }
        let header = serde_json::from_str(line).map_err(unreadable)?;
        Ok((header, Hash::of(line.as_bytes())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_back() {
        let header = Header::new(RunId::new("r1"));
        let (line, hash) = header.encode();
        assert_eq!(line, r#"{"format":"1.2","run":"r1"}"#);
        let (read, again) = Header::decode(&line).expect("our own header");
        assert_eq!((read, again), (header, hash));
    }

    fn check(line: &str, expected: &str) {
        let error = Header::decode(line).expect_err(line);
        assert_eq!(error.seq, 0);
        let said = error.to_string();
        assert!(said.starts_with(expected), "{said}");
    }

    #[test]
    fn other_versions_are_refused_by_name() {
        check(r#"{"format":"2.0","brand":"new"}"#, "record 0: format 2.0 is newer than 1.2");
        check(r#"{"format":"1.3","run":"r1"}"#, "record 0: format 1.3 is newer than 1.2");
        check(r#"{"format":"0.9","run":"r1"}"#, "record 0: format 0.9 is older than 1.2");
        check(r#"{"format":"1","run":"r1"}"#, "record 0: not readable: `1` is no format version");
        check(r#"{"format":"1.0"}"#, "record 0: not readable: missing field `run`");
        check("", "record 0: not readable");
    }
}

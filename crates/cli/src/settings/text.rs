//! Reading a settings file, whatever stands in its place.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::failure::Failure;

/// More than any settings file has; what a repository puts here is not read without end.
const MAX_BYTES: u64 = 1_000_000;

/// Whether the file may be a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// The user's own: people keep their settings elsewhere and link them.
    Follow,
    /// A repository's: what it leads to is not the repository's to show.
    Refuse,
}

/// The text of a file; `None` when there is none.
///
/// # Errors
/// It is a link that is not to be followed, no regular file, too long, no UTF-8, or cannot be read.
pub(crate) fn read(path: &Path, links: Links) -> Result<Option<String>, Failure> {
    let failed = |error: std::io::Error| Failure::setting(path, &error.to_string());
    // A pipe that nobody writes to would keep us waiting for ever.
    let mut flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    if links == Links::Refuse {
        flags |= OFlags::NOFOLLOW;
    }
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP) if links == Links::Refuse => return Err(Failure::settings_link(path)),
        Err(error) => return Err(failed(error.into())),
    };
    if !file.metadata().map_err(failed)?.is_file() {
        return Err(Failure::setting(path, "is no regular file"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::setting(path, &format!("is longer than {MAX_BYTES} bytes")));
    }
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|byte| **byte == b'\n').count();
        Failure::setting(path, &format!("line {line} is no UTF-8 text"))
    })
}

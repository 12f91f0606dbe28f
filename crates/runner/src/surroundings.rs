//! The world around a run, as the caller states it; nothing here is read from the environment.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// What a run needs to know of the machine and the user.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// Where runs are kept.
    pub state_dir: PathBuf,
    /// The system's folder for temporary files.
    pub temp_dir: PathBuf,
    /// The folder that relative paths are taken from.
    pub current_dir: PathBuf,
    /// Our own environment; children get an allow-list of it.
    pub environment: Vec<(OsString, OsString)>,
}

impl Surroundings {
    /// A variable of our own environment.
    pub(crate) fn variable(&self, name: &str) -> Option<&OsStr> {
        self.environment.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_os_str())
    }

    /// Where programs are looked for.
    pub(crate) fn path(&self) -> &OsStr {
        self.variable("PATH").unwrap_or_default()
    }
}

//! Where things are on this machine; the only reader of the environment.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use tribunal_runner::Surroundings;

use crate::failure::Failure;

/// Folders, and the program itself.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    pub(crate) config_dir: PathBuf,
    pub(crate) state_dir: PathBuf,
    pub(crate) current_dir: PathBuf,
    /// This program, which links the inspector.
    pub(crate) program: PathBuf,
}

impl Places {
    pub(crate) fn find(state_dir: Option<&Path>) -> Result<Self, Failure> {
        let current_dir = env::current_dir()
            .map_err(|error| Failure::environment(format!("the current directory: {error}")))?;
        let program = env::current_exe()
            .map_err(|error| Failure::environment(format!("the path of tribunal: {error}")))?;
        absolute("HOME", "set it to your home folder")?;
        absolute("TMPDIR", "set it to a folder for temporary files, or unset it")?;
        let base = etcetera::choose_base_strategy();
        let (config, state) = match (&base, state_dir) {
            (Ok(base), given) => {
                let state = base.state_dir().unwrap_or_else(|| base.data_dir());
                (
                    base.config_dir().join("tribunal"),
                    given.map_or(state.join("tribunal"), PathBuf::from),
                )
            }
            (Err(_), Some(given)) => (PathBuf::from("/nonexistent"), given.to_owned()),
            (Err(_), None) => return Err(Failure::no_home()),
        };
        let state_dir = current_dir.join(state);
        Ok(Self { config_dir: config, state_dir, current_dir, program })
    }

    pub(crate) fn surroundings(&self) -> Surroundings {
        Surroundings {
            state_dir: self.state_dir.clone(),
            temp_dir: Some(env::temp_dir())
                .filter(|folder| !folder.as_os_str().is_empty())
                .unwrap_or_else(|| PathBuf::from("/tmp")),
            current_dir: self.current_dir.clone(),
            environment: environment(),
        }
    }
}

/// A folder that is named relatively would mean another one in each repository.
fn absolute(name: &str, remedy: &str) -> Result<(), Failure> {
    match env::var_os(name).map(PathBuf::from) {
        Some(path) if path.is_relative() && !path.as_os_str().is_empty() => {
            let message = format!("{name} is `{}`, which is no absolute path", path.display());
            Err(Failure::folder(message, remedy))
        }
        _ => Ok(()),
    }
}

/// Our whole environment, for parts of the program that may not read it themselves.
#[must_use]
pub fn environment() -> Vec<(OsString, OsString)> {
    env::vars_os().collect()
}

/// A variable of our environment; the log filter is the only one read by name.
pub(crate) fn log_filter() -> Option<String> {
    env::var("TRIBUNAL_LOG").ok()
}

/// Folders that programs are looked for in.
pub(crate) fn search_path() -> OsString {
    env::var_os("PATH").unwrap_or_default()
}

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
            (Err(_), None) => {
                return Err(Failure::environment(
                    "no home folder is known: set HOME, or name a folder with --state-dir"
                        .to_owned(),
                ));
            }
        };
        let state_dir = current_dir.join(state);
        Ok(Self { config_dir: config, state_dir, current_dir, program })
    }

    pub(crate) fn surroundings(&self) -> Surroundings {
        Surroundings {
            state_dir: self.state_dir.clone(),
            temp_dir: env::temp_dir(),
            current_dir: self.current_dir.clone(),
            environment: environment(),
        }
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

//! Settings: flags before repository, repository before user, user before defaults (D48).

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use serde::Deserialize;
use tribunal_runner::Surroundings;

use crate::failure::Failure;
use crate::trust::{Standing, Trust};

/// The name of a repository's settings file.
pub(crate) const REPOSITORY_FILE: &str = "tribunal.yaml";

/// What a settings file may say.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SettingsFile {
    /// Programs by the name that `--agent` uses.
    pub(crate) agents: BTreeMap<String, AgentSetting>,
    /// Who is asked where nothing else is said.
    pub(crate) agent: Option<String>,
    /// Agents by role, numbered validator or step.
    pub(crate) roles: BTreeMap<String, String>,
    /// Calls of the fixer in one cycle.
    pub(crate) fix_attempts: Option<u32>,
    /// Seconds for each cycle's own work; 0 for ever.
    pub(crate) cycle_timeout: Option<u64>,
}

/// One agent in a settings file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AgentSetting {
    /// Program and arguments, as POSIX words.
    pub(crate) command: String,
    /// Seconds that one call may run.
    #[serde(default)]
    pub(crate) deadline: Option<u64>,
    /// Seconds that one call may say nothing.
    #[serde(default)]
    pub(crate) idle: Option<u64>,
    /// Variables that are passed on.
    #[serde(default)]
    pub(crate) env: Vec<String>,
}

/// Settings of the user and of the audited repository.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    pub(crate) user: SettingsFile,
    pub(crate) repository: SettingsFile,
    /// `.tribunal/recipes` of a trusted repository.
    pub(crate) recipes: Option<PathBuf>,
    /// Recipes of a repository that is not trusted: their names are known, their text is not read.
    pub(crate) untrusted_recipes: Vec<String>,
}

impl Settings {
    /// Reads the user's settings, and those of the repository at `root` as far as it is trusted.
    pub(crate) fn read(places: &Places, root: Option<&Path>) -> Result<Self, Failure> {
        let user = file(&places.config_dir.join("config.yaml"))?;
        let Some(root) = root else { return Ok(Self { user, ..Self::default() }) };
        let path = root.join(REPOSITORY_FILE);
        let repository = file(&path)?;
        let recipes = root.join(".tribunal").join("recipes");
        let trusted = Trust::read(places)?.standing(root)? == Standing::Trusted;
        if trusted {
            let recipes = recipes.is_dir().then_some(recipes);
            return Ok(Self { user, repository, recipes, untrusted_recipes: Vec::new() });
        }
        if let Some(key) = repository.needs_trust() {
            return Err(Failure::untrusted(&path, key));
        }
        let untrusted_recipes = names_in(&recipes);
        Ok(Self { user, repository, recipes: None, untrusted_recipes })
    }

    /// The agent of a name, the repository's before the user's.
    pub(crate) fn agent(&self, name: &str) -> Option<&AgentSetting> {
        self.repository.agents.get(name).or_else(|| self.user.agents.get(name))
    }

    /// All names of agents in the settings.
    pub(crate) fn agent_names(&self) -> Vec<&str> {
        let names = self.repository.agents.keys().chain(self.user.agents.keys());
        names.map(String::as_str).collect()
    }
}

impl SettingsFile {
    /// The first key that names a program, environment or agent: an audited repository may not say
    /// that until it is trusted.
    fn needs_trust(&self) -> Option<&'static str> {
        if !self.agents.is_empty() {
            Some("agents")
        } else if self.agent.is_some() {
            Some("agent")
        } else if !self.roles.is_empty() {
            Some("roles")
        } else {
            None
        }
    }
}

fn file(path: &Path) -> Result<SettingsFile, Failure> {
    match fs_err::read_to_string(path) {
        Ok(text) if text.trim().is_empty() => Ok(SettingsFile::default()),
        Ok(text) => serde_saphyr::from_str(&text)
            .map_err(|error| Failure::setting(path, &error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(SettingsFile::default()),
        Err(error) => Err(Failure::setting(path, &error.to_string())),
    }
}

/// Names of the recipes in a folder; what cannot be listed is not there to be run either.
fn names_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs_err::read_dir(folder) else { return Vec::new() };
    let stems = entries.filter_map(|entry| {
        let path = entry.ok()?.path();
        let is_recipe = path.extension().is_some_and(|extension| extension == "yaml");
        is_recipe.then(|| path.file_stem()?.to_str().map(str::to_owned))?
    });
    stems.collect()
}

/// Where things are on this machine; the only reader of the environment.
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

/// Our whole environment, for the parts of the program that may not read it themselves.
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

//! Settings: flags before repository, repository before user, user before defaults (D48).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tribunal_runner::Linter;

use crate::failure::Failure;
use crate::trust::{Standing, Trust};

mod places;

pub use places::environment;
pub(crate) use places::{Places, log_filter, search_path};

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
    /// What fixes are checked with, for bash.
    pub(crate) check_command: Option<String>,
    /// Seconds that one run of it may take; 0 for ever.
    pub(crate) check_timeout: Option<u64>,
    /// Runs of it that `--prove` may cost.
    pub(crate) prove_limit: Option<u32>,
    /// What the embedded inspector goes by.
    pub(crate) inspector: InspectorSetting,
}

/// What the embedded inspector goes by; a list replaces that of a weaker file.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct InspectorSetting {
    /// Rules and categories that alone are looked for.
    pub(crate) only: Option<Vec<String>>,
    /// Rules and categories that are left out.
    pub(crate) skip: Option<Vec<String>>,
    /// External linters that may be run.
    pub(crate) linters: Option<Vec<Linter>>,
}

/// One agent in a settings file.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AgentSetting {
    /// Which known program it is; without it, the one of the setting's own name, else any program.
    pub(crate) agent: Option<String>,
    /// Program and arguments, as POSIX words; a known program need not be named.
    pub(crate) command: Option<String>,
    /// The model it is told to use.
    pub(crate) model: Option<String>,
    /// Seconds that one call may run.
    pub(crate) deadline: Option<u64>,
    /// Seconds that one call may say nothing.
    pub(crate) idle: Option<u64>,
    /// Variables that are passed on.
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
    /// Folders of rules: the user's, and `.tribunal/rules` of a trusted repository.
    pub(crate) rules: Vec<PathBuf>,
    /// `.tribunal/rules` of a repository that is not trusted; it is not read.
    pub(crate) untrusted_rules: Option<PathBuf>,
}

/// A key of a settings file that an audited repository may not use until it is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Guarded {
    pub(crate) key: &'static str,
    /// What it would do.
    pub(crate) does: &'static str,
}

impl Settings {
    /// Reads the user's settings, and those of the repository at `root` as far as it is trusted.
    pub(crate) fn read(places: &Places, root: Option<&Path>) -> Result<Self, Failure> {
        let user = file(&places.config_dir.join("config.yaml"))?;
        let mut settings = Self { user, ..Self::default() };
        settings.rules.extend(folder(places.config_dir.join("rules")));
        let Some(root) = root else { return Ok(settings) };
        let path = root.join(REPOSITORY_FILE);
        settings.repository = file(&path)?;
        let own = root.join(".tribunal");
        let (recipes, rules) = (own.join("recipes"), folder(own.join("rules")));
        if Trust::read(places)?.standing(root)? == Standing::Trusted {
            settings.recipes = folder(recipes);
            settings.rules.extend(rules);
            return Ok(settings);
        }
        if let Some(guarded) = settings.repository.needs_trust() {
            return Err(Failure::untrusted(&path, guarded));
        }
        settings.untrusted_recipes = names_in(&recipes);
        settings.untrusted_rules = rules;
        Ok(settings)
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
    /// The first key that names a program, environment or agent, or that takes findings out: an audited
    /// repository may not say that until it is trusted.
    fn needs_trust(&self) -> Option<Guarded> {
        const PROGRAMS: &str = "names programs";
        const BLINDS: &str = "decides what is not looked for";
        let Self {
            agents,
            agent,
            roles,
            inspector,
            check_command,
            check_timeout: _,
            prove_limit: _,
            fix_attempts: _,
            cycle_timeout: _,
        } = self;
        let guarded = [
            (!agents.is_empty(), "agents", PROGRAMS),
            (agent.is_some(), "agent", PROGRAMS),
            (!roles.is_empty(), "roles", PROGRAMS),
            (check_command.is_some(), "check_command", PROGRAMS),
            (inspector.linters.is_some(), "inspector.linters", PROGRAMS),
            (inspector.only.is_some(), "inspector.only", BLINDS),
            (inspector.skip.is_some(), "inspector.skip", BLINDS),
        ];
        let used = guarded.into_iter().find(|(is_used, ..)| *is_used);
        used.map(|(_, key, does)| Guarded { key, does })
    }
}

/// A folder, if it is there.
fn folder(path: PathBuf) -> Option<PathBuf> {
    path.is_dir().then_some(path)
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

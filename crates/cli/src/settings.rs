//! Settings: flags before repository, repository before user, user before defaults (D48).

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::trust::{Standing, Trust};

mod file;
mod places;
mod text;

pub(crate) use file::{AgentSetting, InspectorSetting, SettingsFile};
pub use places::environment;
pub(crate) use places::{Places, log_filter, search_path};
use text::Links;

/// The name of a repository's settings file.
pub(crate) const REPOSITORY_FILE: &str = "tribunal.yaml";

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
        let user = file(&places.config_dir.join("config.yaml"), Links::Follow)?;
        let mut settings = Self { user, ..Self::default() };
        settings.rules.extend(folder(places.config_dir.join("rules")));
        let Some(root) = root else { return Ok(settings) };
        let path = root.join(REPOSITORY_FILE);
        // What a link leads to is not the repository's to show (D48).
        settings.repository = file(&path, Links::Refuse)?;
        let own = real_folder(root.join(".tribunal"));
        let inside = |name: &str| own.as_ref().and_then(|own| real_folder(own.join(name)));
        let (recipes, rules) = (inside("recipes"), inside("rules"));
        if Trust::read(places)?.standing(root)? == Standing::Trusted {
            settings.recipes = recipes;
            settings.rules.extend(rules);
            return Ok(settings);
        }
        if let Some(guarded) = settings.repository.needs_trust() {
            return Err(Failure::untrusted(&path, guarded));
        }
        settings.untrusted_recipes = recipes.as_deref().map(names_in).unwrap_or_default();
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
            review_loop: _,
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

/// A folder, if it is there and no link leads to it; a link is no part of what can be trusted.
fn real_folder(path: PathBuf) -> Option<PathBuf> {
    let found = fs_err::symlink_metadata(&path).ok()?;
    found.is_dir().then_some(path)
}

fn file(path: &Path, links: Links) -> Result<SettingsFile, Failure> {
    let Some(text) = text::read(path, links)? else { return Ok(SettingsFile::default()) };
    SettingsFile::parse(&text).map_err(|problem| Failure::settings(path, &text, &problem))
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

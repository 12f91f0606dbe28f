//! The manifests that are JSON, as far as detection reads them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

/// `package.json`
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct PackageJson {
    pub(super) name: String,
    pub(super) scripts: BTreeMap<String, String>,
    pub(super) dependencies: BTreeMap<String, IgnoredAny>,
    pub(super) dev_dependencies: BTreeMap<String, IgnoredAny>,
    pub(super) peer_dependencies: BTreeMap<String, IgnoredAny>,
    pub(super) optional_dependencies: BTreeMap<String, IgnoredAny>,
    pub(super) package_manager: String,
    pub(super) workspaces: Option<IgnoredAny>,
}

impl PackageJson {
    /// The packages that it declares.
    pub(super) fn packages(&self) -> impl Iterator<Item = &str> {
        [
            &self.dependencies,
            &self.dev_dependencies,
            &self.peer_dependencies,
            &self.optional_dependencies,
        ]
        .into_iter()
        .flat_map(|packages| packages.keys().map(String::as_str))
    }
}

/// `composer.json`
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ComposerJson {
    pub(super) scripts: BTreeMap<String, IgnoredAny>,
}

/// `deno.json`
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct DenoJson {
    pub(super) tasks: BTreeMap<String, IgnoredAny>,
}

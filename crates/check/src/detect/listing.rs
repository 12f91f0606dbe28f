//! What is there: the paths of a tree, and the texts of its manifests.

use std::collections::BTreeMap;

use super::wire::{ComposerJson, DenoJson, PackageJson};
use crate::Slot;

/// The files of a tree and what stands in its manifests, as somebody read them.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Path to text; without one for files that are no manifests.
    files: BTreeMap<String, Option<String>>,
}

/// The names of files whose text detection reads.
const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "CMakeLists.txt",
    "GNUmakefile",
    "Gemfile",
    "Justfile",
    "Makefile",
    "Pipfile",
    "Rakefile",
    "build.gradle",
    "build.gradle.kts",
    "composer.json",
    "deno.json",
    "deno.jsonc",
    "go.mod",
    "justfile",
    ".justfile",
    "makefile",
    "mix.exs",
    "package.json",
    "pom.xml",
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
];

/// Whether [`detect`](super::detect) and [`known`](super::known) want to know what stands in a file,
/// by its path.
pub fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    MANIFESTS.contains(&name) || (name.starts_with("requirements") && name.ends_with(".txt"))
}

impl Listing {
    /// A listing of paths, relative to one root, with `/` between their parts. Packages that were
    /// installed (`node_modules`, `.venv`) and what git ignores do not belong in it.
    pub fn new(paths: impl IntoIterator<Item = String>) -> Self {
        Self { files: paths.into_iter().map(|path| (path, None)).collect() }
    }

    /// The listing with the text of one of its manifests.
    #[must_use]
    pub fn with_text(mut self, path: impl Into<String>, text: impl Into<String>) -> Self {
        self.files.insert(path.into(), Some(text.into()));
        self
    }

    pub(super) fn place<'a>(&'a self, folder: &'a str) -> Place<'a> {
        Place { listing: self, folder }
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }
}

/// A folder of the listing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) listing: &'a Listing,
    pub(super) folder: &'a str,
}

impl<'a> Place<'a> {
    /// The path of something in the folder, from the root.
    pub(super) fn path(&self, name: &str) -> String {
        if self.folder.is_empty() { name.to_owned() } else { format!("{}/{name}", self.folder) }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.listing.files.contains_key(&self.path(name))
    }

    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.listing.files.get(&self.path(name))?.as_deref()
    }

    /// The paths below the folder, relative to it.
    pub(super) fn below(&self) -> impl Iterator<Item = &'a str> {
        let folder = self.folder;
        self.listing.paths().filter_map(move |path| match folder {
            "" => Some(path),
            _ => path.strip_prefix(folder)?.strip_prefix('/'),
        })
    }

    /// The folders from this one to the root.
    pub(super) fn upwards(self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self), |place| {
            let above = place.folder.rsplit_once('/').map(|(above, _)| above);
            let folder = if place.folder.is_empty() { return None } else { above.unwrap_or("") };
            Some(Self { folder, ..*place })
        })
    }

    pub(super) fn package_json(&self) -> Option<PackageJson> {
        serde_json::from_str(self.text("package.json")?).ok()
    }

    pub(super) fn composer_json(&self) -> Option<ComposerJson> {
        serde_json::from_str(self.text("composer.json")?).ok()
    }

    /// Comments of `deno.jsonc` are not understood; its tasks are then not seen.
    pub(super) fn deno_json(&self) -> Option<DenoJson> {
        let text = self.text("deno.json").or_else(|| self.text("deno.jsonc"))?;
        serde_json::from_str(text).ok()
    }

    /// What looks like a check here and is none.
    pub(super) fn refused(&self, slot: Slot) -> Option<String> {
        let package = self.package_json()?;
        let script = package.scripts.get(slot_script(slot))?;
        let file = self.path("package.json");
        let name = slot_script(slot);
        is_placeholder(script)
            .then(|| format!("{file}: the script `{name}` is a placeholder: {script}"))
    }
}

fn slot_script(slot: Slot) -> &'static str {
    match slot {
        Slot::Tests => "test",
        Slot::Build => "build",
        Slot::Lint => "lint",
        Slot::Typecheck => "typecheck",
    }
}

/// Whether a script only speaks: npm's `echo "Error: no test specified" && exit 1`, and its like.
pub(super) fn is_placeholder(script: &str) -> bool {
    let parts = script.split("&&").flat_map(|part| part.split("||")).flat_map(|p| p.split(';'));
    parts.into_iter().all(|part| {
        matches!(part.split_whitespace().next(), None | Some("echo" | "exit" | "true" | ":"))
    })
}

//! A rule's command, with what differs between projects filled in.

use super::listing::Place;
use super::when::When;
use super::{Ecosystem, Proposal};
use crate::Slot;

/// A command, and what speaks for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub(super) ecosystem: Ecosystem,
    pub(super) slot: Slot,
    /// All of these have to hold.
    pub(super) when: &'static [When],
    /// `{name}` is the script, task, target or recipe that was found; the other words in braces are
    /// those of [`filled`].
    pub(super) command: &'static str,
}

impl Rule {
    /// The command for a folder, if all conditions hold there.
    pub(super) fn proposal(&self, place: &Place<'_>) -> Option<Proposal> {
        let mut why = Vec::new();
        let mut name = None;
        for when in self.when {
            let seen = when.holds(place)?;
            name = name.or(seen.name);
            why.push(seen.why);
        }
        Some(Proposal {
            ecosystem: self.ecosystem,
            slot: self.slot,
            command: filled(self.command, name.unwrap_or_default(), place),
            folder: place.folder.to_owned(),
            why: why.join(", "),
        })
    }
}

/// What stands in a project for one of the words in braces.
type Fill = fn(&Place<'_>) -> &'static str;

fn filled(command: &str, name: &str, place: &Place<'_>) -> String {
    let words: &[(&str, Fill)] = &[
        ("{run}", |place| Installer::of(place).run()),
        ("{exec}", |place| Installer::of(place).exec()),
        ("{each}", each),
        ("{py}", python_runner),
        ("{python}", python),
        ("{mvn}", |place| if place.has("mvnw") { "./mvnw" } else { "mvn" }),
        ("{gradle}", |place| if place.has("gradlew") { "./gradlew" } else { "gradle" }),
        ("{workspace}", |place| {
            let is_root = When::Line(&["Cargo.toml"], "[workspace").holds(place).is_some();
            if is_root { " --workspace" } else { "" }
        }),
    ];
    let mut filled = command.to_owned();
    for (word, fill) in words {
        if filled.contains(word) {
            filled = filled.replace(word, fill(place));
        }
    }
    filled.replace("{name}", name)
}

/// What installs the packages of a Node project, and runs its scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Installer {
    Npm,
    Pnpm,
    Yarn,
    Bun,
}

impl Installer {
    const LOCKS: [(&str, Self); 7] = [
        ("pnpm-lock.yaml", Self::Pnpm),
        ("pnpm-workspace.yaml", Self::Pnpm),
        ("yarn.lock", Self::Yarn),
        ("bun.lock", Self::Bun),
        ("bun.lockb", Self::Bun),
        ("package-lock.json", Self::Npm),
        ("npm-shrinkwrap.json", Self::Npm),
    ];

    /// What the nearest folder upwards says: its `packageInstaller`, or its lock file.
    fn of(place: &Place<'_>) -> Self {
        for place in place.upwards() {
            let named = place.package_json().map(|package| package.package_manager);
            match named.as_deref().and_then(|named| named.split('@').next()) {
                Some("npm") => return Self::Npm,
                Some("pnpm") => return Self::Pnpm,
                Some("yarn") => return Self::Yarn,
                Some("bun") => return Self::Bun,
                Some(_) | None => {}
            }
            if let Some((_, manager)) = Self::LOCKS.iter().find(|(lock, _)| place.has(lock)) {
                return *manager;
            }
        }
        Self::Npm
    }

    /// Runs a script of the package.
    fn run(self) -> &'static str {
        match self {
            Self::Npm => "npm run",
            Self::Pnpm => "pnpm run",
            Self::Yarn => "yarn run",
            Self::Bun => "bun run",
        }
    }

    /// Runs a program that is installed with the package, and never fetches one.
    fn exec(self) -> &'static str {
        match self {
            Self::Npm => "npx --no-install",
            Self::Pnpm => "pnpm exec",
            Self::Yarn => "yarn run",
            Self::Bun => "bunx --no-install",
        }
    }
}

/// Runs a script in every package of the workspace that has it.
fn each(place: &Place<'_>) -> &'static str {
    match Installer::of(place) {
        Installer::Npm => "npm run --workspaces --if-present",
        Installer::Pnpm => "pnpm --recursive run",
        Installer::Yarn if place.has(".yarnrc.yml") => "yarn workspaces foreach --all run",
        Installer::Yarn => "yarn workspaces run",
        Installer::Bun => "bun run --filter '*'",
    }
}

/// What runs a program in the project's own environment, with a blank behind it.
fn python_runner(place: &Place<'_>) -> &'static str {
    let tools: [(&[&str], &str, &str); 4] = [
        (&["uv.lock"], "[tool.uv", "uv run "),
        (&["poetry.lock"], "[tool.poetry", "poetry run "),
        (&["pdm.lock"], "[tool.pdm", "pdm run "),
        (&["Pipfile", "Pipfile.lock"], "[tool.pipenv", "pipenv run "),
    ];
    let text = place.text("pyproject.toml").unwrap_or_default();
    let has = |start: &str| text.lines().any(|line| line.starts_with(start));
    tools
        .iter()
        .find(|(files, table, _)| files.iter().any(|file| place.has(file)) || has(table))
        .map_or("", |(_, _, runner)| runner)
}

fn python(place: &Place<'_>) -> &'static str {
    match python_runner(place) {
        "" => "python3",
        "uv run " => "uv run python",
        "poetry run " => "poetry run python",
        "pdm run " => "pdm run python",
        _ => "pipenv run python",
    }
}

//! Files that say what is checked, and how.

use super::Change;

/// Folders and files of continuous integration.
const CI: &[&str] = &[
    ".github/workflows/",
    ".github/actions/",
    ".gitlab-ci.yml",
    ".circleci/",
    ".buildkite/",
    ".ci/",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "Jenkinsfile",
    ".travis.yml",
    ".pre-commit-config.yaml",
];

/// Names, or beginnings of names, of files that hold nothing but settings of a tool.
const SETTINGS: &[&str] = &[
    "pytest.ini",
    "tox.ini",
    "noxfile.py",
    "mypy.ini",
    ".mypy.ini",
    "ruff.toml",
    ".ruff.toml",
    ".flake8",
    ".pylintrc",
    "pyrightconfig.json",
    ".coveragerc",
    "jest.config.",
    "vitest.config.",
    "vitest.workspace.",
    ".mocharc",
    "eslint.config.",
    ".eslintrc",
    ".eslintignore",
    "biome.json",
    "tsconfig.",
    "nextest.toml",
    "clippy.toml",
    ".clippy.toml",
    "deny.toml",
    ".golangci.",
    "phpunit.",
    "phpcs.",
    "phpstan.",
    "psalm.xml",
    ".rspec",
    ".rubocop.yml",
    ".credo.exs",
    ".swiftlint.yml",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "justfile",
    "Justfile",
    "Rakefile",
];

/// Manifests that hold settings of tools among other things, and how their sections begin.
const SECTIONS: &[(&str, &[&str])] = &[
    (
        "pyproject.toml",
        &[
            "[tool.pytest",
            "[tool.ruff",
            "[tool.mypy",
            "[tool.pyright",
            "[tool.pylint",
            "[tool.coverage",
            "[tool.tox",
        ],
    ),
    ("setup.cfg", &["[tool:pytest", "[flake8", "[mypy", "[pylint"]),
    ("Cargo.toml", &["[lints", "[workspace.lints", "[[test"]),
];

/// Whether a change is one of what is checked. A file that was not there is one too: it may turn
/// checks off.
pub(super) fn edits_check(change: &Change<'_>) -> bool {
    if change.before == change.after {
        return false;
    }
    let path = change.path;
    let name = path.rsplit('/').next().unwrap_or(path);
    if CI.iter().any(|ci| path.starts_with(ci)) || SETTINGS.iter().any(|s| name.starts_with(s)) {
        return true;
    }
    let before = change.before.unwrap_or_default();
    let after = change.after.unwrap_or_default();
    if name == "package.json" || name == "composer.json" {
        return scripts(before) != scripts(after);
    }
    SECTIONS
        .iter()
        .filter(|(file, _)| name == *file)
        .any(|(_, starts)| sections(before, starts) != sections(after, starts))
}

/// The lines of the sections that begin so.
fn sections<'a>(text: &'a str, starts: &[&str]) -> Vec<&'a str> {
    let mut is_inside = false;
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with('[') {
            is_inside = starts.iter().any(|start| line.starts_with(start));
        }
        if is_inside {
            lines.push(line);
        }
    }
    lines
}

/// The text of the object `scripts`, blanks apart; the whole text where it cannot be found.
fn scripts(text: &str) -> String {
    let object = text.split_once("\"scripts\"").map_or("", |(_, rest)| rest);
    let end = object.find('}').map_or(object.len(), |at| at + 1);
    object[..end].split_whitespace().collect()
}

//! `cargo xtask test`: every test of the workspace.
//!
//! Needs the toolchain, git and bash; uses nextest where it is installed.

use std::path::Path;

use crate::failure::Failure;
use crate::process::{self, cargo};
use crate::tree::Tree;

/// Programs that some tests use where they are there, by the names they go by.
const OPTIONAL: &[(&str, &[&str])] = &[
    ("npm", &["npm"]),
    ("jq", &["jq"]),
    ("clippy", &["cargo-clippy"]),
    ("ruff", &["ruff"]),
    ("eslint", &["eslint"]),
    ("shellcheck", &["shellcheck"]),
    ("a browser", &["chromium", "chromium-browser", "google-chrome", "firefox"]),
];

/// The word, before all others, that has the random suites go further; for a run by hand.
const DEEP: &str = "--deep";

/// How far they go then; what is set already stays.
const FURTHER: &[(&str, &str)] = &[
    ("TRIBUNAL_CRASH_KILLS", "every"),
    ("TRIBUNAL_RANDOM_COUNT", "2000"),
    ("PROPTEST_CASES", "4096"),
];

/// Builds the programs, runs the doc tests, then all other tests.
///
/// The test runner comes last, so that its own summary is the last thing on the screen; everything
/// runs even after a failure, and the first failing program's exit status is kept. Arguments go to the
/// test runner; with arguments the doc tests are left out, because they would not fit them.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let (further, arguments) = depth(arguments);
    for line in absent(&Tree::read(root)?, process::installed) {
        eprintln!("{line}");
    }
    process::run(&mut cargo(root, &["build", "--workspace", "--bins"]))?;
    let documents = if arguments.is_empty() {
        process::run(&mut cargo(root, &["test", "--workspace", "--doc"]))
    } else {
        eprintln!("doc tests: left out, because arguments were given");
        Ok(())
    };
    let has_nextest = process::works(&mut cargo(root, &["nextest", "--version"]));
    if !has_nextest {
        eprintln!("cargo-nextest: not installed, `cargo test` runs the tests");
    }
    let mut tests = cargo(root, &runner(has_nextest, arguments));
    let unset = further.iter().filter(|(name, _)| std::env::var_os(name).is_none());
    tests.args(arguments).envs(unset.copied());
    documents.and(process::run(&mut tests))
}

/// The variables that the tests get, and the arguments that are the test runner's.
fn depth(arguments: &[String]) -> (&'static [(&'static str, &'static str)], &[String]) {
    match arguments {
        [first, rest @ ..] if first == DEEP => (FURTHER, rest),
        all => (&[], all),
    }
}

/// The test runner's command line up to the arguments of the user.
fn runner(has_nextest: bool, arguments: &[String]) -> Vec<&'static str> {
    let mut words = if has_nextest { vec!["nextest", "run"] } else { vec!["test"] };
    let chooses_packages = arguments
        .iter()
        .take_while(|word| *word != "--")
        .any(|word| word.starts_with("-p") || word.starts_with("--package"));
    if !chooses_packages {
        words.push("--workspace");
    }
    if !has_nextest {
        // One failing crate must not hide the others. The doc tests have run by themselves.
        words.extend(["--no-fail-fast", "--lib", "--bins", "--tests", "--examples"]);
    }
    words
}

/// A line for each optional program that a test names and that is not installed.
fn absent(tree: &Tree, installed: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    for (program, names) in OPTIONAL {
        if names.iter().any(|name| installed(name)) {
            continue;
        }
        let users: Vec<&str> = tree
            .files()
            .filter(|(path, text)| {
                let is_test = path.starts_with("tests/") || path.contains("/tests/");
                is_test && names.iter().any(|name| text.contains(&format!("\"{name}\"")))
            })
            .map(|(path, _)| path)
            .collect();
        if !users.is_empty() {
            lines.push(format!(
                "{program}: not installed, what needs it is skipped in {}",
                users.join(", ")
            ));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_programs_are_named_where_tests_use_them() {
        let tree = Tree::from([
            ("tests/e2e/vote.rs", r#"Command::new("jq")"#),
            ("crates/check/tests/node.rs", r#"find("npm")"#),
            ("crates/check/src/lib.rs", r#"["npm", "chromium"]"#),
        ]);
        assert_eq!(
            absent(&tree, |name| name == "npm"),
            ["jq: not installed, what needs it is skipped in tests/e2e/vote.rs"]
        );
        assert!(absent(&tree, |_| true).is_empty());
    }

    #[test]
    fn deep_comes_first_and_does_not_reach_the_test_runner() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let deep = words("--deep -p xtask");
        assert_eq!(depth(&deep), (FURTHER, &deep[1..]));
        let plain = words("-p xtask");
        assert_eq!(depth(&plain), (&[][..], &plain[..]));
    }

    #[test]
    fn the_whole_workspace_is_tested_unless_packages_are_chosen() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(runner(true, &[]), ["nextest", "run", "--workspace"]);
        assert_eq!(runner(true, &words("-p xtask")), ["nextest", "run"]);
        assert_eq!(runner(true, &words("--package=xtask name")), ["nextest", "run"]);
        assert_eq!(runner(true, &words("name -- -p")), ["nextest", "run", "--workspace"]);
        assert!(runner(false, &[]).starts_with(&["test", "--workspace"]));
    }
}

//! What a package needs to be tried, and how that is done for each registry.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::attempt::{Attempt, Tests};
use crate::failure::Failure;
use crate::packages::{Package, Registry, Specimen};
use crate::process;

/// What a Python package's tests need, as it was when these versions were chosen, and how they are run.
struct Suite {
    package: &'static str,
    requirements: &'static [&'static str],
    pytest: &'static [&'static str],
}

const SUITES: &[Suite] = &[
    Suite {
        package: "requests",
        requirements: &[
            "brotlicffi==1.2.1.0",
            "certifi==2024.8.30",
            "charset-normalizer==3.4.0",
            "flask==3.1.0",
            "httpbin==0.10.4",
            "idna==3.10",
            "pysocks==1.7.1",
            "pytest==8.3.3",
            "pytest-httpbin==2.1.0",
            "pytest-mock==3.14.0",
            "trustme==1.2.0",
            "urllib3==2.2.3",
            "werkzeug==3.1.3",
        ],
        // Left out is what waits for addresses that do not answer, and what asks for public names.
        pytest: &["-k", "not TestTimeout and not test_errors"],
    },
    Suite {
        package: "flask",
        requirements: &[
            "asgiref==3.8.1",
            "blinker==1.9.0",
            "click==8.1.7",
            "itsdangerous==2.2.0",
            "jinja2==3.1.4",
            "markupsafe==3.0.2",
            "pytest==8.3.3",
            "python-dotenv==1.0.1",
            "werkzeug==3.1.3",
        ],
        pytest: &[],
    },
];

/// A package with all that it needs, beside its repository.
pub(super) struct Workshop {
    registry: Registry,
    name: &'static str,
    repository: PathBuf,
    /// What is installed or built for it.
    tools: PathBuf,
}

/// Reads results from what a test runner prints.
type Reader = fn(&str) -> Tests;

/// The program that packages of this registry need and that is not installed.
pub(super) fn missing(registry: Registry) -> Option<&'static str> {
    let programs: &[&str] = match registry {
        Registry::Crates => &[],
        Registry::PyPi => &["python3"],
        Registry::Npm => &["npm", "node"],
    };
    programs.iter().find(|program| !process::installed(program)).copied()
}

impl Workshop {
    /// Installs what the package needs; what cargo builds is kept for the next time.
    pub(super) fn open(
        root: &Path,
        package: &Package,
        specimen: &Specimen,
    ) -> Result<Self, Failure> {
        let repository = specimen.repository();
        let tools = match package.registry {
            Registry::Crates => process::target_folder(root)?.join("packages").join("build"),
            Registry::PyPi | Registry::Npm => specimen.beside("tools"),
        };
        let workshop = Self { registry: package.registry, name: package.name, repository, tools };
        match package.registry {
            Registry::Crates => Ok(()),
            Registry::PyPi => {
                process::run(Command::new("python3").args(["-m", "venv"]).arg(&workshop.tools))?;
                let mut pip =
                    workshop.python(&["-m", "pip", "install", "--quiet", "--editable", "."]);
                process::run(pip.args(workshop.suite().into_iter().flat_map(|s| s.requirements)))
            }
            Registry::Npm => process::run(workshop.here("npm").args([
                "install",
                "--omit=dev",
                "--no-save",
                "--no-package-lock",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--silent",
            ])),
        }?;
        Ok(workshop)
    }

    /// Builds or loads the package, and runs its tests where it ships some.
    pub(super) fn attempt(&self) -> Result<Attempt, Failure> {
        match self.registry {
            Registry::Crates => {
                tried(self.cargo("--no-run"), Some((self.cargo("--no-fail-fast"), Tests::of_cargo)))
            }
            Registry::PyPi => {
                let import = self.python(&["-c", &format!("import {}", self.name)]);
                let mut pytest =
                    self.python(&["-m", "pytest", "-q", "-rA", "--tb=no", "--color=no"]);
                pytest.args(["-p", "no:cacheprovider"]);
                pytest.args(self.suite().into_iter().flat_map(|suite| suite.pytest));
                tried(import, Some((pytest, Tests::of_pytest)))
            }
            // The archives of these packages hold no tests.
            Registry::Npm => {
                let mut node = self.here("node");
                node.args(["-e", "require('.')"]);
                tried(node, None)
            }
        }
    }

    fn suite(&self) -> Option<&'static Suite> {
        SUITES.iter().find(|suite| suite.package == self.name)
    }

    fn here(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.repository);
        command
    }

    fn cargo(&self, last: &str) -> Command {
        let mut command = process::cargo(&self.repository, &["test", "--locked", last]);
        command.env("CARGO_TARGET_DIR", &self.tools).env("CARGO_PROFILE_DEV_DEBUG", "0");
        command
    }

    fn python(&self, arguments: &[&str]) -> Command {
        let mut command = self.here(self.tools.join("bin").join("python"));
        command.args(arguments).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}

/// Runs the tests, if any, where the first command ends well.
fn tried(mut first: Command, tests: Option<(Command, Reader)>) -> Result<Attempt, Failure> {
    let output = first.output().map_err(Failure::at(first.get_program()))?;
    if !output.status.success() {
        return Ok(Attempt::Broken(said(&output)));
    }
    let Some((mut command, read)) = tests else { return Ok(Attempt::Works(Tests::default())) };
    // Failing tests are in what it prints; its exit status adds nothing to them.
    let output = command.output().map_err(Failure::at(command.get_program()))?;
    let tests = read(&String::from_utf8_lossy(&output.stdout));
    if tests.is_empty() {
        return Ok(Attempt::Broken(format!("no test has run: {}", said(&output))));
    }
    Ok(Attempt::Works(tests))
}

/// The last lines of what a program printed.
fn said(output: &Output) -> String {
    let text = [&*output.stdout, &*output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}

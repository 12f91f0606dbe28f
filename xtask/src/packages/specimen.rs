//! A copy of a package, for an audit by the real program.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use tempfile::TempDir;
use tribunal_finding::{Category, Place, Severity};

use super::Package;
use crate::failure::Failure;
use crate::process::{self, cargo};

/// A package in a repository of its own, outside of this one; removed when dropped.
pub(crate) struct Specimen {
    /// Holds the repository, and home, state and settings of the audit.
    scratch: TempDir,
}

/// What an audit reports.
#[derive(Deserialize)]
struct Report {
    findings: Vec<Finding>,
}

/// A finding of the report, as far as it is looked at here.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Finding {
    pub category: Category,
    pub place: Place,
    pub description: String,
    pub evidence: String,
    pub shown_severity: Severity,
    vote: Option<Vote>,
    fate: Fate,
}

#[derive(Debug, Clone, Deserialize)]
struct Vote {
    verdict: Verdict,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Confirmed,
    #[serde(other)]
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
enum Fate {
    Fixed,
    #[serde(other)]
    Other,
}

/// Which content the repository of a specimen shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Released,
    Planted,
    Audited,
}

impl State {
    fn branch(self) -> &'static str {
        match self {
            Self::Released => "released",
            Self::Planted => "planted",
            Self::Audited => "audited",
        }
    }
}

impl Finding {
    /// Whether as many validators said so as the recipe asks for.
    pub(crate) fn is_confirmed(&self) -> bool {
        self.vote.as_ref().is_some_and(|vote| vote.verdict == Verdict::Confirmed)
    }

    /// Whether the fixer mended it, and the tree shows that.
    pub(crate) fn is_fixed(&self) -> bool {
        self.fate == Fate::Fixed
    }

    /// The rule that found it and what the rule says, which stand in one text.
    pub(crate) fn rule_and_words(&self) -> (&str, &str) {
        let cut = self.description.strip_suffix(']').and_then(|text| text.rsplit_once(" ["));
        cut.map_or(("", &self.description), |(words, rule)| (rule, words))
    }
}

impl Specimen {
    /// Copies an unpacked package, which is no repository.
    pub(crate) fn of(package: &Package, unpacked: &Path) -> Result<Self, Failure> {
        let prefix = format!("{}-", package.name);
        let scratch = tempfile::Builder::new().prefix(&prefix).tempdir();
        let specimen = Self { scratch: scratch.map_err(Failure::at("a temporary folder"))? };
        let repository = specimen.repository();
        process::run(Command::new("cp").arg("-R").arg(unpacked).arg(&repository))?;
        Ok(specimen)
    }

    /// Makes a repository of it, with one commit.
    pub(crate) fn committed(self) -> Result<Self, Failure> {
        self.git(&["init", "--quiet", "-b", State::Released.branch()])?;
        self.git(&["add", "--force", "."])?;
        self.git(&["commit", "-qm", State::Released.branch()])?;
        Ok(self)
    }

    /// The root of the copy.
    pub(crate) fn repository(&self) -> PathBuf {
        self.scratch.path().join("repository")
    }

    /// A place for what is installed beside the repository.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// Commits what the tracked files hold now; it can be shown again.
    pub(crate) fn keep(&self, state: State) -> Result<(), Failure> {
        self.git(&["checkout", "-qb", state.branch()])?;
        self.git(&["commit", "-qam", state.branch()])
    }

    /// The tracked files, as paths from the root; those whose names are no text are left out.
    pub(crate) fn files(&self) -> Result<Vec<String>, Failure> {
        let mut command = Command::new("git");
        command.args(["ls-files", "-z"]).current_dir(self.repository());
        let listed = process::read(hermetic(&mut command, self.scratch.path()))?;
        Ok(listed.split_terminator('\0').map(str::to_owned).collect())
    }

    /// Makes the tracked files those of a commit.
    pub(crate) fn show(&self, state: State) -> Result<(), Failure> {
        self.git(&["checkout", "-q", state.branch()])
    }

    fn git(&self, arguments: &[&str]) -> Result<(), Failure> {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=xtask", "-c", "user.email=xtask@example.org"]);
        command.args(arguments).current_dir(self.repository());
        process::run(hermetic(&mut command, self.scratch.path()))
    }

    /// Runs a whole audit as it is without settings, and reads its report.
    pub(crate) fn audit(&self, tribunal: &Path, flags: &[&str]) -> Result<Vec<Finding>, Failure> {
        let mut command = Command::new(tribunal);
        command.args(["audit", ".", "--json"]).args(flags).current_dir(self.repository());
        let output =
            hermetic(&mut command, self.scratch.path()).output().map_err(Failure::at(tribunal))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(Failure::Broken(format!("an audit ended with {}\n{said}", output.status)));
        }
        let report: Report = serde_json::from_slice(&output.stdout)
            .map_err(|error| Failure::Broken(format!("the report of an audit: {error}")))?;
        Ok(report.findings)
    }
}

/// Keeps settings and state of whoever runs this away from a program.
fn hermetic<'c>(command: &'c mut Command, scratch: &Path) -> &'c mut Command {
    command
        .env("HOME", scratch.join("home"))
        .env("XDG_STATE_HOME", scratch.join("state"))
        .env("XDG_CONFIG_HOME", scratch.join("config"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
}

/// Builds the release and gives the program.
pub(crate) fn tribunal(root: &Path) -> Result<PathBuf, Failure> {
    process::run(&mut cargo(root, &["build", "--quiet", "--release", "--package", "tribunal"]))?;
    Ok(process::target_folder(root)?.join("release").join("tribunal"))
}

/// A confirmed finding of a rule, for tests.
#[cfg(test)]
pub(crate) fn finding(rule: &str, file: &str, line: u32) -> Finding {
    Finding {
        category: Category::DeadCode,
        place: Place { file: file.to_owned(), line: Some(line) },
        description: format!("Nothing reads it [{rule}]"),
        evidence: "x".to_owned(),
        shown_severity: Severity::Medium,
        vote: Some(Vote { verdict: Verdict::Confirmed }),
        fate: Fate::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_ends_with_the_rule_that_found_it() {
        let text = r#"{
            "category": "dead_code", "shown_severity": "low", "evidence": "x[0]",
            "place": { "file": "a.js", "line": 2 },
            "description": "Nothing reads [this] [js-unused]",
            "vote": { "verdict": "confirmed", "confirmed": 3 },
            "fate": { "kind": "fixed" }
        }"#;
        let finding: Finding = serde_json::from_str(text).expect("the shape of findings.json");
        assert_eq!(finding.rule_and_words(), ("js-unused", "Nothing reads [this]"));
        assert!(finding.is_confirmed() && finding.is_fixed());
    }
}

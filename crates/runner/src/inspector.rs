//! What the embedded inspector goes by in a run, besides what every agent is told.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tribunal_journal::Run;

use crate::error::RunError;

/// Which rules the embedded inspector looks with; part of the run's definition.
///
/// Rules of users are here with their text: neither an edit nor a resume changes what a run goes by.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InspectorOptions {
    /// Rules and categories that alone are looked for; all, when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Rules and categories that are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skip: Vec<String>,
    /// External linters that may be run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub linters: Vec<Linter>,
    /// Rules of users, besides the built-in ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleFolder>,
}

impl InspectorOptions {
    /// Whether nothing is asked of the inspector but its built-in rules.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What the report says of rules that were not asked: what they would find is not called clean.
    pub(crate) fn choice(&self) -> Option<String> {
        let listed = |how: &str, words: &[String]| {
            (!words.is_empty()).then(|| format!("{how} {}", words.join(", ")))
        };
        let lists = [listed("only", &self.only), listed("without", &self.skip)];
        let lists: Vec<String> = lists.into_iter().flatten().collect();
        (!lists.is_empty())
            .then(|| format!("the inspector did not use all of its rules: {}", lists.join(", ")))
    }
}

/// An external linter that the inspector knows how to ask.
///
/// Linters read configuration of the repository, and some run its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Linter {
    /// Rust; builds the project.
    Clippy,
    /// Python.
    Ruff,
    /// JavaScript and TypeScript.
    Eslint,
    /// Shell.
    Shellcheck,
}

impl Linter {
    /// Its name on the command line and in settings.
    pub fn word(self) -> &'static str {
        match self {
            Self::Clippy => "clippy",
            Self::Ruff => "ruff",
            Self::Eslint => "eslint",
            Self::Shellcheck => "shellcheck",
        }
    }

    /// Variables of our environment that it works by, besides those that every child gets.
    pub(crate) fn variables(self) -> &'static [&'static str] {
        match self {
            Self::Clippy => &["CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"],
            Self::Ruff | Self::Eslint | Self::Shellcheck => &[],
        }
    }
}

/// The rule files of one folder, as they were read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleFolder {
    /// Where they were read.
    pub origin: String,
    /// The files, in the order of their paths.
    pub files: Vec<RuleFile>,
}

/// One rule file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleFile {
    /// Its path, relative to the folder.
    pub path: String,
    /// The text.
    pub text: String,
}

/// Writes the recorded rules into the run's private folder and gives a folder for each origin.
pub(crate) fn lay_out(options: &InspectorOptions, run: &Run) -> Result<Vec<PathBuf>, RunError> {
    let mut folders = Vec::new();
    for (number, folder) in (1..).zip(&options.rules) {
        let files = folder.files.iter().map(|file| (file.path.as_str(), file.text.as_bytes()));
        folders.push(run.shared_files(&format!("rules-{number}"), files)?);
    }
    Ok(folders)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_of_rules_is_put_in_words() {
        let check = |only: &[&str], skip: &[&str], expected: Option<&str>| {
            let [only, skip] =
                [only, skip].map(|list| list.iter().map(ToString::to_string).collect());
            let options = InspectorOptions { only, skip, ..InspectorOptions::default() };
            let choice = options.choice();
            let said = choice.as_deref().and_then(|text| text.split_once(": "));
            assert_eq!(said.map(|(_, chosen)| chosen), expected);
        };
        check(&[], &[], None);
        check(&["security", "py-eval"], &[], Some("only security, py-eval"));
        check(&[], &["js-eval"], Some("without js-eval"));
        check(&["security"], &["js-eval"], Some("only security, without js-eval"));
    }

    #[test]
    fn options_come_back_as_they_were_kept_and_leave_no_trace_where_there_are_none() {
        let all = [Linter::Clippy, Linter::Ruff, Linter::Eslint, Linter::Shellcheck];
        let file =
            RuleFile { path: "sub/no-print.yml".to_owned(), text: "id: no-print\n".to_owned() };
        let options = InspectorOptions {
            only: vec!["security".to_owned()],
            skip: vec!["py-eval".to_owned()],
            linters: all.to_vec(),
            rules: vec![RuleFolder { origin: "/r/rules".to_owned(), files: vec![file] }],
        };
        for (options, says) in [(options, "shellcheck"), (InspectorOptions::default(), "{}")] {
            let kept = serde_json::to_string(&options).expect("options are plain data");
            assert!(kept.contains(says), "{kept}");
            let read: InspectorOptions = serde_json::from_str(&kept).expect("the same type");
            assert_eq!(read, options);
        }
        for linter in all {
            let word = serde_json::to_string(&linter).expect("a word");
            assert_eq!(word, format!("\"{}\"", linter.word()));
        }
    }
}

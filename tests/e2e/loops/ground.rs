//! A repository with a test, and calls on its loop.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tribunal_test_support::{Outcome, Program, Repo, Sandbox};

/// The command that tests the repository: `a.txt` has three lines at least.
pub(crate) const TEST: &str = "test $(wc -l < a.txt) -ge 3 || { echo too short; exit 1; }";

pub(crate) struct Ground {
    pub(crate) sandbox: Sandbox,
    pub(crate) repo: Repo,
}

impl Ground {
    pub(crate) fn new() -> Self {
        let sandbox = Sandbox::new();
        let repo = sandbox.repo("shop");
        repo.write("a.txt", "one\ntwo\nthree\n").write("src/b.txt", "b\n");
        repo.commit_all("first");
        Self { sandbox, repo }
    }

    pub(crate) fn program(&self, arguments: &[&str]) -> Program {
        self.sandbox.tribunal(&["loop"]).args(arguments).dir(self.repo.root())
    }

    /// One call; its status is compared, and how the loop stands is given.
    #[track_caller]
    pub(crate) fn call(&self, arguments: &[&str], code: i32) -> Value {
        let outcome = self.program(arguments).arg("--json").run();
        outcome.expect_code(code);
        assert_eq!(outcome.stderr, "");
        json(&outcome)
    }

    #[track_caller]
    pub(crate) fn start(&self, more: &[&str]) -> Value {
        self.call(&[&["start", "src"], more].concat(), 0)
    }

    /// A loop with tests, and one finding open.
    #[track_caller]
    pub(crate) fn simplifying(&self, more: &[&str]) -> Value {
        self.start(&[&["--test-command", TEST], more].concat());
        self.changes(0)
    }

    #[track_caller]
    pub(crate) fn changes(&self, code: i32) -> Value {
        self.call(&["review", "changes_requested", "--findings", "1", "--basis", "H1: x"], code)
    }

    #[track_caller]
    pub(crate) fn clean(&self, code: i32) -> Value {
        self.call(&["review", "clean", "--basis", "H1: same output"], code)
    }

    /// A pass over `a.txt`.
    #[track_caller]
    pub(crate) fn pass(&self, line: &str) -> Value {
        self.repo.append("a.txt", &format!("{line}\n"));
        self.call(&["simplify", "--changed", "true", "--file", "a.txt"], 0)
    }

    pub(crate) fn run_folders(&self) -> Vec<PathBuf> {
        let runs = self.sandbox.state().join("tribunal/runs");
        let Ok(entries) = fs::read_dir(runs) else { return Vec::new() };
        let mut folders: Vec<PathBuf> =
            entries.map(|entry| entry.expect("a run's folder can be listed").path()).collect();
        folders.sort();
        folders
    }

    /// The lines of the only run's journal.
    pub(crate) fn journal(&self) -> Vec<String> {
        let folders = self.run_folders();
        assert_eq!(folders.len(), 1, "{folders:?}");
        let text = fs::read_to_string(folders[0].join("journal.jsonl")).expect("a journal");
        text.lines().map(str::to_owned).collect()
    }
}

#[track_caller]
pub(crate) fn json(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.stdout)
        .unwrap_or_else(|error| panic!("{error}\n{}\n{}", outcome.stdout, outcome.stderr))
}

/// `phase round verification done_reason` of a status.
pub(crate) fn standing(status: &Value) -> String {
    let word = |key: &str| status[key].as_str().unwrap_or("-").to_owned();
    format!(
        "{} {} {} {}",
        word("phase"),
        status["round"],
        word("verification"),
        word("done_reason")
    )
}

/// Requires a refusal that says this and leaves the loop as it is told.
#[track_caller]
pub(crate) fn check_refused(status: &Value, said: &str, expected: &str) {
    let refused = status["refused"].as_str().unwrap_or_else(|| panic!("not refused: {status}"));
    assert!(refused.contains(said), "{refused}, not {said}");
    assert_eq!(standing(status), expected);
}

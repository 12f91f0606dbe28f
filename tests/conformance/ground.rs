//! A repository with a test command, and what is checked about every answer.

use std::path::Path;
use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::{Value, json};
use tribunal_test_support::{Repo, Sandbox};

use crate::raw::Raw;

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
        repo.write("a.txt", "one\ntwo\nthree\n").write(".gitignore", "at-work\ngo\n");
        repo.commit_all("first");
        Self { sandbox, repo }
    }

    /// A server on the repository, and a client that has shaken hands.
    pub(crate) fn client(&self) -> Raw {
        self.client_at(self.repo.root())
    }

    pub(crate) fn client_at(&self, folder: &Path) -> Raw {
        let mut raw = Raw::start(&self.sandbox, folder, &[]);
        raw.shake_hands("2025-06-18");
        raw
    }

    /// A pass over `a.txt`.
    pub(crate) fn edit(&self, line: &str) -> &Self {
        self.repo.append("a.txt", &format!("{line}\n"));
        self
    }
}

/// The arguments of a start with tests.
pub(crate) fn with_tests(max_rounds: u32) -> Value {
    json!({"scope": "src", "test_command": TEST, "max_rounds": max_rounds})
}

pub(crate) fn changes() -> Value {
    json!({"verdict": "changes_requested", "findings": 1, "basis": "H1: x"})
}

pub(crate) fn clean() -> Value {
    json!({"verdict": "clean", "basis": "H1: the same lines, and one more"})
}

pub(crate) fn changed() -> Value {
    json!({"changed": true, "files": ["a.txt"]})
}

pub(crate) fn unchanged() -> Value {
    json!({"changed": false})
}

/// Requires that a status keeps the published schema.
#[track_caller]
pub(crate) fn check_schema(status: &Value) {
    static SCHEMA: OnceLock<Validator> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| {
        let text = include_str!("../../schemas/loop-status.json");
        let schema: Value = serde_json::from_str(text).expect("a schema is JSON");
        jsonschema::validator_for(&schema).expect("a schema of ours is one")
    });
    let faults: Vec<String> = schema.iter_errors(status).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}\n{status}");
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

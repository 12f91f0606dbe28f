//! The inspector in all its roles, reached as a runner reaches it: argv, stdin, stdout.

use std::ffi::OsString;
use std::path::Path;

use fs_err as fs;
use serde_json::{Value, json};

mod audit;
mod kept;
mod linters;
mod rules;

pub(crate) const MARKER: &str = "D-7f3a";

pub(crate) struct Answer {
    pub(crate) status: u8,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.status, 0, "{}", self.stderr);
        serde_json::from_str(&self.stdout).expect("one JSON object")
    }
}

pub(crate) fn inspector(root: &Path, words: &str, prompt: &str) -> Answer {
    let fixed = ["--marker", MARKER, "--target", ".", "--root"].map(OsString::from);
    let args = fixed
        .into_iter()
        .chain([root.as_os_str().to_owned()])
        .chain(words.split_whitespace().map(OsString::from));
    run(args, prompt)
}

/// Calls the program with these words behind its name.
pub(crate) fn run(args: impl Iterator<Item = OsString>, prompt: &str) -> Answer {
    run_in(Vec::new(), args, prompt)
}

/// The same with an environment, of which linters get their part.
pub(crate) fn run_in(
    environment: Vec<(OsString, OsString)>,
    args: impl Iterator<Item = OsString>,
    prompt: &str,
) -> Answer {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let prompt = prompt.as_bytes();
    let status = tribunal_inspector::main(args, environment, prompt, &mut stdout, &mut stderr);
    Answer {
        status,
        stdout: String::from_utf8(stdout).expect("UTF-8"),
        stderr: String::from_utf8(stderr).expect("UTF-8"),
    }
}

pub(crate) fn block(name: &str, value: &Value) -> String {
    format!("<<{MARKER} {name}\n{value}\n{MARKER}>>\n")
}

/// What the seeker finds with all its rules.
pub(crate) fn seek(root: &Path, cycle: u32) -> Value {
    inspector(root, &format!("--role seeker --cycle {cycle}"), "Look for faults.").json()
}

pub(crate) fn asked(findings: &Value) -> String {
    block("audit_findings", &json!({"cycle": 1, "findings": findings, "carried": []}))
}

pub(crate) fn ballots(root: &Path, findings: &Value) -> Vec<Value> {
    (1..=3)
        .map(|n| {
            inspector(root, &format!("--role validator --validator {n}"), &asked(findings)).json()
        })
        .collect()
}

pub(crate) fn verdicts(ballot: &Value) -> Vec<(String, String)> {
    let word = |vote: &Value, key: &str| vote[key].as_str().expect(key).to_owned();
    let votes = ballot["validated"].as_array().expect("a list");
    votes.iter().map(|vote| (word(vote, "finding_id"), word(vote, "verdict"))).collect()
}

/// Confirms what two of three ballots confirm.
pub(crate) fn tally(findings: &Value, ballots: &[Value]) -> Value {
    let entries: Vec<Value> = findings
        .as_array()
        .expect("a list")
        .iter()
        .map(|finding| {
            let id = finding["id"].as_str().expect("an id");
            let yes = ballots
                .iter()
                .flat_map(verdicts)
                .filter(|(voted, verdict)| voted == id && verdict != "false_positive")
                .count();
            let verdict = if yes >= 2 { "confirmed" } else { "false_positive" };
            json!({"finding_id": id, "verdict": verdict})
        })
        .collect();
    json!({"validated": entries})
}

pub(crate) fn fix(root: &Path, findings: &Value, tally: &Value) -> Value {
    let prompt = format!("{}{}", asked(findings), block("validated_findings", tally));
    inspector(root, "--role fixer", &prompt).json()
}

pub(crate) fn plant(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("created");
        fs::write(path, text).expect("written");
    }
}

pub(crate) fn rules(answer: &Value) -> Vec<String> {
    let findings = answer["findings"].as_array().expect("a list");
    findings
        .iter()
        .map(|finding| {
            let description = finding["description"].as_str().expect("a description");
            let (_, id) = description.rsplit_once('[').expect("a rule id");
            format!("{} {}", finding["file"].as_str().expect("a file"), id.trim_end_matches(']'))
        })
        .collect()
}

pub(crate) fn read(root: &Path, path: &str) -> String {
    fs::read_to_string(root.join(path)).expect(path)
}

//! What real tools printed, held to `recordings/readings.txt`; `recordings/record.sh` made the files.
//!
//! An entry of `readings.txt` is `RECORDING exit STATUS`, what was read, and the signature, indented.
//! A failure prints the entries as they are read now, in that form.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use tribunal_check::{Answer, Blame, Counts, End, Fate, Known, Printed, blame, read};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings")
}

/// The entries of `readings.txt`: name, status, and the whole entry.
fn entries() -> Vec<(String, i32, String)> {
    let text = fs::read_to_string(folder().join("readings.txt")).expect("the readings are there");
    let entries = text.split("\n\n").map(str::trim_end).filter(|entry| !entry.is_empty());
    entries
        .map(|entry| {
            let head = entry.lines().next().unwrap_or_default();
            let (name, status) = head.split_once(" exit ").expect("RECORDING exit STATUS");
            (name.to_owned(), status.parse().expect("a status"), entry.to_owned())
        })
        .collect()
}

fn entry(name: &str, status: i32) -> String {
    let path = folder().join(format!("{name}.txt"));
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let printed = Printed { folder: "/project", ..Printed::new(&bytes, End::Exit(status)) };
    let reading = read(&printed);
    let tools: Vec<String> = reading.tools.iter().map(ToString::to_string).collect();
    let tools = if tools.is_empty() { "nobody".to_owned() } else { tools.join(" ") };
    let answer = match reading.answer {
        Answer::Passed => "passed",
        Answer::Failed => "failed",
        Answer::NothingRan => "nothing ran",
    };
    // The packages that the recorded projects ask for and do not have count as declared.
    let known = Known {
        declared: Some(BTreeSet::from([
            "no-such-package-of-ours".to_owned(),
            "no_such_module_of_ours".to_owned(),
            "requests_of_nowhere".to_owned(),
            "example.org/no-such-module-of-ours".to_owned(),
        ])),
        own: BTreeSet::from(["sums".to_owned()]),
        ended_before: false,
    };
    let answer = match blame(&printed, &reading, &known) {
        Blame::Code => answer.to_owned(),
        Blame::Environment(trouble) => format!("{answer}, {}", trouble.kind),
    };
    let Counts { passed, failed, warned, skipped } = reading.counts;
    let mut entry = format!(
        "{name} exit {status}\n{answer} ({tools}): \
         {passed} passed, {failed} failed, {warned} warned, {skipped} skipped"
    );
    for unit in reading.units.iter().filter(|unit| unit.fate == Fate::Warned) {
        let _ = write!(entry, "\n  {unit}");
    }
    for line in reading.signature.lines() {
        let _ = write!(entry, "\n    {line}");
    }
    entry
}

#[test]
fn every_recording_reads_as_it_is_written_down() {
    let read: Vec<String> = entries()
        .iter()
        .map(|(name, status, expected)| (entry(name, *status), expected))
        .filter(|(read, expected)| read != *expected)
        .map(|(read, _)| read)
        .collect();
    assert!(read.is_empty(), "read differently now:\n{}", read.join("\n\n"));
}

#[test]
fn every_recording_is_written_down_once() {
    let mut recordings = Vec::new();
    for tool in fs::read_dir(folder()).expect("the recordings are there") {
        let tool = tool.expect("an entry");
        if !tool.path().is_dir() {
            continue;
        }
        let tool_name = tool.file_name().into_string().expect("a plain name");
        for case in fs::read_dir(tool.path()).expect("a folder of recordings") {
            let case = case.expect("an entry").file_name().into_string().expect("a plain name");
            recordings.push(format!("{tool_name}/{}", case.trim_end_matches(".txt")));
        }
    }
    recordings.sort_unstable();
    let mut written: Vec<String> = entries().into_iter().map(|(name, ..)| name).collect();
    written.sort_unstable();
    assert_eq!(written, recordings);
}

/// Every tool is recorded when it passes, fails and looks at nothing, and when something is missing
/// around it; what a tool cannot do is left out here.
#[test]
fn every_tool_is_recorded_in_every_case() {
    let written: BTreeSet<String> = entries().into_iter().map(|(name, ..)| name).collect();
    let has = |tool: &str, case: &str| {
        written.iter().any(|name| {
            name.split_once('/').is_some_and(|(folder, written)| {
                folder.rsplit_once('-').is_some_and(|(name, _)| name == tool) && written == case
            })
        })
    };
    for (tool, cases) in CELLS {
        for case in *cases {
            assert!(has(tool, case), "{tool}: {case}");
        }
    }
}

const ALL: &[&str] = &["pass", "fail", "nothing", "environment"];

const CELLS: &[(&str, &[&str])] = &[
    ("libtest", ALL),
    ("nextest", ALL),
    ("pytest", ALL),
    ("unittest", ALL),
    ("go", ALL),
    ("go-json", ALL),
    ("jest", ALL),
    ("vitest", ALL),
    ("mocha", ALL),
    ("node-test", ALL),
    // A report is written by a tool that ran.
    ("junit", &["pass", "fail", "nothing"]),
    ("tsc", ALL),
    ("eslint", ALL),
    // A package has at least one target, else cargo refuses its manifest.
    ("rustc", &["pass", "fail", "environment"]),
    ("clippy", &["pass", "fail", "environment"]),
    ("ruff", ALL),
    ("mypy", ALL),
];

//! What real tools printed, each reading a row; `recordings/record.sh` made the files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tribunal_check::{Answer, Counts, End, Printed, Reading, Tool, read};

struct Row {
    recording: &'static str,
    end: End,
    tools: &'static [Tool],
    answer: Answer,
    /// Passed, failed, warned, skipped.
    counts: [u64; 4],
    /// In any order: tests run side by side.
    failing: &'static [&'static str],
}

const fn row(
    recording: &'static str,
    status: i32,
    tools: &'static [Tool],
    answer: Answer,
    counts: [u64; 4],
    failing: &'static [&'static str],
) -> Row {
    Row { recording, end: End::Exit(status), tools, answer, counts, failing }
}

use Answer::{Failed, NothingRan, Passed};

const LIBTEST: &[Tool] = &[Tool::Libtest];
const NEXTEST: &[Tool] = &[Tool::Nextest];
const PYTEST: &[Tool] = &[Tool::Pytest];
const UNITTEST: &[Tool] = &[Tool::Unittest];

const ROWS: &[Row] = &[
    row("libtest-1.95.0/pass", 0, LIBTEST, Passed, [4, 0, 0, 1], &[]),
    row(
        "libtest-1.95.0/fail",
        101,
        LIBTEST,
        Failed,
        [0, 4, 0, 1],
        &[
            "sample tests::overflows",
            "sample tests::adds",
            "outside adds",
            "sample src/lib.rs - add",
        ],
    ),
    row("libtest-1.95.0/broken", 101, &[], Failed, [0, 0, 0, 0], &[]),
    row("libtest-1.95.0/nothing", 0, LIBTEST, NothingRan, [0, 0, 0, 0], &[]),
    row("libtest-1.95.0/environment", 101, &[], Failed, [0, 0, 0, 0], &[]),
    row("libtest-1.95.0/quiet", 101, LIBTEST, Failed, [1, 1, 0, 1], &["tests::adds"]),
    row(
        "libtest-1.95.0/aborted",
        101,
        LIBTEST,
        Failed,
        [0, 1, 0, 0],
        &["sample (ended before its tests did)"],
    ),
    row("nextest-0.9.143/pass", 0, NEXTEST, Passed, [3, 0, 0, 1], &[]),
    row(
        "nextest-0.9.143/fail",
        100,
        NEXTEST,
        Failed,
        [0, 3, 0, 1],
        &["sample tests::overflows", "sample tests::adds", "sample::outside adds"],
    ),
    row("nextest-0.9.143/broken", 101, &[], Failed, [0, 0, 0, 0], &[]),
    row("nextest-0.9.143/nothing", 4, NEXTEST, NothingRan, [0, 0, 0, 0], &[]),
    row("nextest-0.9.143/environment", 102, &[], Failed, [0, 0, 0, 0], &[]),
    row("nextest-0.9.143/retried", 100, NEXTEST, Failed, [2, 1, 0, 1], &["sample tests::adds"]),
    row("pytest-9.2.0/pass", 0, PYTEST, Passed, [3, 0, 0, 1], &[]),
    row(
        "pytest-9.2.0/fail",
        1,
        PYTEST,
        Failed,
        [2, 3, 0, 1],
        &[
            "test_sums.py::Sums::test_adds",
            "test_sums.py::Sums::test_pairs (pair=(1, 1))",
            "test_sums.py::Sums::test_pairs (pair=(2, 3))",
        ],
    ),
    row("pytest-9.2.0/broken", 2, PYTEST, Failed, [0, 1, 0, 0], &["test_sums.py"]),
    row("pytest-9.2.0/nothing", 5, PYTEST, NothingRan, [0, 0, 0, 0], &[]),
    row("pytest-9.2.0/environment", 2, PYTEST, Failed, [0, 1, 0, 0], &["test_sums.py"]),
    row(
        "pytest-9.2.0/quiet",
        1,
        PYTEST,
        Failed,
        [1, 2, 0, 0],
        &["test_words.py::test_word[a - b]", "test_words.py::test_torn"],
    ),
    row(
        "pytest-9.2.0/verbose",
        1,
        PYTEST,
        Failed,
        [1, 2, 0, 0],
        &["test_words.py::test_word[a - b]", "test_words.py::test_torn"],
    ),
    row("unittest-3.11.7/pass", 0, UNITTEST, Passed, [3, 0, 0, 1], &[]),
    row(
        "unittest-3.11.7/fail",
        1,
        UNITTEST,
        Failed,
        [0, 3, 0, 1],
        &[
            "test_sums.Sums.test_adds",
            "test_sums.Sums.test_pairs (pair=(1, 1))",
            "test_sums.Sums.test_pairs (pair=(2, 3))",
        ],
    ),
    row("unittest-3.11.7/broken", 1, UNITTEST, Failed, [0, 1, 0, 0], &["test_sums"]),
    row("unittest-3.11.7/nothing", 0, UNITTEST, NothingRan, [0, 0, 0, 0], &[]),
    row("unittest-3.11.7/environment", 1, UNITTEST, Failed, [0, 1, 0, 0], &["test_sums"]),
    row(
        "unittest-3.11.7/verbose",
        1,
        UNITTEST,
        Failed,
        [1, 3, 0, 1],
        &[
            "test_sums.Sums.test_adds",
            "test_sums.Sums.test_pairs (pair=(1, 1))",
            "test_sums.Sums.test_pairs (pair=(2, 3))",
        ],
    ),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings")
}

fn reading(row: &Row) -> Reading {
    let path = folder().join(format!("{}.txt", row.recording));
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    read(&Printed::new(&bytes, row.end))
}

#[test]
fn every_recording_reads_as_its_row_says() {
    let mut wrong = Vec::new();
    for row in ROWS {
        let reading = reading(row);
        let Counts { passed, failed, warned, skipped } = reading.counts;
        let failing: BTreeSet<&str> = reading.failing().map(|unit| unit.name.as_str()).collect();
        let read = (&*reading.tools, reading.answer, [passed, failed, warned, skipped], failing);
        let named: BTreeSet<&str> = row.failing.iter().copied().collect();
        let expected = (row.tools, row.answer, row.counts, named);
        if read != expected {
            wrong.push(format!("{}\n  read     {read:?}\n  expected {expected:?}", row.recording));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_recording_has_one_row() {
    let mut recordings = BTreeSet::new();
    for tool in fs::read_dir(folder()).expect("the recordings are there") {
        let tool = tool.expect("an entry");
        if !tool.path().is_dir() {
            continue;
        }
        for case in fs::read_dir(tool.path()).expect("a folder of recordings") {
            let case = case.expect("an entry").file_name().into_string().expect("a plain name");
            let tool = tool.file_name().into_string().expect("a plain name");
            recordings.insert(format!("{tool}/{}", case.trim_end_matches(".txt")));
        }
    }
    let rows: BTreeSet<String> = ROWS.iter().map(|row| row.recording.to_owned()).collect();
    assert_eq!(rows, recordings);
    assert_eq!(rows.len(), ROWS.len(), "a recording has two rows");
}

//! Whose fault a failed check is, in rows.

use std::collections::BTreeSet;

use tribunal_check::TroubleKind::{
    DiskFull, Forbidden, Network, NeverEnded, NotStarted, PackageMissing, Quota, ToolMissing,
};
use tribunal_check::{Answer, Blame, End, Known, Printed, TroubleKind, blame, read};

const CODE: Option<TroubleKind> = None;

fn known(ended_before: bool) -> Known {
    Known {
        declared: Some(BTreeSet::from(["left-pad".to_owned()])),
        own: BTreeSet::from(["sums".to_owned()]),
        ended_before,
    }
}

fn check(rows: &[(End, &str, Option<TroubleKind>)]) {
    for (end, text, expected) in rows {
        assert_eq!(kind(*end, text, &known(false)), *expected, "{end}: {text}");
    }
}

fn kind(end: End, text: &str, known: &Known) -> Option<TroubleKind> {
    let printed = Printed::new(text.as_bytes(), end);
    match blame(&printed, &read(&printed), known) {
        Blame::Code => None,
        Blame::Environment(trouble) => Some(trouble.kind),
    }
}

#[test]
fn how_the_command_ended_comes_first() {
    let failed = "test a ... FAILED\ntest result: FAILED. 0 passed; 1 failed;";
    check(&[
        (End::NotStarted, "", Some(NotStarted)),
        (End::Exit(126), "bash: ./check: Permission denied", Some(NotStarted)),
        (End::Exit(127), "bash: line 1: pytest: command not found", Some(ToolMissing)),
        (End::Exit(127), failed, Some(ToolMissing)),
        (End::Exit(1), failed, CODE),
        (End::Signal(11), "Segmentation fault", CODE),
        (End::Exit(0), "no space left on device", CODE),
    ]);
}

#[test]
fn a_check_that_used_to_end_and_now_does_not_is_the_codes_fault() {
    for (end, ended_before, expected) in [
        (End::TimedOut, false, Some(NeverEnded)),
        (End::TimedOut, true, CODE),
        (End::Signal(9), false, Some(NeverEnded)),
        (End::Signal(9), true, CODE),
        (End::Exit(137), false, Some(NeverEnded)),
        (End::Exit(137), true, CODE),
    ] {
        assert_eq!(kind(end, "running", &known(ended_before)), expected, "{end}, {ended_before}");
    }
}

#[test]
fn every_kind_of_trouble_is_known_by_its_words() {
    check(&[
        (End::Exit(2), "make: ruff: No such file or directory", Some(ToolMissing)),
        (End::Exit(2), "make: *** [Makefile:2: lint] Error 127", Some(ToolMissing)),
        (End::Exit(1), "sh: 1: tsc: not found", Some(ToolMissing)),
        (End::Exit(1), "/usr/bin/python3: No module named pytest", Some(ToolMissing)),
        (End::Exit(101), "error: no such command: `nextest`", Some(ToolMissing)),
        (End::Exit(1), "npm error Missing script: \"lint\"", Some(ToolMissing)),
        (End::Exit(1), "Error: Cannot find module 'left-pad'", Some(PackageMissing)),
        (End::Exit(1), "curl: (6) Could not resolve host: example.org", Some(Network)),
        (End::Exit(1), "FetchError: getaddrinfo ENOTFOUND example.org", Some(Network)),
        (End::Exit(1), "HTTP 429 Too Many Requests", Some(Quota)),
        (End::Exit(1), "OSError: [Errno 28] No space left on device", Some(DiskFull)),
        (End::Exit(1), "Error: listen EPERM: operation not permitted", Some(Forbidden)),
    ]);
}

#[test]
fn words_explain_only_as_many_failures_as_there_are_lines() {
    let two_failed = "FAILED a.py::b - x\nFAILED a.py::c - y\n2 failed, 1 passed in 0.1s";
    let summary = "=== short test summary info ===\n";
    let refused = "ConnectionError: Connection refused\n";
    check(&[
        (End::Exit(1), &format!("{refused}{summary}{two_failed}"), CODE),
        (End::Exit(1), &format!("{refused}{refused}{summary}{two_failed}"), Some(Network)),
        (End::Exit(1), &format!("No space left on device\n{summary}{two_failed}"), Some(DiskFull)),
    ]);
}

#[test]
fn what_the_code_can_mend_is_the_codes_fault() {
    check(&[
        (End::Exit(1), "Error: Cannot find module './gone'", CODE),
        (End::Exit(1), "ModuleNotFoundError: No module named 'sums.gone'", CODE),
        (End::Exit(1), "ModuleNotFoundError: No module named 'undeclared'", CODE),
        (End::Exit(1), "Error: connect ECONNREFUSED 127.0.0.1:3000", CODE),
        (End::Exit(1), "assertion failed", CODE),
        (End::Exit(1), "", CODE),
    ]);
}

#[test]
fn without_a_manifest_a_missing_package_is_the_environments() {
    let known = Known { declared: None, ..known(false) };
    let line = "ModuleNotFoundError: No module named 'undeclared'";
    assert_eq!(kind(End::Exit(1), line, &known), Some(PackageMissing));
}

#[test]
fn trouble_shows_the_line_that_says_so() {
    let text = "all fine\n  curl: (6) Could not resolve host: example.org\nmore";
    let printed = Printed::new(text.as_bytes(), End::Exit(1));
    let reading = read(&printed);
    assert_eq!(reading.answer, Answer::Failed);
    let Blame::Environment(trouble) = blame(&printed, &reading, &known(false)) else {
        panic!("the network")
    };
    assert_eq!(
        trouble.to_string(),
        "the network does not answer: curl: (6) Could not resolve host: example.org"
    );
}

//! Faults from public reports, by their labels.

use tribunal_check::{Answer, End, Printed, Reading, read};

fn printed(text: &str, status: i32) -> Reading {
    read(&Printed::new(text.as_bytes(), End::Exit(status)))
}

#[test]
fn qa_02_a_masked_failure_passes_by_its_exit_status_and_is_named() {
    let failed = "test a ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored";
    let piped = printed(failed, 1);
    assert_eq!((piped.answer, piped.is_masked()), (Answer::Failed, false), "QA-02");
    let masked = printed(failed, 0);
    assert_eq!((masked.answer, masked.is_masked()), (Answer::Passed, true), "QA-02");
}

#[test]
fn qa_04_times_pids_and_temporary_paths_do_not_make_another_failure() {
    let cycles = [
        "2030-01-01T10:00:01Z worker pid=311 /tmp/t.ab12/x: assertion failed at lib.rs:40 (0.31s)",
        "2030-01-01T10:02:07Z worker pid=977 /tmp/t.zz90/x: assertion failed at lib.rs:40 (0.29s)",
        "2030-01-01T10:05:55Z worker pid=42 /tmp/t.q1w2/x: assertion failed at lib.rs:40 (0.35s)",
    ];
    let signatures = cycles.map(|text| printed(text, 1).signature);
    assert_eq!(signatures[0], signatures[1], "QA-04");
    assert_eq!(signatures[0], signatures[2], "QA-04");
    let other = cycles[0].replace("assertion", "expectation");
    assert_ne!(printed(&other, 1).signature, signatures[0], "QA-04");
}

#[test]
fn qa_05_two_failures_that_take_turns_stay_two() {
    let signatures = ["error A", "error B", "error A", "error B", "error A"]
        .map(|text| printed(text, 1).signature);
    let same = signatures.iter().filter(|signature| **signature == signatures[0]).count();
    assert_eq!(same, 3, "QA-05");
}

#[test]
fn qa_08_text_does_not_make_a_failure_pass() {
    for (text, status) in [
        ("+ grep PASSED results.txt\nNOT PASSED: 3", 1),
        ("make: *** no rule to make target 'PASSED'", 2),
    ] {
        assert_eq!(printed(text, status).answer, Answer::Failed, "QA-08: {text}");
    }
}

#[test]
fn order_and_repeats_do_not_make_another_failure_but_one_test_more_does() {
    let run = |names: &[&str]| {
        let lines: String = names.iter().map(|name| format!("test {name} ... FAILED\n")).collect();
        printed(&format!("{lines}test result: FAILED. 0 passed; 2 failed;"), 101).signature
    };
    assert_eq!(run(&["a", "b"]), run(&["b", "a", "a"]));
    assert_ne!(run(&["a", "b"]), run(&["a"]));
}

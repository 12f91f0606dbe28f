//! What holds for any bytes.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use tribunal_check::{Answer, End, Printed, folded, read};

const WORDS: &[&str] = &[
    "test a::b ... ok\n",
    "running 3 tests\n",
    "test result: FAILED. 1 passed; 99999999999999999999 failed;",
    "failures:\n    a::b\n",
    " Nextest run ID x\n",
    "Summary [ 0.1s] 3 tests run: 2 passed, 1 failed\n",
    "FAIL [   0.003s] (2/3) sample tests::adds\n",
    "=== short test summary info ===\n",
    "FAILED a.py::b[ - ] - x\n",
    "1 failed, 18446744073709551615 passed in 0.03s\n",
    "----------------------------------------------------------------------\n",
    "Ran 3 tests in 0.001s\n\nFAILED (failures=18446744073709551615)\n",
    "FAIL: a (b.c)\n",
    "--- FAIL: TestA/b (0.00s)\n",
    "FAIL\ta/b\t0.1s\n",
    "{\"Action\":\"fail\",\"Package\":\"a\"}\n",
    "FAIL a.test.js\n  ● a › b\n",
    "Test Suites: 1 failed\nTests: 1 failed, 1 total\n",
    "No tests found, exiting with code 1\n",
    "RUN v1.2.3\n",
    "FAIL a > b\nTests 1 failed | 2 passed (3)\n",
    "  1 passing (1ms)\n  2 failing\n",
    "  1) a\n       b:\n",
    "▶ a\n",
    "  ✖ b (1.5ms)\n",
    "✖ a (1ms)\nℹ tests 1\nℹ fail 1\n",
    "# Subtest: a\n",
    "    not ok 1 - b\n",
    "ok 1 - a # SKIP\n",
    "1..0\n",
    "---\n",
    "<testsuite tests=\"0\">",
    "<testcase name=\"a\">",
    "<failure>",
    "</testcase>",
    "<![CDATA[",
    "a.ts(1,2): error TS1: x\n",
    "error TS18003: x\n",
    "a.ts:1:2 - error TS1: x\n",
    "/a/b.js\n  1:2  error  x  no-x\n",
    "✖ 1 problem (1 error, 0 warnings)\n",
    "[{\"filePath\":\"a\",\"messages\":[]}]\n",
    "error[E0001]: x\n",
    "  --> a.rs:1:2\n",
    "error: could not compile `a`\n",
    "F401 x\n --> a.py:1:2\n",
    "Found 1 error.\n",
    "Found 1 error in 1 file (checked 1)\n",
    "a.py:1: error: x  [y]\n",
    "\u{1b}[31m",
    "((([",
    "\n",
    "é",
    " ",
];

/// Lines that readers look for, in any order and with noise between them.
fn words() -> impl Strategy<Value = Vec<u8>> {
    let word = prop::sample::select(WORDS);
    let part = prop_oneof![
        4 => word.prop_map(|word| word.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..8),
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

fn ends() -> impl Strategy<Value = End> {
    prop_oneof![
        any::<i32>().prop_map(End::Exit),
        Just(End::Exit(0)),
        any::<i32>().prop_map(End::Signal),
        Just(End::TimedOut),
        Just(End::NotStarted),
    ]
}

proptest! {
    #[test]
    fn no_text_turns_a_failure_into_a_pass(bytes in words(), end in ends()) {
        let reading = read(&Printed::new(&bytes, end));
        prop_assert_eq!(reading.answer == Answer::Passed && !end.is_success(), false);
        prop_assert_eq!(reading.answer == Answer::Failed && end.is_success(), false);
        prop_assert!(reading.answer == Answer::Failed || reading.failing().next().is_none());
    }

    #[test]
    fn no_unit_is_named_twice_and_none_is_left_uncounted(bytes in words()) {
        let reading = read(&Printed::new(&bytes, End::Exit(1)));
        for unit in &reading.units {
            prop_assert!(reading.counts.of(unit.fate) > 0);
        }
        if let [_] = *reading.tools {
            let mut names: Vec<&str> = reading.units.iter().map(|unit| &*unit.name).collect();
            names.sort_unstable();
            let all = names.len();
            names.dedup();
            prop_assert_eq!(names.len(), all);
        }
    }

    #[test]
    fn what_differs_between_two_runs_makes_no_difference(first in moment(), second in moment()) {
        prop_assert_eq!(folded(&first), folded(&second));
    }
}

/// One failure as it is printed in different runs.
fn moment() -> impl Strategy<Value = String> {
    let numbers = (0..24u32, 0..60u32, 1..99_999u32, 1..60_000u64, any::<u64>());
    (numbers, "[a-z0-9_.-]{1,12}").prop_map(|((hour, minute, pid, millis, address), temp)| {
        format!(
            "2030-01-01T{hour:02}:{minute:02}:07.{millis}Z [pid {pid}] /tmp/{temp}/x.rs:{minute}:{hour}: \
             <a at 0x{address:x}> localhost:{pid} not ready after {millis}ms at line {minute}"
        )
    })
}

/// Sixteen times as much takes some sixteen times as long; a quadratic reader would take 256 times.
#[test]
fn no_word_repeated_takes_more_than_linear_time() {
    let time = |word: &str, len: usize| {
        let text = word.repeat(len / word.len());
        let started = Instant::now();
        read(&Printed::new(text.as_bytes(), End::Exit(1)));
        folded(&text.replace('\n', " "));
        started.elapsed().max(Duration::from_millis(1))
    };
    for word in WORDS {
        let is_linear = || time(word, 32_000) < 80 * time(word, 2_000);
        // A busy machine may spoil one measurement, hardly ten in a row.
        assert!((0..10).any(|_| is_linear()), "{word:?}");
    }
}

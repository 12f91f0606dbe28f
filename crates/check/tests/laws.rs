//! What holds for any bytes.

use proptest::prelude::*;
use tribunal_check::{Answer, End, Printed, read};

/// Lines that readers look for, torn apart and put together anew.
fn words() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        Just("test a::b ... ok\n"),
        Just("running 3 tests\n"),
        Just("test result: FAILED. 1 passed; 99999999999999999999 failed;"),
        Just("failures:\n    a::b\n"),
        Just(" Nextest run ID x\n"),
        Just("Summary [ 0.1s] 3 tests run: 2 passed, 1 failed\n"),
        Just("FAIL [   0.003s] (2/3) sample tests::adds\n"),
        Just("=== short test summary info ===\n"),
        Just("FAILED a.py::b[ - ] - x\n"),
        Just("1 failed, 18446744073709551615 passed in 0.03s\n"),
        Just("----------------------------------------------------------------------\n"),
        Just("Ran 3 tests in 0.001s\n\nFAILED (failures=18446744073709551615)\n"),
        Just("FAIL: a (b.c)\n"),
        Just("\u{1b}[31m"),
        Just("(((["),
        Just("\n"),
        Just("é"),
    ];
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
}

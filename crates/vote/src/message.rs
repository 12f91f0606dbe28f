//! The lines that the merge prints on stderr, word for word (D11).
//!
//! Pure text: the caller keeps the raw outputs and knows where.

use std::fmt::Write;

use crate::{Standing, Warning};

const STEP: &str = "[merge-validations]";

/// The warning about a validator that has no ballot though it did say something; `None` for others.
///
/// `position` counts from 1; `place` is where its raw output was kept.
pub fn warning(position: usize, standing: &Standing, place: &str) -> Option<String> {
    let what = match standing {
        Standing::Usable { .. } | Standing::Empty => return None,
        Standing::Unparseable => "output unparseable".to_owned(),
        Standing::NoBallot => "output holds no ballot".to_owned(),
        Standing::Failed { how } => format!("failed ({how})"),
    };
    Some(format!(
        "{STEP} WARNING: validator v{position} {what}; counting zero votes from it. \
         Raw output preserved at: {place}"
    ))
}

/// What is said when the gate is shut: one line, and one per raw output that was kept.
pub fn fatal(kept: &[(usize, &str)]) -> String {
    let mut text = format!(
        "{STEP} FATAL: all validators produced unparseable output; cannot merge. \
         Raw outputs preserved at:"
    );
    for (position, place) in kept {
        write!(text, "\n  v{position}: {place}").expect("a String takes any text");
    }
    text
}

/// The line about something that did not count as a vote.
pub fn note(warning: &Warning) -> String {
    format!("{STEP} WARNING: {warning}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: &str = "./eval_results/quality_audit/cycle_3/validator_v2_raw.txt";

    fn check(standing: &Standing, expected: Option<&str>) {
        let expected = expected.map(|what| {
            format!(
                "[merge-validations] WARNING: validator v2 {what}; counting zero votes from it. \
                 Raw output preserved at: {PLACE}"
            )
        });
        assert_eq!(warning(2, standing, PLACE), expected);
    }

    #[test]
    fn only_a_validator_without_a_readable_answer_is_warned_about() {
        check(&Standing::Unparseable, Some("output unparseable"));
        check(&Standing::NoBallot, Some("output holds no ballot"));
        check(&Standing::Failed { how: "exit 1".to_owned() }, Some("failed (exit 1)"));
        check(&Standing::Empty, None);
        check(&Standing::read(r#"{"validated": [1]}"#), None);
    }

    #[test]
    fn the_fatal_message_lists_every_raw_output_on_its_own_line() {
        assert_eq!(
            fatal(&[(1, "./out/cycle_3/validator_v1_raw.txt"), (3, "/tmp/x/validator_v3_raw.txt")]),
            "[merge-validations] FATAL: all validators produced unparseable output; cannot merge. \
             Raw outputs preserved at:\n  v1: ./out/cycle_3/validator_v1_raw.txt\n  \
             v3: /tmp/x/validator_v3_raw.txt"
        );
    }
}

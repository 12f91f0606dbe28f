//! How often a text asserts something.

use super::blanked::is_word;

/// Words that begin the name of what asserts something.
const ASSERTING: [&str; 12] = [
    "assert",
    "check",
    "expect",
    "prop_assert",
    "debug_assert",
    "verify",
    "require",
    "ensure",
    "fail",
    "panic",
    "raises",
    "should",
];

/// Ways of a Go test to fail.
const GO: [&str; 5] = ["Error", "Errorf", "Fatal", "Fatalf", "FailNow"];

/// Counts the words that assert something and are called, or stand as a statement.
pub(super) fn assertions(body: &str) -> usize {
    let bytes = body.as_bytes();
    let mut count = 0;
    let mut at = 0;
    while at < bytes.len() {
        if !is_word(bytes[at]) {
            at += 1;
            continue;
        }
        let length = bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
        let word = &body[at..at + length];
        let lower = word.to_lowercase();
        let asserts = ASSERTING.iter().any(|start| lower.starts_with(start)) || GO.contains(&word);
        let rest = body[at + length..].trim_start_matches(['!', '(', ' ']);
        let called = rest.len() < body.len() - at - length;
        let trivial = ["true", "True"].iter().any(|word| {
            rest.strip_prefix(word).is_some_and(|rest| !rest.bytes().next().is_some_and(is_word))
        });
        count += usize::from(asserts && called && !trivial);
        at += length;
    }
    count
}

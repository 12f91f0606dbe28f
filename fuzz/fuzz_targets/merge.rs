//! `cargo fuzz run --sanitizer none merge`: the vote against a count finding by finding.

#![no_main]

#[path = "../../crates/vote/tests/reference/model.rs"]
mod model;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|raw: &[u8]| {
    // The first byte chooses the threshold; blank lines part the validators' answers.
    let Some((agree, rest)) = raw.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let answers: Vec<&str> = text.split("\n\n").take(6).collect();
    model::check(u32::from(*agree % 6), &answers);
});

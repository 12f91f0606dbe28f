//! `cargo fuzz run --sanitizer none extract`: extraction against the model of its tests.

#![no_main]

#[path = "../../crates/verdict/tests/reference/compare.rs"]
mod compare;
#[path = "../../crates/verdict/tests/reference/model.rs"]
mod model;

use libfuzzer_sys::fuzz_target;

// The model is cubic, and what is true of long texts is true of short ones.
const LENGTH_MAX: usize = 400;

fuzz_target!(|raw: &[u8]| {
    if let Some(raw) = raw.get(..LENGTH_MAX.min(raw.len())) {
        compare::check(raw);
    }
});

//! `cargo fuzz run --sanitizer none tally`: a tally that is read adds up, and is written as it was read.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tribunal_vote::{Ruling, Tally};

fuzz_target!(|text: &str| {
    let Ok(tally) = Tally::read(text) else { return };
    let agree = tally.threshold().agree();
    for entry in tally.entries() {
        let is_confirmed = matches!(entry.ruling(), Ruling::Confirmed(_));
        assert_eq!(is_confirmed, entry.votes().confirmed >= agree, "{entry:?}");
    }
    for confirmed in tally.confirmed() {
        assert!(confirmed.final_severity() <= confirmed.decision_severity());
    }
    let written = serde_json::to_string(&tally).expect("plain data");
    assert_eq!(Tally::read(&written), Ok(tally));
});

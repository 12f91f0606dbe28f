//! `cargo fuzz run --sanitizer none record`: a line of the journal that is read is written as itself.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tribunal_record::{Hash, Header, decode, encode};

fuzz_target!(|text: &str| {
    let mut previous = Hash::of(b"before");
    let mut lines = text.lines();
    if let Some((header, hash)) = lines.next().and_then(|line| Header::decode(line).ok()) {
        let (written, _) = header.encode();
        assert_eq!(Header::decode(&written).map(|(read, _)| read).ok(), Some(header));
        previous = hash;
    }
    for (line, seq) in lines.zip(1_u64..) {
        // No fuzzer finds a hash: the line gets the right one.
        let line = line.replace("PREV", &previous.to_string());
        let Ok((record, hash)) = decode(&line, seq, &previous) else { break };
        assert_eq!(record.seq, seq);
        let (written, _) = encode(&record, &previous);
        let (again, _) = decode(&written, seq, &previous).expect("our own line");
        assert_eq!(format!("{again:?}"), format!("{record:?}"));
        assert!(decode(&line, seq + 1, &previous).is_err(), "a moved line is noticed");
        assert!(decode(&line, seq, &hash).is_err(), "another chain is noticed");
        previous = hash;
    }
});

//! Journals of every version that was ever written are still read.

use tribunal_record::{Body, Hash, Header, Note, Record, decode, encode};

/// Reads a journal whole; panics with the line that is not understood.
fn read(journal: &str) -> (Header, Vec<Record>) {
    let mut lines = journal.lines();
    let header = lines.next().expect("a header line");
    let (header, mut last) = Header::decode(header).unwrap_or_else(|error| panic!("{error}"));
    let records = lines.zip(1..).map(|(line, seq)| {
        let (record, hash) =
            decode(line, seq, &last).unwrap_or_else(|error| panic!("{error}: {line}"));
        last = hash;
        record
    });
    let records = records.collect();
    (header, records)
}

/// Reads a journal and writes it again.
fn check(journal: &str) -> Vec<Record> {
    let (header, records) = read(journal);
    // The header that is written names the version of today.
    let mut written = vec![journal.lines().next().unwrap_or_default().to_owned()];
    let mut last = Hash::of(written[0].as_bytes());
    assert_eq!(header.run.as_str(), "0198c2a4-7f00-7cc1-8b1e-5d2f0a9e4b11");
    for record in &records {
        let (line, hash) = encode(record, &last);
        written.push(line);
        last = hash;
    }
    assert_eq!(written, journal.lines().collect::<Vec<_>>());
    assert!(matches!(&records[0].body, Body::Note(Note::Defined { .. })));
    records
}

#[test]
fn a_journal_of_format_1_0_is_read_and_written_alike() {
    let records = check(include_str!("formats/1.0.jsonl"));
    assert!(matches!(&records[records.len() - 1].body, Body::Note(Note::Finished { .. })));
    let refused = records.iter().filter(|record| matches!(record.body, Body::Refused { .. }));
    assert_eq!(refused.count(), 1);
}

#[test]
fn a_journal_of_format_1_1_is_read_and_written_alike() {
    let records = check(include_str!("formats/1.1.jsonl"));
    assert!(matches!(&records[records.len() - 1].body, Body::Note(Note::Undone { .. })));
}

#[test]
fn a_journal_of_format_1_2_is_read_and_written_alike() {
    let records = check(include_str!("formats/1.2.jsonl"));
    assert!(matches!(&records[records.len() - 1].body, Body::Note(Note::Applying { .. })));
}

//! Journals of every version that was ever written are still read.

use tribunal_record::{Body, Header, Note, Record, decode, encode};

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

#[track_caller]
fn check_reads_and_writes_alike(journal: &str) -> Vec<Record> {
    let (header, records) = read(journal);
    let (line, mut last) = header.encode();
    let mut written = vec![line];
    for record in &records {
        let (line, hash) = encode(record, &last);
        written.push(line);
        last = hash;
    }
    assert_eq!(written, journal.lines().collect::<Vec<_>>());
    assert!(matches!(&records[0].body, Body::Note(Note::Defined { .. })));
    records
}

fn refused(records: &[Record]) -> usize {
    records.iter().filter(|record| matches!(record.body, Body::Refused { .. })).count()
}

#[test]
fn a_journal_of_format_1_0_is_read_and_written_alike() {
    let records = check_reads_and_writes_alike(include_str!("formats/1.0.jsonl"));
    assert_eq!(refused(&records), 1);
    assert!(matches!(&records[records.len() - 1].body, Body::Note(Note::Finished { .. })));
}

#[test]
fn a_journal_of_format_1_1_is_read_and_written_alike() {
    let records = check_reads_and_writes_alike(include_str!("formats/1.1.jsonl"));
    assert!(matches!(&records[records.len() - 1].body, Body::Note(Note::Undone { .. })));
}

/// Tool calls and states of a review loop.
#[test]
fn a_journal_of_a_review_loop_is_read_and_written_alike() {
    let records = check_reads_and_writes_alike(include_str!("formats/1.1-review-loop.jsonl"));
    assert_eq!(refused(&records), 2);
    let states =
        records.iter().filter(|record| matches!(record.body, Body::Note(Note::AuditLoopState(_))));
    assert_eq!(states.count(), 4);
}

#[test]
fn a_journal_of_format_1_2_is_read_and_written_alike() {
    let records = check_reads_and_writes_alike(include_str!("formats/1.2.jsonl"));
    assert!(matches!(&records[records.len() - 1].body, Body::Note(Note::Applying { .. })));
}

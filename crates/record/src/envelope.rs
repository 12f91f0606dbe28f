//! One record as one line.

use serde::{Deserialize, Serialize};
use tribunal_phase::Millis;

use crate::{Body, Hash, RecordError, RecordErrorKind};

/// One thing that happened in a run, with its place in the journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its number, from 1, without gaps.
    pub seq: u64,
    /// When it was written, in milliseconds since 1970; for people, nothing is decided on it.
    pub time: Millis,
    /// What it holds.
    pub body: Body,
}

#[derive(Serialize)]
struct LineOut<'a> {
    seq: u64,
    time: Millis,
    prev: Hash,
    body: &'a Body,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineIn {
    seq: u64,
    time: Millis,
    prev: Hash,
    body: Body,
}

/// Writes a record as one JSON line, without its line end, and gives the hash that the next one
/// follows.
pub fn encode(record: &Record, previous: &Hash) -> (String, Hash) {
    let Record { seq, time, body } = record;
    let line = LineOut { seq: *seq, time: *time, prev: *previous, body };
    let line = serde_json::to_string(&line)
        .expect("a record holds only names, numbers and texts, and these can always be written");
    let hash = Hash::of(line.as_bytes());
    (line, hash)
}

/// Reads one line, without its line end, and gives the hash that the next one follows.
///
/// # Errors
/// A [`RecordError`] when the line is no record, is not the one with the number `expected_seq`, or
/// does not follow `previous`.
pub fn decode(
    line: &str,
    expected_seq: u64,
    previous: &Hash,
) -> Result<(Record, Hash), RecordError> {
    let fault = |kind| RecordError { kind, seq: expected_seq };
    let LineIn { seq, time, prev, body } =
        serde_json::from_str(line).map_err(|error| fault(RecordErrorKind::Unreadable(error)))?;
    if seq != expected_seq {
        return Err(fault(RecordErrorKind::Sequence { found: seq }));
    }
    if prev != *previous {
        return Err(fault(RecordErrorKind::Chain { found: prev, expected: *previous }));
    }
    Ok((Record { seq, time, body }, Hash::of(line.as_bytes())))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tribunal_phase::{ArtifactId, CallId, Event, FrameId, Outcome, StepId, What};

    use super::*;
    use crate::Note;

    fn began(seq: u64) -> Record {
        let event = Event { at: 0, what: What::Began };
        Record { seq, time: 1_700_000_000_000, body: Body::Event(event) }
    }

    #[test]
    fn a_record_is_one_line_that_names_the_line_before_it() {
        let previous = Hash::of(b"header");
        let (line, _) = encode(&began(1), &previous);
        assert_eq!(
            line,
            format!(
                r#"{{"seq":1,"time":1700000000000,"prev":"{previous}","body":{{"event":{{"at":0,"what":"began"}}}}}}"#
            )
        );
    }

    fn check_refused(line: &str, seq: u64, previous: &Hash, expected: &str) {
        let error = decode(line, seq, previous).expect_err(line);
        assert_eq!(error.seq, seq);
        let said = error.to_string();
        assert!(said.starts_with(expected), "{said}");
    }

    #[test]
    fn a_line_that_is_not_the_next_record_is_refused() {
        let previous = Hash::of(b"header");
        let (line, hash) = encode(&began(1), &previous);
        check_refused(&line, 2, &previous, "record 2: carries number 1");
        check_refused(&line, 1, &hash, "record 1: does not follow the record before it (hash ");
        check_refused(&line[1..], 1, &previous, "record 1: not readable: ");
        check_refused("", 1, &previous, "record 1: not readable: ");
        let with_more = line.replacen("{\"seq\"", "{\"extra\":1,\"seq\"", 1);
        check_refused(&with_more, 1, &previous, "record 1: not readable: unknown field `extra`");
    }

    fn texts() -> impl Strategy<Value = String> {
        any::<String>()
    }

    fn bodies() -> impl Strategy<Value = Body> {
        let call = |step: String| CallId {
            frame: FrameId(3),
            step: StepId::new(format!("s{step}")),
            turn: 2,
        };
        prop_oneof![
            any::<u64>().prop_map(|at| Body::Event(Event { at, what: What::Resumed })),
            (texts(), texts()).prop_map(move |(step, place)| {
                Body::Event(Event { at: 7, what: What::Kept { call: call(step), place } })
            }),
            (texts(), any::<u32>(), texts(), proptest::option::of(texts())).prop_map(
                move |(step, attempt, agent, model)| {
                    Body::Note(Note::Agent { call: call(step), attempt, agent, model })
                }
            ),
            texts().prop_map(|text| Body::Note(Note::Warned { text })),
            texts().prop_map(|id| Body::Note(Note::Defined { definition: ArtifactId::new(id) })),
            any::<u64>().prop_map(|dropped| Body::Note(Note::TornLine { dropped })),
            Just(Body::Note(Note::Finished { outcome: Outcome::Completed })),
        ]
    }

    proptest! {
        #[test]
        fn every_record_is_read_back_from_its_one_line(
            (seq, time, body) in (1_u64.., any::<u64>(), bodies())
        ) {
            let previous = Hash::of(b"previous");
            let record = Record { seq, time, body };
            let (line, hash) = encode(&record, &previous);
            prop_assert!(!line.contains('\n'));
            let (read, again) = decode(&line, seq, &previous).expect("our own line");
            prop_assert_eq!(read, record);
            prop_assert_eq!(again, hash);
        }

        #[test]
        fn a_changed_character_breaks_the_line_or_the_chain(at in 0_usize..1000, to in any::<char>()) {
            let previous = Hash::of(b"header");
            let (line, hash) = encode(&began(1), &previous);
            let mut changed: Vec<char> = line.chars().collect();
            let at = at % changed.len();
            prop_assume!(changed[at] != to);
            changed[at] = to;
            let changed: String = changed.into_iter().collect();
            if let Ok((_, other)) = decode(&changed, 1, &previous) {
                prop_assert_ne!(other, hash);
            }
        }
    }
}

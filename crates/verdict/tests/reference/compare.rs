//! One output, read twice; the fuzzer uses this too.

use serde_json::value::RawValue;
use tribunal_verdict::{EnvelopeName, Note, Wanted, extract};

use crate::model;

/// An entry as the generated outputs have it: an object with an id that is a text.
fn has_text_id(entry: &RawValue) -> bool {
    serde_json::from_str::<serde_json::Value>(entry.get())
        .is_ok_and(|entry| entry.get("finding_id").is_some_and(serde_json::Value::is_string))
}

pub(crate) const WANTED: Wanted<'static> = Wanted { key: "validated", entry: has_text_id };

/// Panics where `extract` and the model differ.
pub(crate) fn check(raw: &[u8]) {
    let found = extract(raw, &WANTED);
    if is_out_of_scope(raw) || found.notes.iter().any(is_agents_envelope) {
        return;
    }
    let model = model::extract(raw, &WANTED);
    let notes = |note| found.notes.contains(&note);
    assert_eq!(found.class(), model.class);
    assert_eq!(found.json(), model.json.as_deref());
    assert_eq!(found.tier().map(u8::from), model.tier);
    assert_eq!(notes(Note::Conflict), model.conflict);
    assert_eq!(notes(Note::BareArray), model.bare_array);
    assert_eq!(notes(Note::Wrapped), model.wrapped);
}

/// The model knows two terminal sequences, and takes no text for a key with a lone surrogate; both
/// have tests of their own.
fn is_out_of_scope(raw: &[u8]) -> bool {
    let known = [&b"\x1b[0m"[..], b"\x1b[32m"];
    let is_known = |at: usize| known.iter().any(|sequence| raw[at..].starts_with(sequence));
    let unknown_sequence = (0..raw.len()).any(|at| raw[at] == 0x1b && !is_known(at));
    let surrogate = raw.windows(3).any(|bytes| bytes.eq_ignore_ascii_case(b"\\ud"));
    unknown_sequence || surrogate
}

/// Envelopes other than a JSON string are held against examples, in `tests/envelopes.rs`.
fn is_agents_envelope(note: &Note) -> bool {
    matches!(note, Note::Envelope(name) if *name != EnvelopeName::JsonString)
}

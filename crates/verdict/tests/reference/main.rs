//! `extract` against a slow and obvious reading of the same rules.

mod model;
mod outputs;

use proptest::prelude::*;
use serde_json::value::RawValue;
use tribunal_verdict::{Class, Note, Wanted, extract};

/// An entry as the generated outputs have it: an object with an id that is a text.
fn has_text_id(entry: &RawValue) -> bool {
    serde_json::from_str::<serde_json::Value>(entry.get())
        .is_ok_and(|entry| entry.get("finding_id").is_some_and(serde_json::Value::is_string))
}

const WANTED: Wanted<'static> = Wanted { key: "validated", entry: has_text_id };

fn check(raw: &[u8]) -> Result<(), TestCaseError> {
    let found = extract(raw, &WANTED);
    let model = model::extract(raw, &WANTED);
    let notes = |note| found.notes.contains(&note);
    prop_assert_eq!(found.class(), model.class);
    prop_assert_eq!(found.json(), model.json.as_deref());
    prop_assert_eq!(found.tier().map(u8::from), model.tier);
    prop_assert_eq!(notes(Note::Conflict), model.conflict);
    prop_assert_eq!(notes(Note::BareArray), model.bare_array);
    prop_assert_eq!(notes(Note::Wrapped), model.wrapped);
    Ok(())
}

proptest! {
    #[test]
    fn outputs_of_agents_are_read_by_the_rules(text in outputs::output()) {
        check(text.as_bytes())?;
    }

    #[test]
    fn outputs_with_broken_bytes_are_read_by_the_rules(
        text in outputs::output(),
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut raw = text.into_bytes();
        for (place, byte) in places {
            if !raw.is_empty() {
                let at = place.index(raw.len());
                raw[at] = byte;
            }
        }
        // Terminal sequences that come about by chance are the business of other tests.
        raw.iter_mut().filter(|byte| **byte == 0x1b).for_each(|byte| *byte = b' ');
        check(&raw)?;
    }

    #[test]
    fn a_soup_of_json_pieces_is_read_by_the_rules(
        text in r#"(\{|\}|\[|\]|"|:|,|\\| |\n|a|1|"a":|\{"|"validated":|\[\]|\{"finding_id":"x"\}|```\n){0,40}"#
    ) {
        check(text.as_bytes())?;
    }

    #[test]
    fn any_bytes_are_read_without_a_panic_and_always_the_same(
        raw in prop::collection::vec(any::<u8>(), 0..200)
    ) {
        let (one, two) = (extract(&raw, &WANTED), extract(&raw, &WANTED));
        prop_assert_eq!(one.json(), two.json());
        prop_assert_eq!(one.class() == Class::Parsed, one.json().is_some());
    }

    #[test]
    fn an_object_that_was_found_is_found_again(text in outputs::output()) {
        if let Some(object) = extract(text.as_bytes(), &WANTED).json() {
            let again = extract(object.as_bytes(), &WANTED);
            prop_assert_eq!(again.json(), Some(object));
        }
    }
}

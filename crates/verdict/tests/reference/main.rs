//! `extract` against a slow and obvious reading of the same rules.

mod compare;
mod model;
mod outputs;

use compare::{WANTED, check};
use proptest::prelude::*;
use tribunal_verdict::{Class, extract};

proptest! {
    #[test]
    fn outputs_of_agents_are_read_by_the_rules(text in outputs::output()) {
        check(text.as_bytes());
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
        check(&raw);
    }

    #[test]
    fn a_soup_of_json_pieces_is_read_by_the_rules(
        text in r#"(\{|\}|\[|\]|"|:|,|\\| |\n|a|1|"a":|\{"|"validated":|\[\]|\{"finding_id":"x"\}|```\n){0,40}"#
    ) {
        check(text.as_bytes());
    }

    #[test]
    fn floods_are_read_by_the_rules(text in outputs::flood()) {
        check(text.as_bytes());
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

//! `cargo fuzz run --sanitizer none script`: a script is the same whatever its values are, and a text
//! without tokens stays as it is.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tribunal_recipe::{Datum, Fields, Part, Script, Template};

/// Nothing that is written by chance; a fuzzer learns it all the same, from what is compared.
const VALUES: [&str; 2] = ["q0XvJ9'\"$(touch pwned)\n", "zzKw81"];

fuzz_target!(|text: &str| {
    template(text);
    let script = match Script::parse(text) {
        Ok(script) => script,
        Err(faults) => {
            assert!(!faults.is_empty(), "a refusal has a reason");
            for fault in faults {
                let place = text.get(fault.span.clone());
                assert!(place.is_some_and(|token| token.starts_with("{{")), "{fault:?} in {text:?}");
            }
            return;
        }
    };
    assert_eq!(script.source(), text);
    let names = script.names();
    assert!(names.iter().all(|(_, span)| text.get(span.clone()).is_some()));
    let mut texts = Vec::new();
    for value in VALUES {
        let bound = script.bind(&scope(text, value)).expect("every name is declared");
        assert_eq!(bound.values.len(), names.len());
        let is_apart = text.contains(value) || !bound.text.contains(value);
        assert!(is_apart, "{value} is in {:?}", bound.text);
        texts.push(bound.text);
    }
    assert_eq!(texts[0], texts[1], "the values are not in the script");
    if names.is_empty() && !text.contains("{{") {
        assert_eq!(texts[0], text);
    }
});

/// Every name of the text, and every field below one, with the value at its end.
fn scope(text: &str, value: &str) -> Fields {
    let mut scope = Fields::new();
    for part in Template::parse(text).parts() {
        if let Part::Token { path, .. } = part {
            put(&mut scope, path.root(), path.fields(), value);
        }
    }
    scope
}

fn put(into: &mut Fields, name: &str, fields: &[String], value: &str) {
    let Some((first, rest)) = fields.split_first() else {
        into.entry(name.to_owned()).or_insert_with(|| Datum::from(value));
        return;
    };
    let mut below = into.get(name).and_then(Datum::as_map).cloned().unwrap_or_default();
    put(&mut below, first, rest, value);
    into.insert(name.to_owned(), Datum::Map(below));
}

/// Pieces and tokens make up the text again.
fn template(text: &str) {
    let template = Template::parse(text);
    let mut again = String::new();
    for part in template.parts() {
        match part {
            Part::Text(piece) => again.push_str(piece),
            Part::Token { path, span, .. } => {
                assert_eq!(text[span.clone()], format!("{{{{{path}}}}}"));
                again.push_str(&text[span.clone()]);
            }
        }
    }
    assert_eq!(again, text);
    assert!(template.strays().iter().all(|span| text[span.clone()] == *"{{"));
}

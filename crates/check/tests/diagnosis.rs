//! Reading a diagnosis: what is advice, what is none, and what is no diagnosis.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tribunal_check::{Diagnosis, diagnosis_schema, is_advice_entry};

#[track_caller]
fn check(json: &Value, advice: &[&str], problems: &[&str]) {
    let (diagnosis, named) = Diagnosis::read(&json.to_string()).expect("a diagnosis");
    let read: Vec<String> = diagnosis
        .fixes
        .iter()
        .map(|fix| format!("{} - {}", fix.file, fix.recommendation))
        .collect();
    assert_eq!(read, advice, "{json}");
    let named: Vec<String> = named.iter().map(ToString::to_string).collect();
    assert_eq!(named, problems, "{json}");
}

#[test]
fn advice_is_read_in_its_order_and_what_does_not_fit_is_named() {
    check(&json!({"fixes": []}), &[], &[]);
    check(
        &json!({
            "failures": [{"unit": "a", "root_cause": " "}],
            "fixes": [
                {"file": "subagent.ts", "recommendation": "missing details field", "line": 3},
                {"file": " ", "recommendation": "x"},
                {"file": "b.ts", "recommendation": "add it", "extra": 1, "line": null},
                {"file": "c.ts", "recommendation": "y", "line": 0},
                "prose",
            ],
        }),
        &["subagent.ts - missing details field", "b.ts - add it"],
        &[
            "`root_cause` is blank at /failures/0",
            "`file` is blank at /fixes/1",
            "`line` counts from 1 at /fixes/3",
            "invalid type: string \"prose\", expected struct Advice at line 1 column 7 at /fixes/4",
        ],
    );
}

#[test]
fn other_texts_are_no_diagnosis() {
    for text in ["", "prose", "[]", "{}", r#"{"fixes": 1}"#, r#"{"fixes": [], "failures": 1}"#] {
        let error = Diagnosis::read(text).expect_err(text).to_string();
        assert!(error.starts_with("no diagnosis: "), "{text}: {error}");
    }
}

#[test]
fn root_causes_are_told_once_each() {
    let cause = |cause: &str| json!({"unit": "u", "root_cause": cause});
    let json = json!({"failures": [cause("a"), cause("b"), cause(" a")], "fixes": []}).to_string();
    assert_eq!(Diagnosis::read(&json).expect("a diagnosis").0.root_cause(), "a; b");
}

static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let schema = serde_json::to_value(diagnosis_schema()).expect("a schema is JSON");
    jsonschema::validator_for(&schema).expect("our own schema")
});

fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2..4i64).prop_map(Value::from),
        prop::sample::select(vec!["", " ", "\t", "a", "a.ts"]).prop_map(Value::from),
        Just(json!([])),
    ]
}

proptest! {
    /// DESIGN §5: reader ≡ schema, per entry.
    #[test]
    fn the_reader_takes_an_entry_exactly_when_the_schema_does(
        fields in prop::collection::hash_map(
            prop::sample::select(vec!["file", "line", "recommendation", "other"]), values(), 0..5,
        ),
    ) {
        let entry = json!(fields);
        let raw = RawValue::from_string(entry.to_string()).expect("JSON");
        let whole = json!({"fixes": [entry]});
        prop_assert_eq!(is_advice_entry(&raw), SCHEMA.is_valid(&whole), "{}", whole);
    }
}

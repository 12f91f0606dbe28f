//! The findings contract: what the readers take, drop and mend, and that the schema says the same.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tribunal_finding::{
    EntryProblem, Finding, NoList, NotFindings, findings_schema, is_finding_entry, read_findings,
    read_mentions,
};

fn entry() -> Value {
    json!({
        "id": "F1", "category": "hardcoded_limits", "severity": "high", "file": "src/io/read.rs",
        "line": 88, "description": "input cut at 500 rows", "evidence": "rows.truncate(500)",
        "recommendation": "make the cap a parameter and log",
    })
}

fn with(name: &str, value: &Value) -> Value {
    let mut entry = entry();
    entry[name] = value.clone();
    entry
}

fn without(name: &str) -> Value {
    let mut entry = entry();
    entry.as_object_mut().expect("an object").remove(name);
    entry
}

fn report(entries: &[Value]) -> String {
    json!({ "cycle": 1, "findings": entries, "summary": { "total": entries.len() } }).to_string()
}

fn shown(problems: &[EntryProblem]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

/// Reads one entry between two good ones: what becomes of it, and the problems named.
#[track_caller]
fn check(entry: &Value, taken: bool, problems: &[&str]) {
    let neighbours = [with("id", &json!("before")), entry.clone(), with("id", &json!("after"))];
    let (findings, named) = read_findings(&report(&neighbours)).expect("a list of findings");
    assert_eq!(findings.len(), if taken { 3 } else { 2 }, "{entry}");
    assert_eq!(shown(&named), problems, "{entry}");
    let raw: Box<RawValue> = serde_json::from_str(&entry.to_string()).expect("valid JSON");
    assert_eq!(is_finding_entry(&raw), taken, "{entry}");
}

#[test]
fn an_entry_that_fits_is_read_as_written() {
    let (findings, problems) = read_findings(&report(&[entry()])).expect("a list of findings");
    assert_eq!(problems, []);
    assert_eq!(serde_json::to_value(&findings[0]).expect("JSON"), entry());
    let again: Finding = serde_json::from_str(&entry().to_string()).expect("one entry");
    assert_eq!(again, findings[0]);
}

#[test]
fn harmless_variants_are_taken() {
    check(&with("id", &json!(4)), true, &[]);
    check(&with("severity", &json!(" High ")), true, &[]);
    check(&with("category", &json!("silent_fallback")), true, &[]);
    check(&with("category", &json!("Dead-Code")), true, &[]);
    check(&with("line", &Value::Null), true, &[]);
    check(&without("line"), true, &[]);
    check(&with("evidence", &json!("")), true, &[]);
    check(&with("confidence", &json!(0.9)), true, &[]);
    let mut titled = without("description");
    titled["title"] = json!("rows are cut");
    check(&titled, true, &[]);
}

#[test]
fn an_entry_that_does_not_fit_is_dropped_with_its_path_and_the_rest_counts() {
    check(&json!("F1"), false, &["an entry is an object at /findings/1"]);
    check(&json!(["F1", "security"]), false, &["an entry is an object at /findings/1"]);
    check(&without("id"), false, &["no id (a number or a line of text) at /findings/1"]);
    check(&with("id", &Value::Null), false, &["no id (a number or a line of text) at /findings/1"]);
    check(&with("id", &json!(" ")), false, &["no id (a number or a line of text) at /findings/1"]);
    check(&without("category"), false, &["no category at /findings/1"]);
    check(
        &with("category", &json!("style")),
        false,
        &["`style` is no category at /findings/1/category"],
    );
    check(
        &with("severity", &json!("high|low")),
        false,
        &["`high|low` is no severity at /findings/1/severity"],
    );
    check(
        &with("severity", &json!(3)),
        false,
        &["the severity is no text at /findings/1/severity"],
    );
    check(&with("file", &json!(" ")), false, &["the file is blank at /findings/1/file"]);
    check(&with("file", &json!("./")), false, &["`./` names no file at /findings/1/file"]);
    check(&without("description"), false, &["no description at /findings/1"]);
    check(
        &with("evidence", &json!(["a", "b"])),
        false,
        &["the evidence is no text at /findings/1/evidence"],
    );
    check(&without("recommendation"), false, &["no recommendation at /findings/1"]);
}

#[test]
fn a_line_that_is_none_is_left_out_and_the_finding_stays() {
    for line in [json!(0), json!(-3), json!("88"), json!(8.5), json!([1, 2])] {
        let problem = "the line is no whole number from 1; left out at /findings/1/line";
        check(&with("line", &line), true, &[problem]);
    }
}

#[test]
fn a_member_given_twice_makes_the_entry_unfit() {
    let json = r#"{"findings": [{"id": 1, "id": 2}]}"#;
    let (findings, problems) = read_findings(json).expect("a list of findings");
    assert_eq!(findings, []);
    assert!(problems[0].reason.starts_with("duplicate field `id`"), "{problems:?}");
}

#[test]
fn paths_are_read_from_the_root_down() {
    let findings = |file| {
        let report = report(&[with("file", &json!(file))]);
        read_findings(&report).expect("a list of findings").0
    };
    for file in ["src/a.rs", "./src/a.rs", " .//./src/a.rs "] {
        assert_eq!(findings(file)[0].place.file, "src/a.rs", "{file}");
    }
}

#[test]
fn an_id_used_twice_loses_no_finding() {
    let ids = ["F1", "F1", "F1-2", " F1 ", "F2"];
    let entries = ids.map(|id| with("id", &json!(id)));
    let (findings, problems) = read_findings(&report(&entries)).expect("a list of findings");
    let read: Vec<_> = findings.iter().map(|finding| finding.id.as_str()).collect();
    assert_eq!(read, ["F1", "F1-3", "F1-2", "F1-4", "F2"]);
    assert_eq!(
        shown(&problems),
        [
            "id `F1` is used twice; this one is read as F1-3 at /findings/1/id",
            "id `F1` is used twice; this one is read as F1-4 at /findings/3/id",
        ]
    );
}

#[test]
fn no_list_of_findings_is_never_an_empty_one() {
    let missing = || NotFindings(NoList::Missing("findings".to_owned()));
    let no_list = || NotFindings(NoList::NotAList("findings".to_owned()));
    for (json, error) in [
        ("{}", missing()),
        (r#"{"result": {"findings": []}}"#, missing()),
        (r#"{"findings": null}"#, no_list()),
        (r#"{"findings": {}}"#, no_list()),
        (r#"{"findings": 0}"#, no_list()),
    ] {
        assert_eq!(read_findings(json), Err(error.clone()), "{json}");
        assert_eq!(read_mentions(json), Err(error), "{json}");
    }
    assert!(matches!(read_findings("[]"), Err(NotFindings(NoList::NotAnObject(_)))));
    assert_eq!(read_findings(r#"{"findings": []}"#), Ok((vec![], vec![])));
    assert_eq!(missing().to_string(), "the answer holds no findings: `findings` is missing");
}

#[test]
fn a_single_rule_is_content_with_ids() {
    let json = r#"{"findings": [
        {"id": "F1", "file": "src/a.rs", "line": 3, "title": "unwrap on user input"},
        {"id": "F2", "severity": "critical"}, {"id": 3, "severity": "n/a", "line": 1}, {"file": "x"}
    ]}"#;
    let (mentions, problems) = read_mentions(json).expect("a list of findings");
    let ids: Vec<_> = mentions.iter().map(|mention| mention.id.as_str()).collect();
    assert_eq!(ids, ["F1", "F2", "3"]);
    assert_eq!(mentions[0].description.as_deref(), Some("unwrap on user input"));
    assert_eq!(mentions[0].place.as_ref().map(ToString::to_string).as_deref(), Some("src/a.rs:3"));
    assert_eq!(mentions[1].severity, Some(tribunal_finding::Severity::Critical));
    assert_eq!(mentions[2].severity, None);
    assert_eq!(
        shown(&problems),
        [
            "`n/a` is no severity; left out at /findings/2/severity",
            "no id (a number or a line of text) at /findings/3",
        ]
    );
}

#[test]
fn a_report_of_many_equal_ids_takes_linear_time() {
    let entries = vec![r#"{"id":1}"#; 100_000].join(",");
    let (mentions, problems) =
        read_mentions(&format!(r#"{{"findings":[{entries}]}}"#)).expect("a list of findings");
    assert_eq!((mentions.len(), problems.len()), (100_000, 99_999));
}

static VALIDATOR: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let schema = serde_json::to_value(findings_schema()).expect("a schema is JSON");
    jsonschema::validator_for(&schema).expect("a valid schema")
});

/// Members of an entry: mostly right, sometimes strange, sometimes missing.
fn member(right: &'static [&'static str]) -> impl Strategy<Value = Option<Value>> {
    prop_oneof![
        8 => proptest::sample::select(right).prop_map(|text| Some(json!(text))),
        1 => Just(None),
        2 => proptest::sample::select(vec![
            json!(null), json!(true), json!(0), json!(12), json!(-1.5), json!(""), json!(" "), json!("."),
            json!("./"), json!("HIGH"), json!("high"), json!(" x\n"), json!("a\nb"), json!([]), json!({}),
        ]).prop_map(Some),
    ]
}

fn line() -> impl Strategy<Value = Option<Value>> {
    proptest::sample::select(vec![
        None,
        Some(json!(1)),
        Some(json!(88)),
        Some(json!(0)),
        Some(json!("3")),
    ])
}

fn strange_entry() -> impl Strategy<Value = Value> {
    let text = || member(&["what", "a `quoted` text\nin two lines"]);
    (
        (member(&["F1", "7"]), member(&["security", "doc_gaps"]), member(&["low", "critical"])),
        (member(&["src/a.rs", "./b", "c d"]), line()),
        (text(), text(), text(), text()),
    )
        .prop_map(
            |((id, category, severity), (file, line), (description, title, evidence, rec))| {
                let members = [
                    ("id", id),
                    ("category", category),
                    ("severity", severity),
                    ("file", file),
                    ("line", line),
                    ("description", description),
                    ("title", title),
                    ("evidence", evidence),
                    ("recommendation", rec),
                ];
                members
                    .into_iter()
                    .filter_map(|(name, value)| Some((name.to_owned(), value?)))
                    .collect()
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// What the schema accepts is taken without a word; what is dropped, the schema refuses.
    #[test]
    fn reader_and_schema_agree_per_entry(entry in strange_entry()) {
        let validator = &*VALIDATOR;
        let report = json!({ "findings": [entry] });
        let (findings, problems) = read_findings(&report.to_string()).expect("a list of findings");
        if validator.is_valid(&report) {
            prop_assert_eq!(findings.len(), 1);
            prop_assert_eq!(&problems, &vec![]);
        }
        if findings.is_empty() {
            prop_assert!(!validator.is_valid(&report), "{}", report);
            prop_assert_eq!(problems.len(), 1);
        }
    }

    #[test]
    fn what_is_written_is_read_back(entries in proptest::collection::vec(strange_entry(), 0..8)) {
        let (findings, _) = read_findings(&report(&entries)).expect("a list of findings");
        let written = json!({ "findings": findings }).to_string();
        prop_assert_eq!(read_findings(&written), Ok((findings, vec![])));
    }
}

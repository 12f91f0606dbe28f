//! Reading one validator's answer: what is a vote, what is none, and what is no ballot.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tribunal_finding::NoList;
use tribunal_vote::{Ballot, NoBallot, ballot_schema, is_vote_entry};

/// Reads a ballot of these entries: `id word [severity]` per vote, and the problems named.
#[track_caller]
fn check(entries: &Value, votes: &[&str], problems: &[&str]) {
    let json = json!({ "validator": "v", "validated": entries }).to_string();
    let (ballot, named) = Ballot::read(&json).expect("a ballot");
    let read: Vec<String> = ballot
        .votes()
        .iter()
        .map(|vote| match vote.severity {
            Some(severity) => format!("{} {} {severity}", vote.id, vote.word),
            None => format!("{} {}", vote.id, vote.word),
        })
        .collect();
    assert_eq!(read, votes, "{entries}");
    let named: Vec<String> = named.iter().map(ToString::to_string).collect();
    assert_eq!(named, problems, "{entries}");
}

// D6.
#[test]
fn votes_are_read_in_any_spelling_of_ids_words_and_severities() {
    check(&json!([]), &[], &[]);
    check(
        &json!([
            {"finding_id": "F2", "verdict": "Confirmed"},
            {"finding_id": 1, "verdict": " DOWNGRADED ", "new_severity": "Low"},
            {"finding_id": " 3.0 ", "verdict": "false_positive", "new_severity": "n/a"},
            {"finding_id": "F10", "verdict": "confirmed", "new_severity": null, "extra": []},
            {"finding_id": "F11", "verdict": "confirmed", "new_severity": " "},
        ]),
        &["1 downgraded low", "3 false_positive", "F2 confirmed", "F10 confirmed", "F11 confirmed"],
        &[],
    );
}

#[test]
fn one_validator_has_one_vote_per_finding() {
    let confirmed = json!({"finding_id": "F1", "verdict": "confirmed"});
    let twice = "`F1` is voted on twice; it counts once at /validated/1";
    check(&json!([confirmed, confirmed]), &["F1 confirmed"], &[twice]);
    check(
        &json!([confirmed, {"finding_id": " F1 ", "verdict": "CONFIRMED"}]),
        &["F1 confirmed"],
        &[twice],
    );
    check(
        &json!([
            {"finding_id": 1, "verdict": "downgraded", "new_severity": "medium"},
            {"finding_id": "1", "verdict": "downgraded", "new_severity": "low"},
        ]),
        &["1 downgraded low"],
        &["`1` is voted on twice with different severities; the lowest counts at /validated/1"],
    );
}

#[test]
fn a_validator_that_contradicts_itself_on_a_finding_has_no_vote_on_it() {
    let vote = |id: &str, word: &str| json!({"finding_id": id, "verdict": word});
    check(
        &json!([
            vote("F1", "confirmed"),
            vote("F2", "confirmed"),
            vote("F1", "false_positive"),
            vote("F1", "confirmed"),
            vote("F0", "false_positive"),
        ]),
        &["F0 false_positive", "F2 confirmed"],
        &[
            "false_positive after confirmed on `F1`; no vote on it counts at /validated/2",
            "`F1` is voted on twice; it counts once at /validated/3",
        ],
    );
    check(
        &json!([vote("F1", "downgraded"), vote("F1", "confirmed")]),
        &[],
        &["confirmed after downgraded on `F1`; no vote on it counts at /validated/1"],
    );
}

#[test]
fn an_entry_that_does_not_fit_is_no_vote_and_the_rest_counts() {
    let rows = [
        (json!("1"), "", "an entry is an object"),
        (json!(["F1", "confirmed"]), "", "an entry is an object"),
        (json!({"verdict": "confirmed"}), "", "no finding_id (a number or a line of text)"),
        (
            json!({"finding_id": null, "verdict": "confirmed"}),
            "",
            "no finding_id (a number or a line of text)",
        ),
        (json!({"finding_id": "F1"}), "", "no verdict"),
        (json!({"finding_id": "F1", "verdict": true}), "/verdict", "the verdict is no text"),
        (
            json!({"finding_id": "F1", "verdict": "confirmed|false_positive"}),
            "/verdict",
            "`confirmed|false_positive` is no verdict (confirmed, false_positive, downgraded)",
        ),
        (
            json!({"finding_id": "F1", "verdict": "confirmed", "new_severity": "n/a"}),
            "/new_severity",
            "`n/a` is no severity",
        ),
        (
            json!({"finding_id": "F1", "verdict": "downgraded", "new_severity": 2}),
            "/new_severity",
            "the severity is no text",
        ),
    ];
    for (entry, place, reason) in rows {
        let problem = format!("{reason}; this is no vote at /validated/1{place}");
        let good = |id: &str| json!({"finding_id": id, "verdict": "confirmed"});
        check(&json!([good("a"), entry, good("b")]), &["a confirmed", "b confirmed"], &[&problem]);
    }
}

#[test]
fn reasoning_of_another_kind_costs_no_vote() {
    let (ballot, problems) = Ballot::read(
        r#"{"validated": [
            {"finding_id": 1, "verdict": "confirmed", "reasoning": ["rows lost", "no log"]},
            {"finding_id": 2, "verdict": "confirmed", "reasoning": {"why": "x"}}
        ]}"#,
    )
    .expect("a ballot");
    let reasons: Vec<_> = ballot.votes().iter().map(|vote| vote.reasoning.as_str()).collect();
    assert_eq!(reasons, ["rows lost; no log", ""]);
    assert_eq!(problems.len(), 1);
    assert_eq!(
        problems[0].to_string(),
        "the reasoning is no text; left out at /validated/1/reasoning"
    );
}

#[test]
fn an_answer_without_a_list_of_votes_is_no_ballot() {
    let missing = NoBallot(NoList::Missing("validated".to_owned()));
    let no_list = NoBallot(NoList::NotAList("validated".to_owned()));
    for (json, error) in [
        ("{}", &missing),
        (r#"{"level": "info", "msg": "validating"}"#, &missing),
        (r#"{"result": {"validated": []}}"#, &missing),
        (r#"{"validated": null}"#, &no_list),
        (r#"{"validated": {}}"#, &no_list),
        (r#"{"validated": "[]"}"#, &no_list),
    ] {
        assert_eq!(Ballot::read(json).as_ref(), Err(error), "{json}");
    }
    assert_eq!(
        Ballot::read(r#"{"validated": [1]}"#).map(|(ballot, _)| ballot.votes().len()),
        Ok(0)
    );
}

#[test]
fn a_vote_entry_has_an_id_and_one_of_the_three_words() {
    for (json, expected) in [
        (r#"{"finding_id": "F1", "verdict": "confirmed"}"#, true),
        (r#"{"finding_id": 1, "verdict": "Downgraded", "new_severity": "n/a"}"#, true),
        (r#"{"finding_id": "…", "verdict": "confirmed|false_positive|downgraded"}"#, false),
        (r#"{"finding_id": null, "verdict": "confirmed"}"#, false),
        (r#"{"id": "F1", "verdict": "confirmed"}"#, false),
        (r#"["F1", "confirmed"]"#, false),
        ("1", false),
    ] {
        let raw: Box<RawValue> = serde_json::from_str(json).expect("valid JSON");
        assert_eq!(is_vote_entry(&raw), expected, "{json}");
    }
}

static VALIDATOR: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let schema = serde_json::to_value(ballot_schema()).expect("a schema is JSON");
    jsonschema::validator_for(&schema).expect("a valid schema")
});

fn member(right: &'static [&'static str]) -> impl Strategy<Value = Option<Value>> {
    prop_oneof![
        6 => proptest::sample::select(right).prop_map(|text| Some(json!(text))),
        1 => Just(None),
        2 => proptest::sample::select(vec![
            json!(null), json!(true), json!(7), json!(1.5), json!(""), json!("n/a"), json!("a\nb"),
            json!([]), json!(["x"]), json!({}),
        ]).prop_map(Some),
    ]
}

fn strange_entry() -> impl Strategy<Value = Value> {
    (
        member(&["F1", "F2", "3"]),
        member(&["confirmed", "false_positive", "downgraded"]),
        member(&["low", "critical"]),
        member(&["because"]),
    )
        .prop_map(|(id, verdict, severity, reasoning)| {
            let members = [
                ("finding_id", id),
                ("verdict", verdict),
                ("new_severity", severity),
                ("reasoning", reasoning),
            ];
            members
                .into_iter()
                .filter_map(|(name, value)| Some((name.to_owned(), value?)))
                .collect()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// What the schema accepts is taken without a word; what is dropped, the schema refuses.
    #[test]
    fn reader_and_schema_agree_per_entry(entry in strange_entry()) {
        let ballot = json!({ "validated": [entry] });
        let (read, problems) = Ballot::read(&ballot.to_string()).expect("a ballot");
        if VALIDATOR.is_valid(&ballot) {
            prop_assert_eq!(read.votes().len(), 1);
            prop_assert_eq!(&problems, &vec![]);
        }
        if read.votes().is_empty() {
            prop_assert!(!VALIDATOR.is_valid(&ballot), "{}", ballot);
            prop_assert_eq!(problems.len(), 1);
        }
    }

    #[test]
    fn the_order_of_entries_changes_no_word(
        entries in proptest::collection::vec(strange_entry(), 0..10).prop_flat_map(|entries| {
            (Just(entries.clone()), Just(entries).prop_shuffle())
        })
    ) {
        let words = |entries: &[Value]| {
            let json = json!({ "validated": entries }).to_string();
            let (ballot, _) = Ballot::read(&json).expect("a ballot");
            let votes = ballot.votes().iter();
            votes.map(|vote| (vote.id.clone(), vote.word, vote.severity)).collect::<Vec<_>>()
        };
        prop_assert_eq!(words(&entries.0), words(&entries.1));
    }
}

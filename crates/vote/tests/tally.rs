//! A tally as JSON: written by contract, and counted again when it is read back.

use serde_json::{Value, json};
use tribunal_finding::{EntryProblem, Severity};
use tribunal_vote::{Known, Standing, Tally, TallyError, Threshold, merge, tally_schema};

fn tally() -> Value {
    json!({
        "cycle": 1, "threshold": 2, "validators": 3,
        "validated": [
            {
                "finding_id": "F1", "verdict": "confirmed",
                "final_severity": "low", "decision_severity": "high", "reported_severity": "critical",
                "votes": {"confirmed": 2, "false_positive": 1}, "reasoning": "cap is documented",
            },
            {
                "finding_id": "F2", "verdict": "false_positive",
                "final_severity": null, "decision_severity": null,
                "votes": {"confirmed": 1, "false_positive": 1}, "reasoning": "",
            },
            {
                "finding_id": "F3", "verdict": "unconfirmed",
                "final_severity": null, "decision_severity": null,
                "votes": {"confirmed": 0, "false_positive": 0}, "reasoning": "",
            },
        ],
        "confirmed_count": 1, "false_positive_count": 1, "false_positive_rate": "50%",
    })
}

#[test]
fn a_tally_that_adds_up_is_read_and_written_the_same() {
    let read = Tally::read(&tally().to_string()).expect("it adds up");
    assert_eq!(serde_json::to_value(&read).expect("JSON"), tally());
    let confirmed = read.confirmed().next().expect("one is confirmed");
    assert_eq!(confirmed.id().as_str(), "F1");
    assert_eq!(confirmed.final_severity(), Severity::Low);
    assert_eq!(confirmed.decision_severity(), Severity::High);
    assert_eq!((read.cycle(), read.confirmed_count(), read.false_positive_count()), (1, 1, 1));
    let empty = json!({
        "cycle": 2, "threshold": 1, "validators": 1, "validated": [],
        "confirmed_count": 0, "false_positive_count": 0, "false_positive_rate": "0%",
    });
    assert_eq!(Tally::read(&empty.to_string()).map(|tally| tally.entries().len()), Ok(0));
}

/// The tally with one value changed is refused at `at`.
#[track_caller]
fn check(change: &str, value: &Value, at: &str, reason: &str) {
    let mut changed = tally();
    *changed.pointer_mut(change).expect("a place in the tally") = value.clone();
    let expected = EntryProblem { at: at.to_owned(), reason: reason.to_owned() };
    assert_eq!(
        Tally::read(&changed.to_string()),
        Err(TallyError::DoesNotAddUp(expected)),
        "{change} = {value}"
    );
}

#[test]
fn verdicts_that_the_votes_do_not_give_are_refused_with_the_place() {
    let wrong_verdict = "not what the votes give";
    check("/cycle", &json!(0), "/cycle", "cycles count from 1");
    check("/threshold", &json!(3), "/validated/0/verdict", wrong_verdict);
    check(
        "/threshold",
        &json!(1),
        "/validated/0/decision_severity",
        "not one that these votes can give",
    );
    check("/validators", &json!(2), "/validated/0/votes", "more votes than validators");
    check("/validated/1/verdict", &json!("confirmed"), "/validated/1/verdict", wrong_verdict);
    check("/validated/1/verdict", &json!("unconfirmed"), "/validated/1/verdict", wrong_verdict);
    check("/validated/2/verdict", &json!("false_positive"), "/validated/2/verdict", wrong_verdict);
    check(
        "/validated/2/finding_id",
        &json!(" F1 "),
        "/validated/2/finding_id",
        "the finding stands twice",
    );
    check("/validated/2/votes/confirmed", &json!(2), "/validated/2/verdict", wrong_verdict);
    check(
        "/validated/2/votes/confirmed",
        &json!(u32::MAX),
        "/validated/2/votes",
        "more votes than validators",
    );
}

#[test]
fn severities_that_no_votes_can_give_are_refused_with_the_place() {
    check(
        "/validated/0/final_severity",
        &json!(null),
        "/validated/0/final_severity",
        "confirmed without one",
    );
    check(
        "/validated/0/decision_severity",
        &json!(null),
        "/validated/0/decision_severity",
        "confirmed without one",
    );
    check(
        "/validated/0/final_severity",
        &json!("critical"),
        "/validated/0/decision_severity",
        "not one that these votes can give",
    );
    check(
        "/validated/0/reported_severity",
        &json!("medium"),
        "/validated/0/decision_severity",
        "above the reported one",
    );
    check(
        "/validated/1/final_severity",
        &json!("low"),
        "/validated/1/final_severity",
        "not confirmed, yet it has one",
    );
    check(
        "/validated/2/decision_severity",
        &json!("low"),
        "/validated/2/decision_severity",
        "not confirmed, yet it has one",
    );
}

#[test]
fn totals_that_are_not_those_of_the_entries_are_refused_with_the_place() {
    check("/confirmed_count", &json!(2), "/confirmed_count", "`2` where the votes give 1");
    check(
        "/false_positive_count",
        &json!(0),
        "/false_positive_count",
        "`0` where the votes give 1",
    );
    check(
        "/false_positive_rate",
        &json!("0%"),
        "/false_positive_rate",
        "`0%` where the votes give 50%",
    );
}

#[test]
fn what_is_no_tally_is_refused() {
    let refused = |json: &str| Tally::read(json).expect_err("no tally").to_string();
    for json in ["", "{}", "[]", "null", r#"{"validated": []}"#] {
        assert!(matches!(Tally::read(json), Err(TallyError::NotATally(_))), "{json}");
    }
    let mut changed = tally();
    changed["threshold"] = json!(0);
    assert_eq!(
        refused(&changed.to_string()),
        "no tally: the threshold 0 is not between 1 and the number of validators (3)"
    );
    changed = tally();
    changed["validated"][1]["final_severity"] = json!("n/a");
    assert!(refused(&changed.to_string()).starts_with("no tally: unknown variant `n/a`"));
}

#[test]
fn what_is_written_is_what_the_schema_says() {
    let schema = serde_json::to_value(tally_schema()).expect("a schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    let standings = [
        Standing::read(r#"{"validated": [{"finding_id": 1, "verdict": "confirmed"}]}"#),
        Standing::read(r#"{"validated": [{"finding_id": "F2", "verdict": "false_positive"}]}"#),
    ];
    let known = ["1", "F2", "F3"].map(|id| Known {
        id: tribunal_finding::FindingId::new(id).expect("an id"),
        severity: Some(Severity::High),
    });
    let threshold = Threshold::new(1, 2).expect("a threshold");
    let merged = merge(1, threshold, Some(&known), &standings).expect("a tally");
    let written = serde_json::to_value(&merged.tally).expect("JSON");
    let errors: Vec<String> =
        validator.iter_errors(&written).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0]);
    assert!(validator.is_valid(&tally()));
    assert!(!validator.is_valid(&json!({"validated": []})));
}

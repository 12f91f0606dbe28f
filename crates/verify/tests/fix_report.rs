//! Reading and joining fix reports.

use proptest::prelude::*;
use serde_json::value::RawValue;
use tribunal_finding::FindingId;
use tribunal_verify::{AppliedFix, FixReport, SkippedFix, is_fix_entry, union};

fn read(json: &str) -> (FixReport, Vec<String>) {
    let (report, problems) = FixReport::read(json).expect("a fix report");
    (report, problems.iter().map(|problem| problem.at.clone()).collect())
}

fn check_refused(json: &str, why: &str) {
    let error = FixReport::read(json).expect_err(json);
    assert!(error.to_string().contains(why), "{error}");
}

#[test]
fn what_is_no_report_is_refused_and_says_why() {
    check_refused("", "EOF");
    check_refused("[]", "expected a map");
    check_refused("{}", "`fixes_applied` is missing");
    check_refused(r#"{"fixes_applied":null}"#, "`fixes_applied` is no list");
    check_refused(r#"{"fixes_applied":{"finding_id":1}}"#, "`fixes_applied` is no list");
}

#[test]
fn one_bad_entry_never_hides_the_good_ones() {
    let json = r#"{
        "fixes_applied": [
            {"finding_id": 4, "file": "src/read.rs", "change": "cap is an option", "test_verified": true},
            {"finding_id": null, "file": "a.rs"},
            {"finding_id": "F2"},
            {"finding_id": "F3", "file": "  "},
            "F5",
            {"finding_id": "F6", "file": "b.rs", "extra": [1]}
        ],
        "fixes_skipped": [{"finding_id": 9, "reason": "needs vendor patch"}, {"finding_id": 10}],
        "total_fixed": "two", "total_skipped": 1, "status": "PARTIAL", "cycle": 1
    }"#;
    let (report, problems) = read(json);
    let applied: Vec<&str> =
        report.fixes_applied.iter().map(|fix| fix.finding_id.as_str()).collect();
    assert_eq!(applied, ["4", "F6"]);
    assert_eq!(report.fixes_skipped.len(), 1);
    assert_eq!((report.total_fixed, report.total_skipped, report.cycle), (None, Some(1), Some(1)));
    let expected = [
        "/fixes_applied/1",
        "/fixes_applied/2",
        "/fixes_applied/3",
        "/fixes_applied/4",
        "/fixes_skipped/1",
        "/total_fixed",
    ];
    assert_eq!(problems, expected);
}

#[test]
fn a_skip_list_that_is_none_is_named_and_the_claims_still_count() {
    let (report, problems) =
        read(r#"{"fixes_applied":[{"finding_id":1,"file":"a.rs"}],"fixes_skipped":"none"}"#);
    assert_eq!(report.fixes_applied.len(), 1);
    assert_eq!(problems, ["/fixes_skipped"]);
}

#[test]
fn a_repeated_key_counts_as_it_stands_last() {
    let (report, _) =
        read(r#"{"fixes_applied":[],"fixes_applied":[{"finding_id":1,"file":"a.rs"}]}"#);
    assert_eq!(report.fixes_applied.len(), 1);
}

#[test]
fn d16_a_later_word_replaces_the_earlier_one_about_a_finding() {
    let (earlier, _) = read(
        r#"{"cycle":2,"fixes_applied":[{"finding_id":1,"file":"a.rs"},{"finding_id":2,"file":"b.rs"}],
            "fixes_skipped":[{"finding_id":3,"reason":"later"}],"total_fixed":2}"#,
    );
    let (later, _) = read(
        r#"{"fixes_applied":[{"finding_id":3,"file":"c.rs"},{"finding_id":1,"file":"d.rs"}],
            "fixes_skipped":[{"finding_id":2,"reason":"vendor file"}],"total_fixed":2,"status":"COMPLETE"}"#,
    );
    let joined = union(earlier, later);
    let applied: Vec<(&str, &str)> = joined
        .fixes_applied
        .iter()
        .map(|fix| (fix.finding_id.as_str(), fix.file.as_str()))
        .collect();
    assert_eq!(applied, [("3", "c.rs"), ("1", "d.rs")]);
    let skipped: Vec<&str> =
        joined.fixes_skipped.iter().map(|skip| skip.finding_id.as_str()).collect();
    assert_eq!(skipped, ["2"]);
    assert_eq!((joined.total_fixed, joined.cycle), (None, Some(2)));
    assert_eq!(joined.agents_word.as_deref(), Some("COMPLETE"));
}

prop_compose! {
    fn any_report()(
        applied in proptest::collection::vec((0..6u8, "[ab]\\.rs"), 0..6),
        skipped in proptest::collection::vec((0..6u8, "[a-z ]{0,9}"), 0..6),
    ) -> FixReport {
        let id = |number: u8| FindingId::new(&format!("F{number}")).expect("not blank");
        FixReport {
            fixes_applied: applied
                .into_iter()
                .map(|(number, file)| AppliedFix {
                    finding_id: id(number), file, change: None, test_verified: None,
                })
                .collect(),
            fixes_skipped: skipped
                .into_iter()
                .map(|(number, reason)| SkippedFix { finding_id: id(number), reason })
                .collect(),
            ..FixReport::default()
        }
    }
}

proptest! {
    #[test]
    fn a_written_report_reads_back_and_a_union_with_itself_or_nothing_changes_nothing(
        report in any_report()
    ) {
        let json = serde_json::to_string(&report).expect("plain data");
        let (again, problems) = FixReport::read(&json).expect("a fix report");
        prop_assert!(problems.is_empty());
        prop_assert_eq!(&again, &report);
        prop_assert_eq!(&union(report.clone(), report.clone()), &report);
        prop_assert_eq!(&union(FixReport::default(), report.clone()), &report);
        prop_assert_eq!(&union(report.clone(), FixReport::default()), &report);
    }

    #[test]
    fn joining_is_associative(a in any_report(), b in any_report(), c in any_report()) {
        let left = union(union(a.clone(), b.clone()), c.clone());
        prop_assert_eq!(left, union(a, union(b, c)));
    }

    #[test]
    fn an_entry_is_kept_exactly_when_extraction_would_prefer_it(
        id in prop_oneof![Just("1"), Just("\"F1\""), Just("null"), Just("\" \""), Just("{}")],
        file in prop_oneof![Just("\"a.rs\""), Just("\"\""), Just("null"), Just("7")],
        more in prop_oneof![Just(""), Just(",\"change\":\"x\""), Just(",\"test_verified\":\"yes\"")],
    ) {
        let entry = format!("{{\"finding_id\":{id},\"file\":{file}{more}}}");
        let raw: Box<RawValue> = serde_json::from_str(&entry).expect("valid JSON");
        let json = format!("{{\"fixes_applied\":[{entry}]}}");
        let (report, _) = FixReport::read(&json).expect("a list");
        prop_assert_eq!(is_fix_entry(&raw), report.fixes_applied.len() == 1);
    }
}

//! What each kind of run reads like.

use tribunal_finding::Severity;
use tribunal_report::{
    Answer, Cycle, Fate, Outcome, Totals, Undone, View, json, likely_duplicates, markdown, schema,
    text,
};

use crate::views::{empty, finding, full, id, validators};

#[test]
fn a_full_view_as_text() {
    insta::assert_snapshot!(text(&full()));
}

#[test]
fn a_full_view_as_markdown() {
    insta::assert_snapshot!(markdown(&full()));
}

#[test]
fn a_full_view_as_json() {
    insta::assert_snapshot!(json(&full()));
}

#[test]
fn the_schema_of_the_json() {
    insta::assert_json_snapshot!(schema());
}

fn all(view: &View) -> [String; 3] {
    [text(view), markdown(view), json(view)]
}

/// As a reader takes it: line breaks and Markdown's backslashes do not matter.
fn read(page: &str) -> String {
    page.replace('\\', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All renderings have, or lack, these words.
fn check(view: &View, present: &[&str], absent: &[&str]) {
    for page in all(view) {
        let page = read(&page);
        for words in present {
            assert!(page.contains(words), "{words:?} is missing:\n{page}");
        }
        for words in absent {
            assert!(!page.to_lowercase().contains(words), "{words:?} stands there:\n{page}");
        }
    }
}

/// The renderings for people have these words.
fn check_shown(view: &View, present: &[&str]) {
    for page in [text(view), markdown(view)] {
        let page = read(&page);
        for words in present {
            assert!(page.contains(words), "{words:?} is missing:\n{page}");
        }
    }
}

const CLEAN_WORDS: [&str; 5] =
    ["no issues", "nothing was found", "nothing is left open", "no findings", "all steps have run"];

#[test]
fn a_run_that_did_not_complete_never_reads_like_a_clean_one() {
    let why = "all validators produced unparseable output; cannot merge".to_owned();
    let step = "merge-validations".to_owned();
    let cycle = Cycle {
        number: 1,
        found: Some(1),
        validators: validators([Answer::Unparseable; 3]),
        ..Cycle::default()
    };
    let failed = View {
        outcome: Outcome::Failed { step, cycle: Some(1), why: why.clone() },
        cycles: vec![cycle],
        findings: vec![finding("F1", Severity::High, ("a.rs", 1), Fate::Undecided)],
        ..empty()
    };
    check(&failed, &[&why, "merge-validations"], &CLEAN_WORDS);
    check_shown(
        &failed,
        &[
            "quality-audit-cycle on src: did not complete: failed",
            "Failed at step merge-validations of cycle 1: all validators produced",
            "Known when it ended: 1 finding (1 undecided).",
            "0 of 3 validators answered",
        ],
    );
    assert!(json(&failed).contains("\"complete\": false"));

    let nothing = View { findings: Vec::new(), cycles: Vec::new(), ..failed };
    check(&nothing, &[&why], &CLEAN_WORDS);
    check_shown(&nothing, &["Nothing can be concluded from this run."]);

    let resume = "tribunal runs resume 0198c2a4".to_owned();
    let why = "interrupted by signal 15".to_owned();
    let paused = View { outcome: Outcome::Paused { why, resume: resume.clone() }, ..nothing };
    check(&paused, &["interrupted by signal 15", &resume], &CLEAN_WORDS);
    check_shown(&paused, &["did not complete: paused", "Nothing can be concluded from this run."]);
    assert!(json(&paused).contains("\"complete\": false"));
}

#[test]
fn a_run_that_was_undone_says_so_and_is_not_offered_to_be_resumed() {
    let (why, resume) =
        ("interrupted by signal 15".to_owned(), "tribunal runs resume r".to_owned());
    let kept = "refs/tribunal/r/9".to_owned();
    for (complete, said) in [(true, "Undone since: the tree was put back"), (false, "broke off")] {
        let undone = Some(Undone { complete, kept: kept.clone() });
        let outcome = Outcome::Paused { why: why.clone(), resume: resume.clone() };
        let view = View { outcome, undone, ..empty() };
        check(&view, &[&kept], &[]);
        check_shown(&view, &[said]);
    }
    let undone = Some(Undone { complete: true, kept });
    let paused =
        View { outcome: Outcome::Paused { why, resume: resume.clone() }, undone, ..empty() };
    for page in [text(&paused), markdown(&paused)] {
        assert!(!page.contains(&resume), "{page}");
    }
}

#[test]
fn silence_is_said_at_the_top_and_is_no_agreement() {
    let cycle = Cycle {
        number: 1,
        found: Some(1),
        validators: validators([Answer::Empty; 3]),
        ..Cycle::default()
    };
    let silent = View {
        cycles: vec![cycle],
        findings: vec![finding("F1", Severity::High, ("a.rs", 1), Fate::Unconfirmed)],
        ..empty()
    };
    check_shown(
        &silent,
        &[
            "Cycle 1: 0 of 3 validators answered; nothing was confirmed or rejected.",
            "1 finding in 1 cycle: 1 unconfirmed; nothing is left open.",
            "v1 EMPTY",
        ],
    );
}

#[test]
fn a_clean_run_says_that_validators_were_not_needed() {
    let cycle = Cycle {
        number: 1,
        found: Some(0),
        validators: validators([Answer::NotAsked; 3]),
        verification: vec!["VERIFY: PASS".to_owned()],
        ..Cycle::default()
    };
    let clean = View { cycles: vec![cycle], ..empty() };
    check_shown(
        &clean,
        &["Nothing was found in 1 cycle.", "validators not needed", "none found", "VERIFY: PASS"],
    );
    assert!(json(&clean).contains("\"complete\": true"));
}

#[test]
fn a_cycle_that_was_cut_short_says_how_far_it_came() {
    let check = |cycle: Cycle, expected: &[&str]| {
        check_shown(&View { cycles: vec![Cycle { number: 1, ..cycle }], ..empty() }, expected);
    };
    let unheard = validators([Answer::NotHeard; 3]);
    check(Cycle::default(), &["no list of findings", "validators not reached"]);
    check(
        Cycle { found: Some(2), validators: unheard, ..Cycle::default() },
        &["2 to the vote", "validators not heard"],
    );
}

#[test]
fn one_fault_under_three_ids_is_counted_as_three_and_marked() {
    let place = |line| ("src/a.rs", line);
    let findings = vec![
        finding("F1", Severity::High, place(3), Fate::Fixed),
        finding("F2", Severity::High, place(3), Fate::Fixed),
        finding("F3", Severity::Low, place(4), Fate::Fixed),
        finding("F4", Severity::Low, place(40), Fate::Fixed),
        finding("F5", Severity::Low, ("src/b.rs", 3), Fate::Fixed),
    ];
    let first = id("F1");
    assert_eq!(likely_duplicates(&findings), [None, Some(&first), Some(&first), None, None]);
    let view = View { findings, ..empty() };
    check_shown(&view, &["5 findings: 5 fixed", "likely the same as F1"]);
    assert_eq!(json(&view).matches("\"likely_duplicate_of\": \"F1\"").count(), 2);
}

#[test]
fn only_near_lines_of_one_file_and_cycle_are_marked() {
    let check = |one: u32, other: u32, is_marked: bool| {
        let findings = [
            finding("F1", Severity::Low, ("a", one), Fate::Fixed),
            finding("F2", Severity::Low, ("a", other), Fate::Fixed),
        ];
        assert_eq!(likely_duplicates(&findings)[1].is_some(), is_marked, "{one} {other}");
    };
    check(5, 7, true);
    check(7, 5, true);
    check(5, 8, false);
    check(u32::MAX, u32::MAX - 2, true);
    let mut later = finding("F2", Severity::Low, ("a", 5), Fate::Fixed);
    later.cycle = 2;
    let findings = [finding("F1", Severity::Low, ("a", 5), Fate::Fixed), later];
    assert_eq!(likely_duplicates(&findings), [None, None]);
    let mut whole_file = findings;
    for finding in &mut whole_file {
        finding.cycle = 1;
        finding.place.line = None;
    }
    assert_eq!(likely_duplicates(&whole_file), [None, None]);
}

#[test]
fn totals_add_up_to_the_list() {
    let fates = [
        Fate::Fixed,
        Fate::Skipped { reason: "a reason".to_owned() },
        Fate::Phantom,
        Fate::Unaccounted,
        Fate::Open,
        Fate::Rejected,
        Fate::Unconfirmed,
        Fate::Undecided,
    ];
    let mut findings = Vec::new();
    for fate in &fates {
        for severity in Severity::ALL {
            findings.push(finding("F1", severity, ("a.rs", 1), fate.clone()));
        }
    }
    let totals = Totals::of(&findings);
    assert_eq!(totals.findings, 32);
    assert_eq!(totals.left_open, 12);
    let of = totals.by_severity;
    assert_eq!([of.critical, of.high, of.medium, of.low], [8; 4]);
    let of = totals.by_fate;
    let fates =
        [of.fixed, of.skipped, of.phantom, of.unaccounted, of.open, of.rejected, of.unconfirmed];
    assert_eq!((fates, of.undecided), ([4; 7], 4));
}

#[test]
fn what_is_left_open_comes_first_and_the_worst_of_it_first() {
    let view = View {
        findings: vec![
            finding("F1", Severity::Critical, ("a", 10), Fate::Fixed),
            finding("F2", Severity::Low, ("a", 20), Fate::Open),
            finding("F3", Severity::High, ("a", 30), Fate::Unaccounted),
        ],
        ..empty()
    };
    for page in [text(&view), markdown(&view)] {
        let at = |id: &str| page.find(&format!("wrong with {id}")).expect("it is listed");
        assert!(at("F3") < at("F2") && at("F2") < at("F1"), "{page}");
    }
}

#[test]
fn no_line_is_wider_than_the_page() {
    let page = text(&full());
    for line in page.lines() {
        assert!(line.chars().count() <= 96, "{line}");
    }
    assert!(page.ends_with('\n') && !page.ends_with("\n\n"));
}

//! Which findings of a cycle go to the vote, held against the history (D18).

use proptest::prelude::*;
use tribunal_finding::{
    Category, Dropped, Fate, Finding, FindingId, History, HistoryEntry, Newness, Place, Severity,
    Sieve, Sifted, Verdict, read_mentions, sift,
};

fn finding(id: &str, line: Option<u32>, evidence: &str) -> Finding {
    Finding {
        id: FindingId::new(id).expect("an id"),
        category: Category::Security,
        severity: Severity::High,
        place: Place { file: "src/a.rs".to_owned(), line },
        description: "what".to_owned(),
        evidence: evidence.to_owned(),
        recommendation: "mend".to_owned(),
    }
}

fn entry(cycle: u32, id: &str, line: u32, evidence: &str, fate: Fate) -> HistoryEntry {
    let verdict = match fate {
        Fate::Rejected => Verdict::FalsePositive,
        Fate::Unconfirmed => Verdict::Unconfirmed,
        _ => Verdict::Confirmed,
    };
    HistoryEntry::new(cycle, &finding(id, Some(line), evidence), verdict, fate, None)
}

fn skipped() -> Fate {
    Fate::Skipped { reason: "the API is frozen".to_owned() }
}

fn sieve() -> Sieve {
    Sieve { cycle: 2, severity_threshold: Severity::Medium, categories: vec![] }
}

fn sift_with(reported: &[Finding], entries: &[HistoryEntry]) -> Sifted {
    sift(reported.to_vec(), &History { entries: entries.to_vec() }, &sieve())
}

/// What goes to the vote, one `id newness` each.
fn shown(sifted: &Sifted) -> Vec<String> {
    let findings = sifted.findings.iter();
    findings
        .map(|sifted| {
            let newness = match &sifted.newness {
                Newness::New => "new".to_owned(),
                Newness::Reopened(id) => format!("reopens {id}"),
                Newness::Undecided(id) => format!("undecided {id}"),
                Newness::StillOpen(id) => format!("still {id}"),
            };
            format!("{} {newness}", sifted.finding.id)
        })
        .collect()
}

/// One re-report, one line away and quoted another way, of one entry with this fate.
#[track_caller]
fn check(fate: &Fate, findings: &[&str], dropped: Dropped) {
    let history = [entry(1, "F1", 10, "rows.truncate(500)", fate.clone())];
    let sifted = sift_with(&[finding("F7", Some(11), "11: `rows.truncate( 500 )`")], &history);
    assert_eq!(shown(&sifted), findings, "{fate:?}");
    assert_eq!(sifted.dropped, dropped, "{fate:?}");
}

#[test]
fn a_re_report_is_judged_by_the_fate_of_the_earlier_finding() {
    let none = Dropped::default();
    check(&Fate::Rejected, &[], Dropped { rejected_before: 1, ..none });
    check(&skipped(), &[], Dropped { skipped_before: 1, ..none });
    check(&Fate::Unaccounted, &[], Dropped { joined_carried: 1, ..none });
    check(&Fate::Phantom, &[], Dropped { joined_carried: 1, ..none });
    check(&Fate::Fixed, &["F7 reopens F1"], none);
    check(&Fate::Unconfirmed, &["F7 undecided F1"], none);
    check(&Fate::Open, &["F7 still F1"], none);
}

#[test]
fn only_what_was_open_already_is_not_new() {
    let id = || FindingId::new("F1").expect("an id");
    assert!(Newness::New.is_new());
    assert!(Newness::Reopened(id()).is_new());
    assert!(Newness::Undecided(id()).is_new());
    assert!(!Newness::StillOpen(id()).is_new());
    assert_eq!(Newness::New.replaces(), None);
    assert_eq!(Newness::StillOpen(id()).replaces(), Some(&id()));
}

#[test]
fn only_a_surplus_of_equals_is_new_and_the_nearest_line_is_matched() {
    let history =
        [entry(1, "F1", 10, "x()", Fate::Rejected), entry(1, "F2", 90, "x()", Fate::Fixed)];
    let reported = [
        finding("A", Some(50), "x()"),
        finding("B", Some(88), "x()"),
        finding("C", Some(12), "x()"),
        finding("D", Some(12), "y()"),
    ];
    let sifted = sift_with(&reported, &history);
    assert_eq!(shown(&sifted), ["A new", "B reopens F2", "D new"]);
    assert_eq!(sifted.dropped, Dropped { rejected_before: 1, ..Dropped::default() });
}

#[test]
fn a_reopened_entry_matches_no_more() {
    let mut later = entry(2, "c2-F1", 10, "x()", Fate::Rejected);
    later.reopens = FindingId::new("F1");
    let history = [entry(1, "F1", 10, "x()", Fate::Fixed), later];
    let reported = [finding("A", Some(10), "x()"), finding("B", Some(30), "x()")];
    let sifted = sift_with(&reported, &history);
    assert_eq!(shown(&sifted), ["B new"]);
    assert_eq!(sifted.dropped.rejected_before, 1);
}

#[test]
fn another_file_or_category_is_another_finding() {
    let history = [entry(1, "F1", 10, "x()", Fate::Rejected)];
    let mut elsewhere = finding("A", Some(10), "x()");
    elsewhere.place.file = "src/b.rs".to_owned();
    let mut otherwise = finding("B", Some(10), "x()");
    otherwise.category = Category::TestGaps;
    assert_eq!(shown(&sift_with(&[elsewhere, otherwise], &history)), ["A new", "B new"]);
}

#[test]
fn what_was_not_asked_for_is_dropped_before_the_vote_and_counted_once() {
    let with =
        |id: &str, severity, category| Finding { severity, category, ..finding(id, Some(1), id) };
    let reported = vec![
        with("F1", Severity::Low, Category::Security),
        with("F2", Severity::Medium, Category::Security),
        with("F3", Severity::Critical, Category::DocGaps),
        with("F4", Severity::Low, Category::DocGaps),
    ];
    let sieve = Sieve { categories: vec![Category::Security], ..sieve() };
    let sifted = sift(reported.clone(), &History::default(), &sieve);
    assert_eq!(shown(&sifted), ["F2 new"]);
    assert_eq!((sifted.dropped.below_threshold, sifted.dropped.outside_categories), (2, 1));
    let all = Sieve { severity_threshold: Severity::Low, categories: vec![], ..sieve };
    assert_eq!(sift(reported, &History::default(), &all).findings.len(), 4);
}

#[test]
fn ids_that_an_earlier_cycle_took_are_renamed() {
    let history = [
        entry(1, "F1", 1, "a()", Fate::Fixed),
        entry(1, "F2", 2, "b()", Fate::Fixed),
        entry(1, "c2-F2", 3, "c()", Fate::Fixed),
    ];
    let reported = ["F1", "c2-F1", "F2", "F3"].map(|id| finding(id, None, id));
    let sifted = sift_with(&reported, &history);
    assert_eq!(shown(&sifted), ["c2-F1-2 new", "c2-F1 new", "c2-F2-2 new", "F3 new"]);
    let renamed: Vec<_> = sifted.renamed.iter().map(|(was, is)| format!("{was} -> {is}")).collect();
    assert_eq!(renamed, ["F1 -> c2-F1-2", "F2 -> c2-F2-2"]);
}

/// RP-09 (D18): likely duplicates of one report stay apart; the totals equal the list.
#[test]
fn nothing_is_merged_within_one_cycle() {
    let json = r#"{"findings": [
        {"id": "F1", "file": "src/a.rs", "line": 3, "title": "unwrap on user input"},
        {"id": "F2", "file": "src/a.rs", "line": 3, "title": "panic on bad input"},
        {"id": "F3", "file": "src/a.rs", "line": 4, "title": "missing error handling"}
    ]}"#;
    assert_eq!(read_mentions(json).expect("a list of findings").0.len(), 3);
    let reported = ["F1", "F2", "F3"].map(|id| finding(id, Some(3), "input.unwrap()"));
    assert_eq!(shown(&sift_with(&reported, &[])), ["F1 new", "F2 new", "F3 new"]);
}

#[test]
fn many_equal_findings_take_no_quadratic_time() {
    let lines = || (0..60_000).map(|line| Some(line * 2));
    let reported: Vec<_> = lines().map(|line| finding("F", line, "x()")).collect();
    let entries: Vec<_> = lines()
        .enumerate()
        .map(|(n, line)| {
            let finding = finding(&format!("E{n}"), line, "x()");
            HistoryEntry::new(1, &finding, Verdict::FalsePositive, Fate::Rejected, None)
        })
        .collect();
    let sifted = sift_with(&reported, &entries[1..]);
    assert_eq!((sifted.findings.len(), sifted.dropped.rejected_before), (1, 59_999));
}

fn any_fate() -> impl Strategy<Value = Fate> {
    proptest::sample::select(vec![
        Fate::Fixed,
        skipped(),
        Fate::Phantom,
        Fate::Unaccounted,
        Fate::Rejected,
        Fate::Unconfirmed,
        Fate::Open,
    ])
}

fn any_finding() -> impl Strategy<Value = Finding> {
    let category = proptest::sample::select(vec![Category::Security, Category::TestGaps]);
    let severity = proptest::sample::select(Severity::ALL.to_vec());
    ("F[1-4]", proptest::option::of(1u32..9), "[xy]", category, severity).prop_map(
        |(id, line, evidence, category, severity)| Finding {
            category,
            severity,
            ..finding(&id, line, &evidence)
        },
    )
}

fn any_entries() -> impl Strategy<Value = Vec<HistoryEntry>> {
    let entry = (any_finding(), any_fate(), proptest::option::of("F[1-4]"));
    proptest::collection::vec(entry, 0..12).prop_map(|entries| {
        entries
            .into_iter()
            .zip(1..)
            .map(|((finding, fate, reopens), cycle)| {
                let reopens = reopens.and_then(|id| FindingId::new(&id));
                HistoryEntry::new(cycle, &finding, Verdict::Confirmed, fate, reopens)
            })
            .collect()
    })
}

proptest! {
    #[test]
    fn counts_add_up_and_ids_are_unique(
        reported in proptest::collection::vec(any_finding(), 0..12),
        entries in any_entries(),
    ) {
        let sifted = sift_with(&reported, &entries);
        prop_assert_eq!(sifted.findings.len() + sifted.dropped.total(), reported.len());
        let mut ids: Vec<_> = sifted.findings.iter().map(|sifted| &sifted.finding.id).collect();
        ids.extend(entries.iter().map(|entry| &entry.finding_id));
        let taken: std::collections::HashSet<_> =
            entries.iter().map(|entry| &entry.finding_id).collect();
        ids.sort();
        ids.dedup();
        prop_assert_eq!(ids.len(), sifted.findings.len() + taken.len());
    }

    #[test]
    fn the_order_of_the_history_does_not_matter(
        reported in proptest::collection::vec(any_finding(), 0..12),
        (entries, shuffled) in any_entries()
            .prop_flat_map(|entries| (Just(entries.clone()), Just(entries).prop_shuffle())),
    ) {
        prop_assert_eq!(sift_with(&reported, &entries), sift_with(&reported, &shuffled));
    }

    #[test]
    fn no_earlier_finding_is_matched_twice(
        reported in proptest::collection::vec(any_finding(), 0..12),
        entries in any_entries(),
    ) {
        let sifted = sift_with(&reported, &entries);
        let mut replaced: Vec<_> =
            sifted.findings.iter().filter_map(|sifted| sifted.newness.replaces()).collect();
        let all = replaced.len();
        replaced.sort();
        replaced.dedup();
        prop_assert_eq!(replaced.len(), all);
    }

    #[test]
    fn with_no_history_everything_let_through_is_new(
        reported in proptest::collection::vec(any_finding(), 0..12),
    ) {
        let sifted = sift_with(&reported, &[]);
        prop_assert!(sifted.findings.iter().all(|sifted| sifted.newness == Newness::New));
        prop_assert_eq!(sifted.dropped.total(), sifted.dropped.below_threshold);
    }
}

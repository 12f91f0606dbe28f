//! Counting ballots: the seed's table row by row, the laws of the vote, and known failures.

use proptest::prelude::*;
use serde_json::{Value, json};
use tribunal_finding::{EntryProblem, FindingId, Severity};
use tribunal_vote::{
    Entry, Gate, Known, Merged, Ruling, Standing, Tally, Threshold, Warning, fatal, merge, warning,
};

/// A validator's answer as the tables name it.
enum Said {
    Json(Value),
    Nothing,
    Noise,
}

fn standing(said: &Said) -> Standing {
    match said {
        Said::Json(json) => Standing::read(&json.to_string()),
        Said::Nothing => Standing::Empty,
        Said::Noise => Standing::Unparseable,
    }
}

/// `id word [severity]` per vote.
fn ballot(votes: &[&str]) -> Said {
    let entries: Vec<Value> = votes
        .iter()
        .map(|vote| {
            let mut parts = vote.split(' ');
            json!({
                "finding_id": parts.next(), "verdict": parts.next(), "new_severity": parts.next(),
            })
        })
        .collect();
    Said::Json(json!({ "validated": entries }))
}

fn id(text: &str) -> FindingId {
    FindingId::new(text).expect("an id")
}

fn threshold(agree: u32) -> Threshold {
    Threshold::new(agree, 3).expect("a threshold of three validators")
}

fn merge_said(known: Option<&[Known]>, said: &[Said]) -> Result<Merged, Gate> {
    let standings: Vec<Standing> = said.iter().map(standing).collect();
    merge(3, threshold(2), known, &standings)
}

/// `id word yes/no [final decision]` per entry.
fn shown(tally: &Tally) -> Vec<String> {
    let entries = tally.entries().iter();
    entries
        .map(|entry| {
            let votes = format!("{}/{}", entry.votes().confirmed, entry.votes().false_positive);
            match entry.ruling() {
                Ruling::Confirmed(confirmed) => format!(
                    "{} confirmed {votes} {} {}",
                    entry.id(),
                    confirmed.final_severity(),
                    confirmed.decision_severity()
                ),
                Ruling::FalsePositive => format!("{} false_positive {votes}", entry.id()),
                Ruling::Unconfirmed => format!("{} unconfirmed {votes}", entry.id()),
            }
        })
        .collect()
}

/// With threshold 2 and no list of findings.
#[track_caller]
fn check(said: &[Said], expected: &[&str]) -> Merged {
    let merged = merge_said(None, said).expect("a tally");
    assert_eq!(shown(&merged.tally), expected);
    merged
}

fn warned(said: &[Said]) -> Vec<usize> {
    let standings = said.iter().map(standing).zip(1..);
    standings
        .filter_map(|(standing, position)| warning(position, &standing, "PATH").map(|_| position))
        .collect()
}

// The behaviour summary of seed 000, one test per row.

fn yes() -> Said {
    ballot(&["F1 confirmed high", "F2 false_positive"])
}

#[test]
fn all_parsed_is_a_normal_majority_vote() {
    let said = [yes(), yes(), ballot(&["F1 false_positive", "F2 false_positive"])];
    let merged = check(&said, &["F1 confirmed 2/1 high high", "F2 false_positive 0/3"]);
    assert_eq!(warned(&said), [0; 0]);
    assert_eq!(merged.answered, 3);
    assert_eq!(merged.tally.false_positive_rate(), "50%");
}

#[test]
fn parsed_and_empty_proceeds_and_the_empty_cast_no_vote() {
    let said = [yes(), Said::Nothing, yes()];
    let merged = check(&said, &["F1 confirmed 2/0 high high", "F2 false_positive 0/2"]);
    assert_eq!(warned(&said), [0; 0]);
    assert_eq!(merged.answered, 2);
}

#[test]
fn parsed_and_unparseable_warns_and_proceeds_with_the_parsed() {
    let said = [yes(), Said::Noise, yes()];
    check(&said, &["F1 confirmed 2/0 high high", "F2 false_positive 0/2"]);
    assert_eq!(warned(&said), [2]);
}

#[test]
fn parsed_and_empty_and_unparseable_warns_and_proceeds_with_the_parsed() {
    let said = [Said::Nothing, yes(), Said::Noise];
    let merged = check(&said, &["F1 unconfirmed 1/0", "F2 false_positive 0/1"]);
    assert_eq!(warned(&said), [3]);
    assert_eq!(merged.answered, 1);
}

#[test]
fn all_empty_is_a_clean_audit() {
    let said = [Said::Nothing, Said::Nothing, Said::Nothing];
    let merged = check(&said, &[]);
    assert_eq!(warned(&said), [0; 0]);
    assert_eq!((merged.answered, merged.tally.confirmed_count()), (0, 0));
    assert_eq!(merged.tally.false_positive_rate(), "0%");
}

#[test]
fn empty_and_unparseable_without_a_parsed_one_is_fatal() {
    let said = [Said::Noise, Said::Nothing, Said::Noise];
    assert_eq!(merge_said(None, &said), Err(Gate { positions: vec![1, 3] }));
    assert_eq!(warned(&said), [1, 3]);
    assert!(fatal(&[(1, "A"), (3, "C")]).ends_with("preserved at:\n  v1: A\n  v3: C"));
}

#[test]
fn all_unparseable_is_fatal() {
    let said = [Said::Noise, Said::Noise, Said::Noise];
    assert_eq!(merge_said(None, &said), Err(Gate { positions: vec![1, 2, 3] }));
    assert_eq!(warned(&said), [1, 2, 3]);
}

// D10 and D42: what else arms the gate.

#[test]
fn an_object_without_a_ballot_and_a_failure_arm_the_gate_like_noise() {
    let failed = || Standing::Failed { how: "exit 1".to_owned() };
    let of = |standings: &[Standing]| merge(1, threshold(2), None, standings).map(|_| ());
    let positions = |positions: &[usize]| Err(Gate { positions: positions.to_vec() });
    assert_eq!(of(&[Standing::NoBallot, Standing::Empty, Standing::Empty]), positions(&[1]));
    assert_eq!(of(&[Standing::Empty, failed(), Standing::NoBallot]), positions(&[2, 3]));
    assert_eq!(of(&[failed(), failed(), failed()]), positions(&[1, 2, 3]));
    assert_eq!(of(&[failed(), Standing::read(r#"{"validated":[]}"#), Standing::NoBallot]), Ok(()));
}

#[test]
fn a_ballot_without_a_vote_opens_the_gate() {
    let said = [Said::Noise, Said::Json(json!({"validated": ["1"]})), Said::Noise];
    let merged = check(&said, &[]);
    assert_eq!(
        merged.warnings,
        [Warning::Entry {
            position: 2,
            problem: EntryProblem {
                at: "/validated/0".to_owned(),
                reason: "an entry is an object; this is no vote".to_owned(),
            },
        }]
    );
}

// Reported failures of such votes.

#[test]
fn one_validator_cannot_reach_the_threshold_alone() {
    let twice = || ballot(&["F1 confirmed", "F1 confirmed"]);
    let no = || ballot(&["F1 false_positive"]);
    check(&[twice(), no(), no()], &["F1 false_positive 1/2"]);
    check(&[twice(), Said::Nothing, Said::Nothing], &["F1 unconfirmed 1/0"]);
}

// D6.
#[test]
fn a_number_and_a_text_are_the_same_id() {
    let vote = |id: Value, verdict: &str| {
        Said::Json(json!({"validated": [{"finding_id": id, "verdict": verdict}]}))
    };
    check(
        &[
            vote(json!(1), "confirmed"),
            vote(json!("1"), "confirmed"),
            vote(json!(2), "false_positive"),
        ],
        &["1 confirmed 2/0 medium medium", "2 false_positive 0/1"],
    );
}

#[test]
fn large_integers_are_not_rounded_together() {
    let standings = [
        Standing::read(r#"{"validated":[{"finding_id":9007199254740993,"verdict":"confirmed"}]}"#),
        Standing::read(r#"{"validated":[{"finding_id":9007199254740992,"verdict":"confirmed"}]}"#),
        Standing::read(r#"{"validated":[]}"#),
    ];
    let merged = merge(1, threshold(2), None, &standings).expect("a tally");
    assert_eq!(
        shown(&merged.tally),
        ["9007199254740992 unconfirmed 1/0", "9007199254740993 unconfirmed 1/0"]
    );
}

// D9 and D10: silence rejects nothing, and the count of answers tells it.
#[test]
fn silence_of_all_is_no_agreement() {
    let known = [Known { id: id("F1"), severity: Some(Severity::High) }];
    let silent = [Said::Nothing, Said::Nothing, Said::Nothing];
    let merged = merge_said(Some(&known), &silent).expect("a tally");
    assert_eq!(shown(&merged.tally), ["F1 unconfirmed 0/0"]);
    assert_eq!((merged.answered, merged.tally.threshold().validators()), (0, 3));
    assert_eq!(merged.tally.false_positive_count(), 0);
}

// D9.
#[test]
fn votes_for_findings_nobody_reported_do_not_count() {
    let known = [Known { id: id("F1"), severity: Some(Severity::High) }];
    let said = [
        ballot(&["F99 confirmed"]),
        ballot(&["F99 confirmed", "F1 confirmed"]),
        ballot(&["F1 confirmed", "F0 false_positive"]),
    ];
    let merged = merge_said(Some(&known), &said).expect("a tally");
    assert_eq!(shown(&merged.tally), ["F1 confirmed 2/0 high high"]);
    let warnings: Vec<String> = merged.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "`F0` is not among the audit's findings; not counted: the vote of v3",
            "`F99` is not among the audit's findings; not counted: the vote of v1 v2",
        ]
    );
}

#[test]
fn one_lenient_voice_does_not_bury_a_critical_finding() {
    let known = [Known { id: id("F1"), severity: Some(Severity::Critical) }];
    let said = [
        ballot(&["F1 confirmed critical"]),
        ballot(&["F1 downgraded low"]),
        ballot(&["F1 false_positive"]),
    ];
    let merged = merge_said(Some(&known), &said).expect("a tally");
    assert_eq!(shown(&merged.tally), ["F1 confirmed 2/1 low critical"]);
    assert_eq!(merged.tally.entries()[0].reported_severity(), Some(Severity::Critical));
}

#[test]
fn entries_without_an_id_confirm_nothing() {
    let nameless = || Said::Json(json!({"validated": [{"verdict": "confirmed"}]}));
    let merged = check(&[nameless(), nameless(), Said::Nothing], &[]);
    assert_eq!(merged.warnings.len(), 2);
}

#[test]
fn words_and_severities_are_read_in_any_case() {
    let said = [
        ballot(&["F1 Confirmed High"]),
        ballot(&["F1 CONFIRMED HIGH"]),
        ballot(&["F1 False_Positive"]),
    ];
    check(&said, &["F1 confirmed 2/1 high high"]);
}

#[test]
fn a_severity_that_is_none_never_reaches_the_tally() {
    let said =
        [ballot(&["F1 confirmed n/a"]), ballot(&["F1 confirmed"]), ballot(&["F1 confirmed low"])];
    let merged = check(&said, &["F1 confirmed 2/0 low medium"]);
    assert_eq!(merged.warnings.len(), 1);
}

#[test]
fn no_list_of_votes_is_no_clean_audit() {
    for json in [json!({"validated": null}), json!({"validated": {}}), json!({})] {
        let said = || Said::Json(json.clone());
        let gate = merge_said(None, &[said(), said(), said()]);
        assert_eq!(gate, Err(Gate { positions: vec![1, 2, 3] }), "{json}");
    }
}

// D8, row by row: SEEK's severity, the yes votes, the lowest and the second lowest.

fn check_severities(reported: Option<Severity>, yes: &[&str], expected: &str) {
    let known = [Known { id: id("F1"), severity: reported }];
    let said: Vec<Said> = yes.iter().map(|vote| ballot(&[&format!("F1 {vote}")])).collect();
    let merged = merge_said(Some(&known), &said).expect("a tally");
    assert_eq!(
        shown(&merged.tally),
        [format!("F1 confirmed {}/0 {expected}", yes.len())],
        "{yes:?}"
    );
}

#[test]
fn severities_are_the_lowest_and_the_one_the_threshold_stands_behind() {
    use Severity::{High, Low, Medium};
    check_severities(None, &["confirmed high", "confirmed low"], "low high");
    check_severities(
        None,
        &["confirmed low", "confirmed medium", "confirmed critical"],
        "low medium",
    );
    // Without a severity a vote counts as SEEK's, else medium.
    check_severities(Some(High), &["confirmed", "confirmed"], "high high");
    check_severities(Some(High), &["confirmed", "downgraded medium"], "medium high");
    check_severities(None, &["confirmed", "confirmed high"], "medium high");
    check_severities(Some(Low), &["confirmed", "downgraded"], "low low");
    // A raise counts in neither.
    check_severities(Some(Medium), &["confirmed critical", "confirmed critical"], "medium medium");
    check_severities(Some(Medium), &["confirmed critical", "downgraded low"], "low medium");
}

#[test]
fn the_rate_is_rounded_down_over_what_was_decided() {
    let rate = |confirmed: usize, wrong: usize, open: usize| {
        let (mut votes, mut alone) = (Vec::new(), Vec::new());
        votes.extend((0..confirmed).map(|n| format!("C{n} confirmed")));
        votes.extend((0..wrong).map(|n| format!("W{n} false_positive")));
        alone.extend((0..open).map(|n| format!("O{n} confirmed")));
        let ballot_of =
            |votes: &[String]| ballot(&votes.iter().map(String::as_str).collect::<Vec<_>>());
        let said = [ballot_of(&votes), ballot_of(&votes), ballot_of(&alone)];
        merge_said(None, &said).expect("a tally").tally.false_positive_rate()
    };
    assert_eq!(rate(0, 0, 0), "0%");
    assert_eq!(rate(2, 1, 0), "33%");
    assert_eq!(rate(1, 2, 0), "66%");
    assert_eq!(rate(0, 1, 0), "100%");
    assert_eq!(rate(1, 1, 8), "50%");
    assert_eq!(rate(0, 0, 3), "0%");
}

#[test]
fn reasons_of_the_side_that_holds_are_joined_by_position() {
    let said = |verdict: &str, reasoning: &str| {
        let vote = json!({"finding_id": 1, "verdict": verdict, "reasoning": reasoning});
        Said::Json(json!({ "validated": [vote] }))
    };
    let of = |said: &[Said]| {
        let merged = merge_said(None, said).expect("a tally");
        merged.tally.entries()[0].reasoning().to_owned()
    };
    let yes = said("confirmed", "cap is documented");
    let also = said("downgraded", " rows lost ");
    let no = || said("false_positive", "tests cover it");
    assert_eq!(of(&[yes, also, no()]), "cap is documented; rows lost");
    assert_eq!(of(&[no(), said("confirmed", "x"), no()]), "tests cover it; tests cover it");
    assert_eq!(of(&[said("confirmed", " "), said("confirmed", "x")]), "x");
}

#[test]
fn any_number_of_validators_votes() {
    let of = |agree: u32, validators: u32, votes: &[&str]| {
        let standings: Vec<_> = votes.iter().map(|vote| standing(&ballot(&[vote]))).collect();
        let threshold = Threshold::new(agree, validators).expect("a threshold");
        shown(&merge(1, threshold, None, &standings).expect("a tally").tally)
    };
    assert_eq!(of(1, 1, &["F1 confirmed"]), ["F1 confirmed 1/0 medium medium"]);
    let (yes, no) = ("F1 confirmed", "F1 false_positive");
    assert_eq!(of(4, 5, &[yes, no, yes, yes, yes]), ["F1 confirmed 4/1 medium medium"]);
    assert_eq!(of(4, 5, &[yes, yes, yes]), ["F1 unconfirmed 3/0"]);
    assert_eq!(of(1, 3, &[yes, no, no]), ["F1 confirmed 1/2 medium medium"]);
}

#[test]
fn only_a_finding_voted_false_by_the_threshold_is_rejected() {
    let said = [
        ballot(&["F1 false_positive", "F2 false_positive"]),
        ballot(&["F1 false_positive", "F2 confirmed", "F3 confirmed"]),
        ballot(&["F3 confirmed"]),
    ];
    let tally = merge_said(None, &said).expect("a tally").tally;
    let rejected: Vec<bool> = tally.entries().iter().map(|entry| tally.rejects(entry)).collect();
    assert_eq!(rejected, [true, false, false]);
}

#[test]
fn a_hundred_thousand_votes_each_take_no_quadratic_time() {
    let ballot = |backwards: bool| {
        let mut ids: Vec<usize> = (0..100_000).collect();
        if backwards {
            ids.reverse();
        }
        let entries = ids.into_iter().map(|n| {
            format!(r#"{{"finding_id":"F{n}","verdict":"confirmed","reasoning":"because of {n}"}}"#)
        });
        let entries = entries.collect::<Vec<_>>().join(",");
        Standing::read(&format!(r#"{{"validated":[{entries}]}}"#))
    };
    let known: Vec<Known> =
        (0..50_000).map(|n| Known { id: id(&format!("F{n}")), severity: None }).collect();
    let standings = [ballot(false), ballot(true), ballot(false)];
    let merged = merge(1, threshold(3), Some(&known), &standings).expect("a tally");
    assert_eq!(merged.tally.confirmed_count(), 50_000);
    assert_eq!(merged.warnings.len(), 50_000);
    assert_eq!(merged.tally.entries()[10].id().as_str(), "F10");
}

// Laws.

fn any_standing() -> impl Strategy<Value = Standing> {
    let vote = (
        "F[1-4]",
        proptest::sample::select(vec!["confirmed", "false_positive", "downgraded", "perhaps"]),
        proptest::sample::select(vec![json!(null), json!("low"), json!("high"), json!("critical")]),
    );
    let ballot = proptest::collection::vec(vote, 0..8).prop_map(|votes| {
        let entries: Vec<Value> = votes
            .into_iter()
            .map(|(id, verdict, severity)| {
                json!({"finding_id": id, "verdict": verdict, "new_severity": severity})
            })
            .collect();
        Standing::read(&json!({ "validated": entries }).to_string())
    });
    prop_oneof![
        6 => ballot,
        1 => Just(Standing::Empty),
        1 => Just(Standing::Unparseable),
        1 => Just(Standing::NoBallot),
        1 => Just(Standing::Failed { how: "exit 1".to_owned() }),
    ]
}

fn any_standings() -> impl Strategy<Value = Vec<Standing>> {
    proptest::collection::vec(any_standing(), 1..6)
}

fn any_known() -> impl Strategy<Value = Option<Vec<Known>>> {
    let known = ("F[1-5]", proptest::option::of(proptest::sample::select(Severity::ALL.to_vec())))
        .prop_map(|(text, severity)| Known { id: id(&text), severity });
    proptest::option::of(proptest::collection::vec(known, 0..5))
}

fn tally_of(agree: u32, known: Option<&[Known]>, standings: &[Standing]) -> Result<Tally, Gate> {
    let threshold = Threshold::new(agree, 6).expect("a threshold of six validators");
    merge(1, threshold, known, standings).map(|merged| merged.tally)
}

fn confirmed(tally: &Tally) -> Vec<FindingId> {
    tally.confirmed().map(|confirmed| confirmed.id().clone()).collect()
}

proptest! {
    #[test]
    fn the_order_of_the_validators_does_not_matter(
        known in any_known(),
        (standings, shuffled) in any_standings()
            .prop_flat_map(|standings| (Just(standings.clone()), Just(standings).prop_shuffle())),
        agree in 1u32..=3,
    ) {
        let tally = |standings: &[Standing]| {
            let tally = tally_of(agree, known.as_deref(), standings);
            tally.map_err(|gate| gate.positions.len())
        };
        prop_assert_eq!(tally(&standings), tally(&shuffled));
    }

    #[test]
    fn a_higher_threshold_confirms_nothing_more(
        known in any_known(), standings in any_standings(), agree in 1u32..6,
    ) {
        if let Ok(tally) = tally_of(agree, known.as_deref(), &standings) {
            let higher = tally_of(agree + 1, known.as_deref(), &standings).expect("the gate hangs on standings");
            let lower = confirmed(&tally);
            prop_assert!(confirmed(&higher).iter().all(|id| lower.contains(id)));
        }
    }

    #[test]
    fn confirmed_is_what_enough_different_validators_said_yes_to(
        standings in any_standings(), agree in 1u32..=3,
    ) {
        if let Ok(tally) = tally_of(agree, None, &standings) {
            for entry in tally.entries() {
                let saying = |yes: bool| standings.iter().filter(|standing| match standing {
                    Standing::Usable { ballot, .. } => {
                        ballot.votes().iter().any(|vote| &vote.id == entry.id() && vote.word.is_yes() == yes)
                    }
                    _ => false,
                }).count();
                prop_assert_eq!(entry.votes().confirmed as usize, saying(true));
                prop_assert_eq!(entry.votes().false_positive as usize, saying(false));
                let is_confirmed = matches!(entry.ruling(), Ruling::Confirmed(_));
                prop_assert_eq!(is_confirmed, saying(true) >= agree as usize);
            }
        }
    }

    #[test]
    fn a_missing_validator_never_confirms_more(
        standings in any_standings(), agree in 1u32..=3, missing in 0usize..5,
    ) {
        let mut fewer = standings.clone();
        if let Some(standing) = fewer.get_mut(missing) {
            *standing = Standing::Empty;
        }
        if let (Ok(all), Ok(fewer)) = (tally_of(agree, None, &standings), tally_of(agree, None, &fewer)) {
            let all = confirmed(&all);
            prop_assert!(confirmed(&fewer).iter().all(|id| all.contains(id)));
        }
    }

    #[test]
    fn every_known_finding_stands_in_the_tally_once_and_no_other(
        known in any_known(), standings in any_standings(),
    ) {
        if let (Some(known), Ok(tally)) = (&known, tally_of(2, known.as_deref(), &standings)) {
            let mut ids: Vec<_> = known.iter().map(|known| &known.id).collect();
            ids.sort();
            ids.dedup();
            prop_assert_eq!(tally.entries().iter().map(Entry::id).collect::<Vec<_>>(), ids);
        }
    }

    #[test]
    fn what_was_merged_is_read_back_the_same(
        known in any_known(), standings in any_standings(), agree in 1u32..=3,
    ) {
        if let Ok(tally) = tally_of(agree, known.as_deref(), &standings) {
            let json = serde_json::to_string(&tally).expect("a tally is JSON");
            prop_assert_eq!(Tally::read(&json), Ok(tally));
        }
    }
}

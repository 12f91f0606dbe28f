//! The laws of D6–D10, finding by finding and validator by validator; the fuzzer uses this too.

use std::collections::BTreeSet;

use tribunal_finding::{FindingId, Severity, list_entries};
use tribunal_vote::{
    Ballot, Entry, Gate, Known, Ruling, Standing, Tally, Threshold, Vote, Votes, merge,
};

/// Panics where `merge` and the model differ over these answers; each is a JSON object, or blank.
pub(crate) fn check(agree: u32, answers: &[&str]) {
    let standings: Vec<Standing> = answers.iter().map(|answer| standing(answer)).collect();
    let Ok(validators @ 1..) = u32::try_from(answers.len()) else { return };
    let threshold = Threshold::new(agree % validators + 1, validators).expect("within bounds");
    let merged = merge(1, threshold, None, &standings).map(|merged| merged.tally);
    let is_usable = |standing: &Standing| matches!(standing, Standing::Usable { .. });
    let is_fatal =
        !standings.iter().any(is_usable) && standings.iter().any(Standing::is_unreadable);
    assert_eq!(merged.is_err(), is_fatal);
    let Ok(tally) = merged else { return };

    let cast: Vec<Vec<Vote>> = answers.iter().map(|answer| votes_one_by_one(answer)).collect();
    let ids: BTreeSet<&FindingId> = cast.iter().flatten().map(|vote| &vote.id).collect();
    let counted = |id: &FindingId| count(id, &cast);
    let voted_on = ids.iter().filter(|id| !counted(id).is_empty());
    let expected: Vec<_> = voted_on.map(|id| shown(id, &counted(id), threshold)).collect();
    assert_eq!(tally.entries().iter().map(shown_entry).collect::<Vec<_>>(), expected);
    check_laws(&tally, &standings, threshold);
    check_known(&ids, &standings, threshold, |id| shown(id, &counted(id), threshold));
}

fn standing(answer: &str) -> Standing {
    if answer.trim().is_empty() { Standing::Empty } else { Standing::read(answer) }
}

/// Each entry as a ballot of its own: nothing stands twice in it.
fn votes_one_by_one(answer: &str) -> Vec<Vote> {
    let entries = list_entries(answer, "validated").unwrap_or_default();
    let ballots = entries.into_iter().map(|entry| format!("{{\"validated\":[{}]}}", entry.get()));
    let votes = |json: String| Ballot::read(&json).expect("a list").0.votes().to_vec();
    ballots.flat_map(votes).collect()
}

/// One vote per validator that said one thing alone; whether it is a yes, and its severity.
fn count(id: &FindingId, cast: &[Vec<Vote>]) -> Vec<(bool, Severity)> {
    let of_validator = |votes: &Vec<Vote>| {
        let on_it: Vec<&Vote> = votes.iter().filter(|vote| vote.id == *id).collect();
        let first = on_it.first()?;
        let severity = on_it.iter().filter_map(|vote| vote.severity).min();
        let is_one = on_it.iter().all(|vote| vote.word == first.word);
        is_one.then(|| (first.word.is_yes(), severity.unwrap_or(Severity::Medium)))
    };
    cast.iter().filter_map(of_validator).collect()
}

fn shown(id: &FindingId, votes: &[(bool, Severity)], threshold: Threshold) -> String {
    let mut yes: Vec<Severity> = votes.iter().filter(|vote| vote.0).map(|vote| vote.1).collect();
    yes.sort();
    let no = votes.len() - yes.len();
    let agree = threshold.agree() as usize;
    let ruling = match (yes.len() >= agree, no) {
        (true, _) => format!("confirmed {} {}", yes[0], yes[agree - 1]),
        (false, 0) => "unconfirmed".to_owned(),
        (false, _) => "false_positive".to_owned(),
    };
    format!("{id} {}/{no} {ruling}", yes.len())
}

fn shown_entry(entry: &Entry) -> String {
    let Votes { confirmed, false_positive } = entry.votes();
    let ruling = match entry.ruling() {
        Ruling::Confirmed(confirmed) => {
            format!("confirmed {} {}", confirmed.final_severity(), confirmed.decision_severity())
        }
        Ruling::FalsePositive => "false_positive".to_owned(),
        Ruling::Unconfirmed => "unconfirmed".to_owned(),
    };
    format!("{} {confirmed}/{false_positive} {ruling}", entry.id())
}

/// Order does not matter, and what was merged is read back the same.
fn check_laws(tally: &Tally, standings: &[Standing], threshold: Threshold) {
    let backwards: Vec<Standing> = standings.iter().rev().cloned().collect();
    let again: Result<_, Gate> = merge(1, threshold, None, &backwards);
    let again = again.expect("the gate knows no order").tally;
    let all = |tally: &Tally| tally.entries().iter().map(shown_entry).collect::<Vec<_>>();
    assert_eq!(all(&again), all(tally));
    let json = serde_json::to_string(tally).expect("a tally is JSON");
    assert_eq!(Tally::read(&json).as_ref(), Ok(tally));
}

/// Of all ids that were voted on every second one is known, and one that nobody voted on.
fn check_known(
    ids: &BTreeSet<&FindingId>,
    standings: &[Standing],
    threshold: Threshold,
    expected: impl Fn(&FindingId) -> String,
) {
    let unnamed = FindingId::new("nobody's").expect("an id");
    let every_second = ids.iter().step_by(2).copied();
    let ids: BTreeSet<&FindingId> = every_second.chain([&unnamed]).collect();
    let known: Vec<Known> =
        ids.iter().map(|id| Known { id: (*id).clone(), severity: None }).collect();
    let tally = merge(1, threshold, Some(&known), standings).expect("a tally").tally;
    let expected: Vec<_> = ids.into_iter().map(expected).collect();
    assert_eq!(tally.entries().iter().map(shown_entry).collect::<Vec<_>>(), expected);
}

//! What happened in a cycle, in words.

use crate::cycle::{Answer, Cycle, Decision, Dropped, Validator};
use crate::inert;

/// How many validators gave a ballot, of how many; `None` when no answer was awaited or read.
pub(crate) fn answered(cycle: &Cycle) -> Option<(usize, usize)> {
    let is_heard = |answer| !matches!(answer, Answer::NotAsked | Answer::NotHeard);
    if !cycle.validators.iter().any(|one| is_heard(one.answer)) {
        return None;
    }
    let ballots = cycle.validators.iter().filter(|one| one.answer == Answer::Ballot).count();
    Some((ballots, cycle.validators.len()))
}

/// `2 of 3 validators answered`, or why none could.
pub(crate) fn validators(cycle: &Cycle) -> String {
    match answered(cycle) {
        Some((ballots, all)) => format!("{ballots} of {all} validators answered"),
        None if cycle.found == Some(0) => "validators not needed".to_owned(),
        None if cycle.validators.is_empty() => "validators not reached".to_owned(),
        None => "validators not heard".to_owned(),
    }
}

/// Whether a validator stands in the report with a line of its own: one that gave a ballot, or that
/// nobody had to ask, is told of by the count.
pub(crate) fn is_worth_a_line(one: &Validator) -> bool {
    one.note.is_some() || !matches!(one.answer, Answer::Ballot | Answer::NotAsked)
}

/// What is worth saying about a validator beside the word for its answer.
pub(crate) fn about_validator(one: &Validator) -> Option<String> {
    let note = one.note.as_deref().map(inert::one_line).filter(|note| !note.is_empty());
    match (one.answer, note) {
        (Answer::NoBallot, Some(note)) => Some(format!("holds no ballot; {note}")),
        (Answer::NoBallot, None) => Some("holds no ballot".to_owned()),
        (_, note) => note,
    }
}

/// What went to the vote and what did not.
pub(crate) fn seek(cycle: &Cycle) -> String {
    let mut said = match cycle.found {
        None => "no list of findings".to_owned(),
        Some(0) => "none found".to_owned(),
        Some(n) => format!("{n} to the vote"),
    };
    let ids: Vec<String> = cycle.carried.iter().map(|id| inert::one_line(id.as_str())).collect();
    if !ids.is_empty() {
        said = format!("{said}; still owed from earlier cycles: {}", ids.join(", "));
    }
    let dropped = dropped(cycle.dropped);
    if !dropped.is_empty() {
        said = format!("{said}; left out: {dropped}");
    }
    said
}

fn dropped(dropped: Dropped) -> String {
    let Dropped { below_threshold, outside_categories, voted_false, skipped_before, unfit } =
        dropped;
    let rows = [
        (below_threshold, "below the severity threshold"),
        (outside_categories, "outside the categories"),
        (voted_false, "voted false before"),
        (skipped_before, "skipped before"),
        (unfit, "not fitting the contract"),
    ];
    let rows = rows.iter().filter(|(n, _)| *n > 0);
    rows.map(|(n, word)| format!("{n} {word}")).collect::<Vec<_>>().join(", ")
}

/// `CONTINUE:2` or `STOP`, with its reason.
pub(crate) fn decision(decision: &Decision) -> String {
    let reason = inert::one_line(&decision.reason);
    match decision.next {
        Some(next) => format!("CONTINUE:{next} ({reason})"),
        None => format!("STOP ({reason})"),
    }
}

//! Sentences that text and Markdown share.

use crate::view::{
    Answer, Cycle, Decision, Dropped, KeptReply, Outcome, Snapshot, Usage, Validator, View,
};
use crate::{Totals, inert};

/// `1 finding`, `2 findings`.
pub(crate) fn count(n: usize, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

/// The counts that are not zero: `2 fixed, 1 open`.
pub(crate) fn listed(rows: &[(usize, &str)]) -> String {
    let rows = rows.iter().filter(|(n, _)| *n > 0);
    rows.map(|(n, word)| format!("{n} {word}")).collect::<Vec<_>>().join(", ")
}

/// Whether the run completed, as one word.
pub(crate) fn state(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Completed => "completed",
        Outcome::Failed { .. } => "did not complete: failed",
        Outcome::Paused { .. } => "did not complete: paused",
    }
}

/// What the run came to, in sentences; the first says the most.
pub(crate) fn result(view: &View) -> Vec<String> {
    let mut said = match &view.outcome {
        Outcome::Completed => vec![found(view)],
        Outcome::Failed { step, cycle, why } => {
            let cycle = cycle.map(|cycle| format!(" of cycle {cycle}")).unwrap_or_default();
            let step = inert::one_line(step);
            let mut said = vec![format!("Failed at step {step}{cycle}: {}", sentence(why))];
            said.extend(so_far(view));
            said
        }
        Outcome::Paused { why, .. } => {
            let mut said = vec![format!("Paused: {}", sentence(why))];
            said.extend(so_far(view));
            said
        }
    };
    said.extend(unanswered(view));
    said
}

/// A fragment with its full stop.
fn sentence(fragment: &str) -> String {
    let fragment = inert::one_line(fragment);
    format!("{}.", fragment.trim_end_matches('.'))
}

fn found(view: &View) -> String {
    let totals = Totals::of(&view.findings);
    let cycles = match view.cycles.len() {
        0 => String::new(),
        n => format!(" in {}", count(n, "cycle")),
    };
    if totals.findings == 0 {
        return match view.cycles.len() {
            0 => "All steps have run.".to_owned(),
            _ => format!("Nothing was found{cycles}."),
        };
    }
    let open = match totals.left_open {
        0 => "nothing is left open".to_owned(),
        1 => "1 is left open".to_owned(),
        n => format!("{n} are left open"),
    };
    let fates = listed(&totals.by_fate.rows());
    format!("{}{cycles}: {fates}; {open}.", count(totals.findings, "finding"))
}

/// An absence of findings proves nothing here, and is not put as if it did (D49).
fn so_far(view: &View) -> Vec<String> {
    let totals = Totals::of(&view.findings);
    if totals.findings == 0 {
        return vec!["Nothing can be concluded from this run.".to_owned()];
    }
    let fates = listed(&totals.by_fate.rows());
    vec![format!("Known when it ended: {} ({fates}).", count(totals.findings, "finding"))]
}

/// Silence is said at the top: it is no approval.
fn unanswered(view: &View) -> Vec<String> {
    let silent = view.cycles.iter().filter(|cycle| matches!(answered(cycle), Some((0, _))));
    silent
        .map(|cycle| {
            let answered = validators(cycle);
            format!("Cycle {}: {answered}; nothing was confirmed or rejected.", cycle.number)
        })
        .collect()
}

/// How many validators gave a ballot, of how many; `None` when no answer was awaited or read.
fn answered(cycle: &Cycle) -> Option<(usize, usize)> {
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

/// Whose reply it is, and where.
pub(crate) fn kept_reply(kept: &KeptReply) -> String {
    let (label, place) = (inert::one_line(&kept.label), inert::one_line(&kept.place));
    format!("cycle {}, {label}: {place}", kept.cycle)
}

/// What a snapshot holds, and where it lives.
pub(crate) fn snapshot(snapshot: &Snapshot) -> String {
    let (what, place) = (inert::one_line(&snapshot.what), inert::one_line(&snapshot.place));
    format!("{}: {what}: {place}", snapshot.number)
}

/// What the run cost, as far as it is known.
pub(crate) fn usage(usage: &Usage) -> String {
    let mut said = vec![
        duration(usage.wall),
        format!("{} call{}", usage.invocations, if usage.invocations == 1 { "" } else { "s" }),
    ];
    let tokens = |n: Option<u64>, what| n.map(|n| format!("{} tokens {what}", grouped(n)));
    said.extend(tokens(usage.input_tokens, "in"));
    said.extend(tokens(usage.output_tokens, "out"));
    said.extend(
        usage.cost_micros.map(|micros| {
            format!("${}.{:04}", grouped(micros / 1_000_000), micros % 1_000_000 / 100)
        }),
    );
    said.join(", ")
}

fn duration(millis: u64) -> String {
    let seconds = millis / 1000;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s}.{} s", millis % 1000 / 100),
        (0, m, s) => format!("{m} min {s} s"),
        (h, m, _) => format!("{h} h {m} min"),
    }
}

/// `1234567` as `1,234,567`.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_easily() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        let durations = [0, 1_950, 59_999, 60_000, 3_600_000].map(duration);
        assert_eq!(durations, ["0.0 s", "1.9 s", "59.9 s", "1 min 0 s", "1 h 0 min"]);
    }

    #[test]
    fn cost_is_given_where_it_is_known() {
        let known = Usage {
            invocations: 5,
            wall: 252_000,
            input_tokens: Some(120_431),
            output_tokens: Some(8_112),
            cost_micros: Some(1_420_050),
        };
        assert_eq!(
            usage(&known),
            "4 min 12 s, 5 calls, 120,431 tokens in, 8,112 tokens out, $1.4200"
        );
        assert_eq!(usage(&Usage { invocations: 1, ..Usage::default() }), "0.0 s, 1 call");
    }
}

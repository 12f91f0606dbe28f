//! What a run came to, in sentences.

use crate::proceedings::{self, answered};
use crate::view::{Outcome, Undone, View};
use crate::words::{count, listed};
use crate::{Totals, inert};

/// Whether the run completed, as one word.
pub(crate) fn state(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Completed => "completed",
        Outcome::Failed { .. } => "did not complete: failed",
        Outcome::Paused { .. } => "did not complete: paused",
    }
}

/// What the run came to, in sentences; the first says the most.
pub(crate) fn sentences(view: &View) -> Vec<String> {
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
    said.extend(view.undone.as_ref().map(undone));
    said
}

/// What it says of fixes no longer holds.
fn undone(undone: &Undone) -> String {
    let kept = inert::one_line(&undone.kept);
    if undone.complete {
        format!(
            "Undone since: the tree was put back to before the first write; what was there is kept as \
             {kept}."
        )
    } else {
        format!(
            "Its undoing broke off; the next one finishes it. What was there is kept as {kept}."
        )
    }
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
            let answered = proceedings::validators(cycle);
            format!("Cycle {}: {answered}; nothing was confirmed or rejected.", cycle.number)
        })
        .collect()
}

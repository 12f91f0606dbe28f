//! Counts finding after finding.

use tribunal_finding::{FindingId, Severity, Verdict};

use crate::rating::rate;
use crate::tally::{Confirmed, Entry, Ruling, Tally, Votes};
use crate::{Threshold, Vote};

/// A tally in the making.
pub(crate) struct Count {
    tally: Tally,
}

impl Count {
    pub(crate) fn new(cycle: u32, threshold: Threshold) -> Self {
        Self { tally: Tally { cycle, threshold, entries: Vec::new() } }
    }

    /// Adds a finding with at most one vote per validator.
    pub(crate) fn add<'a>(
        &mut self,
        id: FindingId,
        reported: Option<Severity>,
        cast: impl Iterator<Item = &'a Vote> + Clone,
    ) {
        let threshold = self.tally.threshold;
        let mut votes = Votes::default();
        for vote in cast.clone() {
            let side =
                if vote.word.is_yes() { &mut votes.confirmed } else { &mut votes.false_positive };
            *side += 1;
        }
        let yes = cast.clone().filter(|vote| vote.word.is_yes());
        let ruling = match verdict_of(votes, threshold) {
            Verdict::Confirmed => {
                let rating = rate(yes, reported, threshold);
                Ruling::Confirmed(Confirmed {
                    id: id.clone(),
                    final_severity: rating.lowest,
                    decision_severity: rating.agreed,
                })
            }
            Verdict::FalsePositive => Ruling::FalsePositive,
            Verdict::Unconfirmed => Ruling::Unconfirmed,
        };
        let side_holds = |vote: &&Vote| vote.word.is_yes() == (ruling != Ruling::FalsePositive);
        let reasoning = joined(cast.filter(side_holds));
        self.tally.entries.push(Entry { id, reported, votes, ruling, reasoning });
    }

    pub(crate) fn finish(self) -> Tally {
        self.tally
    }
}

/// What these votes come to; the rule that a tally read from a file is held against.
pub(crate) fn verdict_of(votes: Votes, threshold: Threshold) -> Verdict {
    if votes.confirmed >= threshold.agree() {
        Verdict::Confirmed
    } else if votes.false_positive > 0 {
        Verdict::FalsePositive
    } else {
        Verdict::Unconfirmed
    }
}

fn joined<'a>(votes: impl Iterator<Item = &'a Vote>) -> String {
    let reasons = votes.map(|vote| vote.reasoning.trim()).filter(|reason| !reason.is_empty());
    reasons.collect::<Vec<_>>().join("; ")
}

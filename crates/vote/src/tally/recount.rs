//! A tally from a file is counted again before anybody relies on it.

use std::collections::HashSet;

use tribunal_finding::{EntryProblem, FindingId, Severity, Verdict};

use crate::tally::count::verdict_of;
use crate::tally::wire::{EntryContract, TallyContract};
use crate::tally::{Confirmed, Entry, Ruling, Tally, Votes};
use crate::{Threshold, ThresholdError};

/// Why a text is refused as a tally.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TallyError {
    /// Not the contract's shape; holds the parser's reason and place.
    #[error("no tally: {0}")]
    NotATally(String),
    /// A threshold that cannot be.
    #[error("no tally: {0}")]
    Threshold(#[from] ThresholdError),
    /// The numbers contradict one another.
    #[error("the tally does not add up: {0}")]
    DoesNotAddUp(EntryProblem),
}

impl Tally {
    /// Reads a tally back, and counts again: verdicts, severities, counts and rate must be what the
    /// votes come to, and no finding may stand twice. Apart from [`merge`](crate::merge) this is the
    /// only way to a [`Confirmed`] (DESIGN §5).
    ///
    /// # Errors
    /// [`TallyError`], with the place of the first thing that does not add up.
    pub fn read(json: &str) -> Result<Self, TallyError> {
        let tally: TallyContract<'_> =
            serde_json::from_str(json).map_err(|error| TallyError::NotATally(error.to_string()))?;
        let threshold = Threshold::new(tally.threshold, tally.validators)?;
        if tally.cycle == 0 {
            return Err(does_not_add_up("/cycle", "cycles count from 1"));
        }
        let entries = recount_entries(tally.validated, threshold)?;
        let counted = Self { cycle: tally.cycle, threshold, entries };
        let same = |place, written: &str, counted: &str| {
            if written == counted {
                return Ok(());
            }
            let reason =
                format!("{} where the votes give {counted}", tribunal_finding::quote(written));
            Err(does_not_add_up(place, &reason))
        };
        let number = |count: usize| count.to_string();
        let (yes, no) = (counted.confirmed_count(), counted.false_positive_count());
        same("/confirmed_count", &number(tally.confirmed_count), &number(yes))?;
        same("/false_positive_count", &number(tally.false_positive_count), &number(no))?;
        let rate = counted.false_positive_rate();
        same("/false_positive_rate", &tally.false_positive_rate, &rate)?;
        Ok(counted)
    }
}

fn does_not_add_up(at: &str, reason: &str) -> TallyError {
    TallyError::DoesNotAddUp(EntryProblem { at: at.to_owned(), reason: reason.to_owned() })
}

fn recount_entries(
    written: Vec<EntryContract<'_>>,
    threshold: Threshold,
) -> Result<Vec<Entry>, TallyError> {
    let mut seen: HashSet<FindingId> = HashSet::with_capacity(written.len());
    let mut entries = Vec::with_capacity(written.len());
    for (index, entry) in written.into_iter().enumerate() {
        let refused = |(member, reason): (&str, &str)| {
            does_not_add_up(&format!("/validated/{index}/{member}"), reason)
        };
        if !seen.insert(entry.finding_id.as_ref().clone()) {
            return Err(refused(("finding_id", "the finding stands twice")));
        }
        entries.push(recount(entry, threshold).map_err(refused)?);
    }
    entries.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(entries)
}

/// The entry, or its member that does not fit the votes and why.
fn recount(
    entry: EntryContract<'_>,
    threshold: Threshold,
) -> Result<Entry, (&'static str, &'static str)> {
    let votes =
        Votes { confirmed: entry.votes.confirmed, false_positive: entry.votes.false_positive };
    let cast = votes.confirmed.checked_add(votes.false_positive);
    if cast.is_none_or(|cast| cast > threshold.validators()) {
        return Err(("votes", "more votes than validators"));
    }
    if verdict_of(votes, threshold) != entry.verdict {
        return Err(("verdict", "not what the votes give"));
    }
    let id = entry.finding_id.into_owned();
    let ruling = match (entry.verdict, entry.final_severity, entry.decision_severity) {
        (Verdict::Confirmed, Some(lowest), Some(agreed)) => {
            check_severities(lowest, agreed, entry.reported_severity, threshold)?;
            let id = id.clone();
            Ruling::Confirmed(Confirmed { id, final_severity: lowest, decision_severity: agreed })
        }
        (Verdict::Confirmed, None, _) => return Err(("final_severity", "confirmed without one")),
        (Verdict::Confirmed, _, None) => {
            return Err(("decision_severity", "confirmed without one"));
        }
        (Verdict::FalsePositive, None, None) => Ruling::FalsePositive,
        (Verdict::Unconfirmed, None, None) => Ruling::Unconfirmed,
        (Verdict::FalsePositive | Verdict::Unconfirmed, Some(_), _) => {
            return Err(("final_severity", "not confirmed, yet it has one"));
        }
        (Verdict::FalsePositive | Verdict::Unconfirmed, None, Some(_)) => {
            return Err(("decision_severity", "not confirmed, yet it has one"));
        }
    };
    let reasoning = entry.reasoning.into_owned();
    Ok(Entry { id, reported: entry.reported_severity, votes, ruling, reasoning })
}

/// What D8 says of any votes: the n-th lowest is not below the lowest, the first lowest is the
/// lowest, and nothing counts above SEEK's own.
fn check_severities(
    lowest: Severity,
    agreed: Severity,
    reported: Option<Severity>,
    threshold: Threshold,
) -> Result<(), (&'static str, &'static str)> {
    if reported.is_some_and(|reported| lowest > reported) {
        return Err(("final_severity", "above the reported one"));
    }
    if reported.is_some_and(|reported| agreed > reported) {
        return Err(("decision_severity", "above the reported one"));
    }
    if agreed < lowest || (threshold.agree() == 1 && agreed != lowest) {
        return Err(("decision_severity", "not one that these votes can give"));
    }
    Ok(())
}

//! Ballots in, tally out.

use std::fmt;

use tribunal_finding::{EntryProblem, Finding, FindingId, Mention, Severity, quote};

use crate::tally::Count;
use crate::{Ballot, Gate, Standing, Tally, Threshold, Vote};

/// A finding that SEEK reported; votes on anything else do not count (D9).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The finding's id.
    pub id: FindingId,
    /// As SEEK rated it; `None` where that was not handed on.
    pub severity: Option<Severity>,
}

impl From<&Finding> for Known {
    fn from(finding: &Finding) -> Self {
        Self { id: finding.id.clone(), severity: Some(finding.severity) }
    }
}

impl From<&Mention> for Known {
    fn from(mention: &Mention) -> Self {
        Self { id: mention.id.clone(), severity: mention.severity }
    }
}

/// A count, and what was left out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The count.
    pub tally: Tally,
    /// How many validators gave a usable ballot: "0 of 3 validators answered" (D10).
    pub answered: usize,
    /// What was not counted; validators without a ballot are told of by [`warning`](crate::warning).
    pub warnings: Vec<Warning>,
}

/// Something that did not count as a vote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// An entry of a ballot.
    Entry {
        /// The validator's position, from 1.
        position: usize,
        /// What does not fit.
        problem: EntryProblem,
    },
    /// Votes on an id that is not among the findings.
    UnknownFinding {
        /// The id voted on.
        id: FindingId,
        /// The positions, from 1, of those who did.
        positions: Vec<usize>,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry { position, problem } => write!(f, "validator v{position}: {problem}"),
            Self::UnknownFinding { id, positions } => {
                let id = quote(id.as_str());
                write!(f, "{id} is not among the audit's findings; not counted: the vote of")?;
                positions.iter().try_for_each(|position| write!(f, " v{position}"))
            }
        }
    }
}

/// Counts the ballots of one cycle (D6–D10; seed 000, merge-validations).
///
/// `standings` has one entry per validator, by position; one that is left out counts as silent.
/// With `known`, votes on other ids are left out and named, and a known finding that nobody voted on
/// is in the tally as unconfirmed. The tally is in the order of the ids.
///
/// # Errors
/// [`Gate`] when no validator has a usable ballot and at least one said something or failed; when
/// all were silent there is a tally, without a confirmed finding.
pub fn merge(
    cycle: u32,
    threshold: Threshold,
    known: Option<&[Known]>,
    standings: &[Standing],
) -> Result<Merged, Gate> {
    if let Some(gate) = Gate::of(standings) {
        return Err(gate);
    }
    let validators = u32::try_from(standings.len()).unwrap_or(u32::MAX);
    let mut count = Count::new(cycle, threshold.out_of_at_least(validators));
    let mut warnings = entry_warnings(standings);
    let cast = cast_votes(standings);
    let mut groups = cast.chunk_by(|a, b| a.vote.id == b.vote.id).peekable();
    if let Some(known) = known {
        for known in in_order(known) {
            while let Some(unknown) = groups.next_if(|group| group[0].vote.id < known.id) {
                warnings.push(unknown_finding(unknown));
            }
            let votes = groups.next_if(|group| group[0].vote.id == known.id).unwrap_or_default();
            count.add(known.id.clone(), known.severity, votes.iter().map(|cast| cast.vote));
        }
        warnings.extend(groups.map(unknown_finding));
    } else {
        for votes in groups {
            count.add(votes[0].vote.id.clone(), None, votes.iter().map(|cast| cast.vote));
        }
    }
    Ok(Merged { tally: count.finish(), answered: ballots(standings).count(), warnings })
}

/// A vote and the position of the validator that cast it.
struct Cast<'a> {
    position: usize,
    vote: &'a Vote,
}

/// The usable ballots, with position and problems.
fn ballots(standings: &[Standing]) -> impl Iterator<Item = (usize, &Ballot, &[EntryProblem])> {
    standings.iter().zip(1..).filter_map(|(standing, position)| match standing {
        Standing::Usable { ballot, problems } => Some((position, ballot, problems.as_slice())),
        Standing::Empty | Standing::Unparseable | Standing::NoBallot | Standing::Failed { .. } => {
            None
        }
    })
}

/// All votes by id, and within an id by position. Each ballot is in order already, and the stable
/// sort only merges those runs.
fn cast_votes(standings: &[Standing]) -> Vec<Cast<'_>> {
    let mut cast: Vec<Cast<'_>> = ballots(standings)
        .flat_map(|(position, ballot, _)| {
            ballot.votes().iter().map(move |vote| Cast { position, vote })
        })
        .collect();
    cast.sort_by(|a, b| a.vote.id.cmp(&b.vote.id));
    cast
}

/// The known findings by id, each once.
fn in_order(known: &[Known]) -> Vec<&Known> {
    let mut known: Vec<&Known> = known.iter().collect();
    known.sort_by(|a, b| a.id.cmp(&b.id));
    known.dedup_by(|later, earlier| later.id == earlier.id);
    known
}

fn entry_warnings(standings: &[Standing]) -> Vec<Warning> {
    ballots(standings)
        .flat_map(|(position, _, problems)| {
            let problems = problems.iter().cloned();
            problems.map(move |problem| Warning::Entry { position, problem })
        })
        .collect()
}

fn unknown_finding(votes: &[Cast<'_>]) -> Warning {
    Warning::UnknownFinding {
        id: votes[0].vote.id.clone(),
        positions: votes.iter().map(|cast| cast.position).collect(),
    }
}

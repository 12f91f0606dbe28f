//! What one validator said, finding by finding.

mod wire;

use tribunal_finding::{EntryProblem, FindingId, NoList, Severity, quote};

pub use self::wire::{ballot_schema, is_vote_entry};
use crate::Word;
use crate::ballot::wire::KEY;

/// One validator's vote on one finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vote {
    /// The finding voted on.
    pub id: FindingId,
    /// The verdict.
    pub word: Word,
    /// The severity named with a yes vote; a no vote has none.
    pub severity: Option<Severity>,
    /// Why, in the validator's words; may be blank.
    pub reasoning: String,
}

/// One validator's votes: at most one per finding (D6), in the order of their ids.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ballot {
    votes: Vec<Vote>,
}

/// An answer that is no ballot: it has no list `validated` (D10).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the answer holds no ballot: {0}")]
pub struct NoBallot(#[from] pub NoList);

impl Ballot {
    /// Reads a validator's JSON object (D6, D10).
    ///
    /// Usable as soon as `validated` is a list, even an empty one. An entry without an id, without
    /// one of the three words, or with a yes vote whose severity is none, is no vote and is named. A
    /// repeated vote counts once, with the lowest severity where several were given; a validator
    /// that gives one finding two different words has no vote on it. All of that is named in the
    /// problems, which have the path of the entry.
    ///
    /// # Errors
    /// [`NoBallot`] when there is no list `validated`.
    pub fn read(json: &str) -> Result<(Self, Vec<EntryProblem>), NoBallot> {
        let mut problems = Vec::new();
        let mut cast = Vec::new();
        for (index, raw) in tribunal_finding::list_entries(json, KEY)?.into_iter().enumerate() {
            match wire::vote(raw, index, &mut problems) {
                Ok(vote) => cast.push(Cast { index, vote }),
                Err(problem) => problems.push(problem),
            }
        }
        let votes = one_per_finding(cast, &mut problems);
        Ok((Self { votes }, problems))
    }

    /// The votes, in the order of their ids.
    pub fn votes(&self) -> &[Vote] {
        &self.votes
    }
}

struct Cast {
    index: usize,
    vote: Vote,
}

/// Sorting is stable and most ballots follow SEEK's order, so this is close to one pass.
fn one_per_finding(mut cast: Vec<Cast>, problems: &mut Vec<EntryProblem>) -> Vec<Vote> {
    cast.sort_by(|a, b| a.vote.id.cmp(&b.vote.id));
    let mut votes: Vec<Vote> = Vec::with_capacity(cast.len());
    let mut contradicted = false;
    for Cast { index, vote } in cast {
        let earlier = votes.last_mut().filter(|earlier| earlier.id == vote.id);
        let Some(earlier) = earlier else {
            drop_if(&mut votes, contradicted);
            contradicted = false;
            votes.push(vote);
            continue;
        };
        let id = quote(vote.id.as_str());
        let reason = if earlier.word != vote.word {
            contradicted = true;
            format!("{} after {} on {id}; no vote on it counts", vote.word, earlier.word)
        } else if earlier.severity != vote.severity {
            earlier.severity = lowest(earlier.severity, vote.severity);
            format!("{id} is voted on twice with different severities; the lowest counts")
        } else {
            format!("{id} is voted on twice; it counts once")
        };
        problems.push(EntryProblem { at: wire::path(index), reason });
    }
    drop_if(&mut votes, contradicted);
    votes
}

fn drop_if(votes: &mut Vec<Vote>, contradicted: bool) {
    if contradicted {
        votes.pop();
    }
}

fn lowest(left: Option<Severity>, right: Option<Severity>) -> Option<Severity> {
    left.into_iter().chain(right).min()
}

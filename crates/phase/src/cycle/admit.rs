//! Which fact leads where: the decision table of a cycle.

use std::collections::BTreeSet;

use super::Decision;
use super::state::{Found, Judged, Progress, State, Tallied};
use crate::{Fact, Rated, Refusal};

impl State {
    /// Takes one fact.
    ///
    /// A cycle without findings needs no ballots, so there a tally may follow at once (D20).
    ///
    /// # Errors
    /// A [`Refusal`] when the fact does not fit; the state is then unchanged.
    pub fn admit(&self, fact: &Fact) -> Result<Self, Refusal> {
        match self.progress.clone().take(fact.clone()) {
            Some(progress) => Ok(Self { cycle: self.cycle, progress }),
            None => Err(self.station().refuse(fact.kind())),
        }
    }
}

impl Progress {
    #[expect(clippy::too_many_lines, reason = "one decision table, row by row")]
    fn take(self, fact: Fact) -> Option<Self> {
        Some(match (self, fact) {
            (Progress::Open, Fact::Found { sought, carried }) => {
                Progress::Found(Found { sought, carried })
            }
            (Progress::Found(found), Fact::Balloted { validator, ballot }) => {
                Progress::Balloting(found, vec![(validator, ballot)])
            }
            (Progress::Balloting(found, mut ballots), Fact::Balloted { validator, ballot }) => {
                if ballots.iter().any(|(earlier, _)| *earlier == validator) {
                    return None;
                }
                ballots.push((validator, ballot));
                Progress::Balloting(found, ballots)
            }
            (Progress::Found(found), Fact::Tallied { confirmed })
                if found.sought.is_empty() && confirmed.is_empty() =>
            {
                Progress::Tallied(Tallied::new(found, confirmed))
            }
            (Progress::Balloting(found, _), Fact::Tallied { confirmed }) => {
                let known: BTreeSet<_> = found.sought.iter().map(|sought| &sought.id).collect();
                if !confirmed.iter().all(|rated: &Rated| known.contains(&rated.id)) {
                    return None;
                }
                Progress::Tallied(Tallied::new(found, confirmed))
            }
            (
                Progress::Tallied(tallied) | Progress::Judged(tallied, _),
                Fact::Snapped(snapshot),
            ) => Progress::Secured(tallied.secured(snapshot), snapshot),
            (Progress::Secured(tallied, _), Fact::FixerLaunched { turn }) => {
                Progress::Fixing(tallied.fixing(turn))
            }
            (Progress::Fixing(tallied), Fact::Reported { .. }) => Progress::Reported(tallied),
            (
                Progress::Tallied(tallied)
                | Progress::Reported(tallied)
                | Progress::Judged(tallied, _),
                Fact::Judged { fixed, skipped, unaccounted, passed },
            ) => Progress::Judged(tallied, Judged::Verdict { fixed, skipped, unaccounted, passed }),
            (Progress::Tallied(tallied) | Progress::Judged(tallied, _), Fact::NotAsked) => {
                Progress::Judged(tallied, Judged::NotAsked)
            }
            (Progress::Judged(tallied, judged), Fact::Chronicled) => {
                Progress::Chronicled(tallied, judged)
            }
            (
                Progress::Judged(tallied, judged) | Progress::Chronicled(tallied, judged),
                Fact::Decided(decision),
            ) => Progress::Decided(tallied, judged, decision),
            (
                Progress::Decided(tallied, judged, decision @ Decision::Continue { .. }),
                Fact::FramePushed(_),
            ) => Progress::Passed(tallied, judged, decision),
            // Two closed enums: what no row above takes is out of order, by name of the station.
            (
                Progress::Open
                | Progress::Found(_)
                | Progress::Balloting(..)
                | Progress::Tallied(_)
                | Progress::Secured(..)
                | Progress::Fixing(_)
                | Progress::Reported(_)
                | Progress::Judged(..)
                | Progress::Chronicled(..)
                | Progress::Decided(..)
                | Progress::Passed(..),
                Fact::Found { .. }
                | Fact::Balloted { .. }
                | Fact::Tallied { .. }
                | Fact::Snapped(_)
                | Fact::FixerLaunched { .. }
                | Fact::Reported { .. }
                | Fact::Judged { .. }
                | Fact::NotAsked
                | Fact::Chronicled
                | Fact::Decided(_)
                | Fact::FramePushed(_)
                | Fact::Goal(_),
            ) => return None,
        })
    }
}

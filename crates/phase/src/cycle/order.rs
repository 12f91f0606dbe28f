//! Which kind of fact may follow which: enough to check a recipe before anything runs.

use std::fmt;

use crate::{FactKind, Refusal};

/// How far a cycle has come, without what it knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Station {
    /// Nothing is known yet.
    Open,
    /// Findings are known.
    Found,
    /// At least one validator has answered.
    Balloting,
    /// The votes are counted.
    Tallied,
    /// The tree is snapshotted for a fix.
    Secured,
    /// The fixer is at work.
    Fixing,
    /// The fixer's report is known.
    Reported,
    /// Claims are judged.
    Judged,
    /// The history is written.
    Chronicled,
    /// It is decided whether another cycle is due.
    Decided,
    /// The next cycle lies on this one.
    Passed,
}

impl Station {
    /// The facts that may come next.
    pub fn expected(self) -> &'static [FactKind] {
        match self {
            Self::Open => &[FactKind::Found],
            Self::Found => &[FactKind::Balloted],
            Self::Balloting => &[FactKind::Balloted, FactKind::Tallied],
            Self::Tallied => &[FactKind::Snapped, FactKind::Judged],
            Self::Secured => &[FactKind::FixerLaunched],
            Self::Fixing => &[FactKind::Reported],
            Self::Reported => &[FactKind::Judged],
            // Judged again: a turn whose fix had nothing to do.
            Self::Judged => {
                &[FactKind::Snapped, FactKind::Judged, FactKind::Chronicled, FactKind::Decided]
            }
            Self::Chronicled => &[FactKind::Decided],
            Self::Decided => &[FactKind::FramePushed],
            Self::Passed => &[],
        }
    }

    /// The refusal of a fact that does not fit here.
    pub(crate) fn refuse(self, fact: FactKind) -> Refusal {
        Refusal {
            got: fact.to_string(),
            place: self.to_string(),
            expected: self.expected().iter().map(ToString::to_string).collect(),
        }
    }
}

impl fmt::Display for Station {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "a cycle without findings yet",
            Self::Found => "a cycle whose findings nobody has voted on",
            Self::Balloting => "a cycle in its vote",
            Self::Tallied => "a cycle whose votes are counted",
            Self::Secured => "a cycle that is about to fix",
            Self::Fixing => "a cycle whose fixer is at work",
            Self::Reported => "a cycle whose fixes are not judged",
            Self::Judged => "a judged cycle",
            Self::Chronicled => "a cycle written into the history",
            Self::Decided => "a decided cycle",
            Self::Passed => "a cycle that the next one lies on",
        })
    }
}

/// Where a cycle stands after a fact of this kind.
///
/// # Errors
/// A [`Refusal`] that names the steps expected instead.
pub fn follow(station: Station, fact: FactKind) -> Result<Station, Refusal> {
    if !station.expected().contains(&fact) {
        return Err(station.refuse(fact));
    }
    Ok(match fact {
        FactKind::Found => Station::Found,
        FactKind::Balloted => Station::Balloting,
        FactKind::Tallied => Station::Tallied,
        FactKind::Snapped => Station::Secured,
        FactKind::FixerLaunched => Station::Fixing,
        FactKind::Reported => Station::Reported,
        FactKind::Judged => Station::Judged,
        FactKind::Chronicled => Station::Chronicled,
        FactKind::Decided => Station::Decided,
        FactKind::FramePushed => Station::Passed,
        // No station expects it.
        FactKind::Goal => return Err(station.refuse(fact)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(facts: &[FactKind], refused: Option<FactKind>) {
        let mut station = Station::Open;
        for fact in facts {
            match follow(station, *fact) {
                Ok(next) => station = next,
                Err(refusal) => {
                    assert_eq!(refused, Some(*fact), "{refusal}");
                    return;
                }
            }
        }
        assert_eq!(refused, None, "all of {facts:?} were taken");
    }

    #[test]
    fn the_order_of_the_seed_is_taken_and_short_cuts_are_refused() {
        use FactKind::{
            Balloted, Chronicled, Decided, FixerLaunched, Found, FramePushed, Judged, Reported,
            Snapped, Tallied,
        };
        check(
            &[
                Found,
                Balloted,
                Balloted,
                Balloted,
                Tallied,
                Snapped,
                FixerLaunched,
                Reported,
                Judged,
                Snapped,
                FixerLaunched,
                Reported,
                Judged,
                Chronicled,
                Decided,
                FramePushed,
            ],
            None,
        );
        check(&[Found, Tallied], Some(Tallied));
        check(&[Found, Snapped], Some(Snapped));
        check(&[Found, Balloted, Snapped], Some(Snapped));
        check(&[Found, Balloted, Tallied, FixerLaunched], Some(FixerLaunched));
        check(&[Found, Balloted, Tallied, Decided], Some(Decided));
        check(&[Found, Balloted, Tallied, Judged, FramePushed], Some(FramePushed));
    }

    #[test]
    fn a_refusal_names_the_step_that_was_expected() {
        let refusal = follow(Station::Found, FactKind::Snapped).expect_err("out of order");
        assert_eq!(
            refusal.to_string(),
            "the snapshot before a fix does not fit a cycle whose findings nobody has voted on; \
             expected validate-agent (agent: validator)"
        );
    }
}

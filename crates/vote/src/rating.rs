//! The severity of a confirmed finding, out of what its yes votes named (D8).

use tribunal_finding::Severity;

use crate::{Threshold, Vote};

/// Where neither the validator nor SEEK named one.
const UNNAMED: Severity = Severity::Medium;

/// The two severities of a confirmed finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rating {
    /// The lowest among the yes votes.
    pub(crate) lowest: Severity,
    /// The threshold-th lowest among them, so that one lenient voice does not end the loop.
    pub(crate) agreed: Severity,
}

/// Rates a confirmed finding: `yes` are its yes votes, at least as many as the threshold asks for.
pub(crate) fn rate<'a>(
    yes: impl Iterator<Item = &'a Vote>,
    reported: Option<Severity>,
    threshold: Threshold,
) -> Rating {
    let mut named: Vec<Severity> = yes.map(|vote| counted(vote.severity, reported)).collect();
    named.sort_unstable();
    let lowest = named.first().copied().unwrap_or(UNNAMED);
    let nth = threshold.agree() as usize - 1;
    Rating { lowest, agreed: named.get(nth).copied().unwrap_or(lowest) }
}

/// What a yes vote counts as: a validator can lower SEEK's severity, never raise it.
fn counted(named: Option<Severity>, reported: Option<Severity>) -> Severity {
    match (named, reported) {
        (Some(named), Some(reported)) => named.min(reported),
        (Some(named), None) => named,
        (None, reported) => reported.unwrap_or(UNNAMED),
    }
}

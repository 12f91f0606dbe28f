//! One fix: taken back alone, and where that does not build, with what it needs.

use std::collections::BTreeSet;

use tribunal_check::{Revert, revert};
use tribunal_record::CheckedTree;
use tribunal_report::{FindingProof, ProofVerdict};
use tribunal_verify::{Piece, RepoPath, Share};

use super::{Due, Proof};
use crate::mended::Mended;

impl Proof<'_> {
    /// The next tree that a finding needs.
    pub(super) fn due_of(&self, cycle: &Mended, share: &Share) -> Option<Due> {
        let due = |tree| Some(Due { cycle: cycle.cycle, tree });
        match self.reverted(cycle, &without(share)) {
            None => due(without(share)),
            Some(Revert::Unclear(_)) if can_widen(share) => {
                match self.reverted(cycle, &widened(share)) {
                    None => due(widened(share)),
                    Some(_) => None,
                }
            }
            Some(Revert::Unclear(_) | Revert::Fails(_) | Revert::Unnoticed) => None,
        }
    }

    /// What a check without a fix says.
    fn reverted(&self, cycle: &Mended, tree: &CheckedTree) -> Option<Revert> {
        let without = self.reading(cycle.cycle, tree)?;
        let (_, after) = self.around(cycle.cycle)?;
        Some(revert(&self.mended(cycle.cycle), after, &without.reading))
    }

    /// The record of one fix.
    pub(super) fn finding(&self, cycle: &Mended, share: &Share) -> FindingProof {
        let alone = self.reverted(cycle, &without(share));
        let wider = self.reverted(cycle, &widened(share));
        let together = wider.is_some();
        let wider = wider.map(|revert| self.less_others(cycle, share, revert));
        let (fails_when_reverted, verdict) = match wider.or(alone) {
            None => (Vec::new(), ProofVerdict::NotTried { why: self.why_not(cycle) }),
            Some(Revert::Fails(units)) => (units, ProofVerdict::Proven),
            Some(Revert::Unnoticed) => (Vec::new(), ProofVerdict::Unnoticed),
            Some(Revert::Unclear(units)) => (Vec::new(), ProofVerdict::Indeterminate { units }),
        };
        FindingProof {
            finding_id: share.finding_id.clone(),
            hunks: share.own.iter().flat_map(places).collect(),
            together,
            fails_when_reverted,
            verdict,
        }
    }

    /// Where other fixes were reverted too: what fails without one of them alone is theirs.
    fn less_others(&self, cycle: &Mended, share: &Share, revert: Revert) -> Revert {
        let Revert::Fails(mut units) = revert else { return revert };
        for other in cycle.shares.iter().filter(|other| other.finding_id != share.finding_id) {
            if let Some(Revert::Fails(theirs)) = self.reverted(cycle, &without(other)) {
                units.retain(|unit| !theirs.contains(unit));
            }
        }
        if units.is_empty() { Revert::Unclear(units) } else { Revert::Fails(units) }
    }

    fn why_not(&self, cycle: &Mended) -> String {
        if self.around(cycle.cycle).is_none() {
            "the check has not run before and after".to_owned()
        } else if self.mended(cycle.cycle).is_empty() {
            "nothing that the check looks at failed before and passes after".to_owned()
        } else {
            format!("the limit of {} reverts is reached", self.options.prove_limit)
        }
    }
}

fn without(share: &Share) -> CheckedTree {
    CheckedTree::Without { finding: share.finding_id.to_string() }
}

fn widened(share: &Share) -> CheckedTree {
    CheckedTree::WithoutShared { finding: share.finding_id.to_string() }
}

/// Whether there is more in its files than its own hunks.
fn can_widen(share: &Share) -> bool {
    share.own.iter().any(|piece| piece.hunks.is_some())
}

/// All that changed in the files of a fix.
pub(super) fn whole_files(share: &Share) -> Vec<Piece> {
    let pieces = share.own.iter().chain(&share.shared);
    let paths: BTreeSet<&RepoPath> = pieces.map(|piece| &piece.path).collect();
    paths.into_iter().map(|path| Piece { path: path.clone(), hunks: None }).collect()
}

/// `src/a.rs` or, for parts of it, `src/a.rs:3` and `src/a.rs:10-12`: lines after the fix.
fn places(piece: &Piece) -> Vec<String> {
    let Some(hunks) = &piece.hunks else { return vec![piece.path.to_string()] };
    let place = |hunk: &tribunal_verify::Hunk| {
        let (first, count) = (hunk.after.start.max(1), hunk.after.count);
        let last = first + count.saturating_sub(1);
        let end = if last > first { format!("-{last}") } else { String::new() };
        format!("{}:{first}{end}", piece.path)
    };
    hunks.iter().map(place).collect()
}

//! What a run changed, as a patch.

use std::collections::BTreeSet;

use tribunal_finding::FindingId;
use tribunal_report::RunDiff;
use tribunal_verify::{Piece, RepoPath, Share};

use crate::definition::Loaded;
use crate::error::RunError;
use crate::fold::{Strictness, fold};
use crate::mended::{Mended, mended};
use crate::native::AddedSteps;
use crate::prepare::{state_dir, tree};
use crate::review_loop::is_no_loop;
use crate::runs::definition;
use crate::saying::listed;
use crate::surroundings::Surroundings;
use crate::trail::Trail;
use crate::tree::Tree;

/// Gives what a run changed, between its first write and its last, or the fix of one finding alone.
///
/// Read from its snapshots: what became of the tree since makes no difference. `git apply -R` takes
/// it back. The run may be at work; what it does just now is in no snapshot, and a note says so.
///
/// # Errors
/// No such run, no such finding in it, or a repository that cannot be asked.
pub fn diff(
    prefix: &str,
    finding: Option<&str>,
    surroundings: &Surroundings,
) -> Result<RunDiff, RunError> {
    let state_dir = state_dir(surroundings)?;
    let id = state_dir.resolve(prefix)?;
    let past = state_dir.read(&id)?;
    is_no_loop(past.records(), &past, &id)?;
    let loaded = Loaded::new(definition(past.records(), &past, &id)?, AddedSteps::default())?;
    let tree = tree(&loaded, &id, surroundings)?;
    let trail = Trail::of(past.records(), &loaded.plan);
    let mut diff = RunDiff {
        run: id.to_string(),
        finding: None,
        paths: Vec::new(),
        patch: Vec::new(),
        notes: notes(&tree, &trail)?,
    };
    let Some(finding) = finding else {
        if let (Some(first), Some(last)) = (trail.writes.first(), trail.writes.last()) {
            (diff.paths, diff.patch) = tree.patch(first.before, last.left, &trail.trees)?;
        }
        return Ok(diff);
    };
    let run = id.as_str();
    let folded = fold(&loaded, past.records(), &past, Some(&tree), Strictness::Show, run)?;
    let cycles = mended(&loaded, &folded.memory, &trail);
    let finding = named(finding, &cycles)?;
    // It is fixed once; what came of it before that was no fix.
    let fix = cycles.iter().rev().find_map(|cycle| {
        let share = cycle.shares.iter().find(|share| share.finding_id == finding)?;
        Some((cycle, share))
    });
    match fix {
        Some((cycle, share)) => {
            (diff.paths, diff.patch) =
                tree.patch_of(cycle.before, cycle.after, &share.own, &trail.trees)?;
            diff.notes.extend(shared_note(share));
        }
        None => diff.notes.extend(why_not(&finding, &cycles)),
    }
    diff.finding = Some(finding);
    Ok(diff)
}

/// What is not in the patch of a run, and what in it is not the run's.
fn notes(tree: &Tree, trail: &Trail) -> Result<Vec<String>, RunError> {
    let mut notes = Vec::new();
    if let Some(write) = trail.writes.last().filter(|write| write.at_work) {
        notes.push(format!("{} has not ended: what it did is not in the diff", write.call));
    }
    let mut between = BTreeSet::new();
    for (left, found) in trail.gaps() {
        let edits = tree.later_edits(left, left, found, &trail.trees)?;
        between.extend(edits.paths.iter().map(RepoPath::to_string));
    }
    if !between.is_empty() {
        let paths: Vec<String> = between.into_iter().collect();
        notes.push(format!("changed between two fixes, not by the run: {}", listed(&paths)));
    }
    Ok(notes)
}

fn named(text: &str, cycles: &[Mended]) -> Result<FindingId, RunError> {
    let judged = cycles.iter().flat_map(|cycle| &cycle.judgement.findings);
    let known: BTreeSet<&FindingId> = judged.map(|judged| &judged.finding_id).collect();
    match FindingId::new(text).filter(|id| known.contains(id)) {
        Some(id) => Ok(id),
        None => Err(RunError::NoSuchFinding {
            finding: text.to_owned(),
            known: known.into_iter().map(ToString::to_string).collect(),
        }),
    }
}

fn shared_note(share: &Share) -> Option<String> {
    let hunks = |piece: &Piece| piece.hunks.as_ref().map_or(1, Vec::len);
    let more: usize = share.shared.iter().map(hunks).sum();
    let paths: Vec<String> = share.shared.iter().map(|piece| piece.path.to_string()).collect();
    (more > 0).then(|| {
        format!(
            "{} of {} belong to no finding alone and are not in the diff",
            places(more),
            listed(&paths)
        )
    })
}

fn places(n: usize) -> String {
    format!("{n} more changed place{}", if n == 1 { "" } else { "s" })
}

fn why_not(finding: &FindingId, cycles: &[Mended]) -> Option<String> {
    let judged = cycles.iter().rev().flat_map(|cycle| &cycle.judgement.findings);
    let judged = judged.into_iter().find(|judged| judged.finding_id == *finding)?;
    Some(format!("{finding} is not fixed: {}", judged.reason))
}

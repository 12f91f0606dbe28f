//! Snapshot and verification alone.

use std::path::{Path, PathBuf};

use tribunal_verdict::{Wanted, extract};
use tribunal_verify::{Demand, FixReport, Judgement, Owed, Proof, is_fix_entry, judge};
use tribunal_worktree::{Excluded, Limits, SnapshotName, Worktree};

use super::{in_folder, read, tally};
use crate::error::RunError;
use crate::surroundings::Surroundings;

/// Takes a snapshot that belongs to no run and gives its id.
///
/// # Errors
/// The repository cannot be used.
pub fn take_snapshot(repo: &Path, surroundings: &Surroundings) -> Result<String, RunError> {
    let worktree = Worktree::open(&in_folder(surroundings, repo))?;
    let id = uuid::Uuid::now_v7().simple().to_string();
    worktree.snapshot(&SnapshotName::single(&id)?, &excluded(surroundings), &Limits::default())?;
    Ok(id)
}

/// What is verified.
#[derive(Debug, Clone)]
pub struct VerifyRequest {
    /// The repository.
    pub repo: PathBuf,
    /// The snapshot from before the fix.
    pub before: String,
    /// The tally.
    pub tally: PathBuf,
    /// The fixer's raw answer.
    pub report: PathBuf,
    /// Whether every confirmed finding must be accounted for.
    pub fix_all: bool,
}

/// Verifies fixes against the tree as it is now (D12–D15).
///
/// A repository that cannot be asked is a failed verification with git's message, never "dirty".
///
/// # Errors
/// The tally or the report cannot be read, or the tally does not add up.
pub fn verify_fixes(
    request: &VerifyRequest,
    surroundings: &Surroundings,
) -> Result<Judgement, RunError> {
    let tally = tally(&in_folder(surroundings, &request.tally))?;
    let raw = read(&in_folder(surroundings, &request.report))?;
    let extraction = extract(&raw, &Wanted { key: "fixes_applied", entry: is_fix_entry });
    let repo = in_folder(surroundings, &request.repo);
    let report =
        extraction.json().and_then(|json| FixReport::read(json).ok()).map(|(report, _)| {
            let root = repo.canonicalize().unwrap_or_else(|_| repo.clone());
            report.relative_to(&root.to_string_lossy())
        });
    let owed = tally.confirmed().map(|confirmed| Owed { id: confirmed.id().clone(), place: None });
    let demand = Demand { owed: owed.collect(), fix_all: request.fix_all };
    let proof = match evidence(&repo, &request.before, surroundings) {
        Ok(evidence) => Proof::Evidence(evidence),
        Err(error) => Proof::Unasked { why: error.to_string() },
    };
    Ok(judge(&demand, report.as_ref(), &proof))
}

fn evidence(
    repo: &Path,
    before: &str,
    surroundings: &Surroundings,
) -> Result<tribunal_verify::Evidence, RunError> {
    let worktree = Worktree::open(repo)?;
    let before = worktree.load(&SnapshotName::single(before)?)?;
    let now = SnapshotName::single(&uuid::Uuid::now_v7().simple().to_string())?;
    let after = worktree.snapshot(&now, &excluded(surroundings), &Limits::default())?;
    Ok(worktree.evidence(&before, &after)?)
}

fn excluded(surroundings: &Surroundings) -> Excluded {
    Excluded { paths: vec![surroundings.state_dir.clone()] }
}

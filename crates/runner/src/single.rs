//! Each rule alone: extraction, vote, snapshot, verification, decision.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::value::RawValue;
use tribunal_finding::{is_finding_entry, read_mentions};
use tribunal_journal::Output;
use tribunal_phase::cycle::{Counts, Decision, Policy, decide_on};
use tribunal_verdict::{Class, Extraction, Wanted, extract};
use tribunal_verify::{Demand, FixReport, Judgement, Owed, Proof, is_fix_entry, judge};
use tribunal_vote::{
    Known, Standing, Tally, Threshold, fatal, is_vote_entry, merge, note, warning,
};
use tribunal_worktree::{Excluded, Limits, SnapshotName, Worktree};

use crate::error::RunError;
use crate::surroundings::Surroundings;

/// What extraction found, as the command prints it.
#[derive(Debug, Serialize)]
pub struct Extracted {
    /// PARSED, EMPTY or UNPARSEABLE.
    pub class: Class,
    /// The tier that succeeded, 1 to 3.
    pub tier: Option<u8>,
    /// The object, as it was written.
    pub json: Option<Box<RawValue>>,
    /// What is worth knowing about it.
    pub notes: Vec<String>,
}

/// Extracts the object with `key`; entries of the keys of DESIGN §5 must be well-formed to be
/// preferred (D1).
pub fn extract_verdict(raw: &[u8], key: &str) -> Extracted {
    let entry = match key {
        "validated" => is_vote_entry,
        "findings" => is_finding_entry,
        "fixes_applied" => is_fix_entry,
        _ => Wanted::any_entry(key).entry,
    };
    let extraction = extract(raw, &Wanted { key, entry });
    Extracted {
        class: extraction.class(),
        tier: extraction.tier().map(tribunal_verdict::Tier::number),
        json: extraction.json().and_then(|json| RawValue::from_string(json.to_owned()).ok()),
        notes: extraction.notes.iter().map(ToString::to_string).collect(),
    }
}

/// What is merged.
#[derive(Debug, Clone)]
pub struct MergeRequest {
    /// How many must agree.
    pub threshold: u32,
    /// The cycle, for the tally and the artifacts.
    pub cycle: u32,
    /// The audit's findings, when they are known.
    pub findings: Option<PathBuf>,
    /// Where raw outputs are kept, relative to the current directory.
    pub output_dir: String,
    /// The validators' raw outputs, by position.
    pub ballots: Vec<PathBuf>,
}

/// What a merge came to.
#[derive(Debug)]
pub enum MergeResult {
    /// A tally.
    Tally(Box<Tally>),
    /// The gate is shut: nothing can be merged (D10).
    Fatal(String),
}

/// Merges raw outputs of validators; warnings go to `warn`, one line each (D11).
///
/// # Errors
/// A file cannot be read, the threshold cannot be reached, an artifact cannot be kept.
pub fn merge_votes(
    request: &MergeRequest,
    surroundings: &Surroundings,
    warn: &mut dyn FnMut(String),
) -> Result<MergeResult, RunError> {
    let validators = u32::try_from(request.ballots.len()).unwrap_or(u32::MAX);
    let threshold = Threshold::new(request.threshold, validators)
        .map_err(|error| input("--threshold", error.to_string()))?;
    let known = match &request.findings {
        Some(path) => Some(known(&in_folder(surroundings, path))?),
        None => None,
    };
    let folder = &surroundings.current_dir;
    let mut output = Output::new(&request.output_dir, folder, &surroundings.temp_dir);
    let mut standings = Vec::new();
    let mut kept = Vec::new();
    for (index, path) in request.ballots.iter().enumerate() {
        let bytes = read(&in_folder(surroundings, path))?;
        let standing =
            Standing::of(&extract(&bytes, &Wanted { key: "validated", entry: is_vote_entry }));
        let position = index + 1;
        if standing.is_unreadable() {
            let label = u8::try_from(position).unwrap_or(u8::MAX);
            let place = output.keep_raw(request.cycle, label, &bytes)?.printed;
            if let Some(text) = warning(position, &standing, &place) {
                warn(text);
            }
            kept.push((position, place));
        }
        standings.push(standing);
    }
    match merge(request.cycle, threshold, known.as_deref(), &standings) {
        Ok(merged) => {
            merged.warnings.iter().for_each(|warning| warn(note(warning)));
            Ok(MergeResult::Tally(Box::new(merged.tally)))
        }
        Err(_) => {
            let kept: Vec<_> = kept.iter().map(|(n, place)| (*n, place.as_str())).collect();
            Ok(MergeResult::Fatal(fatal(&kept)))
        }
    }
}

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
    let extraction: Extraction =
        extract(&raw, &Wanted { key: "fixes_applied", entry: is_fix_entry });
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

/// Decides whether another cycle is due after a tally; every confirmed finding counts as new (D17).
///
/// # Errors
/// The tally cannot be read or does not add up.
pub fn decide_cycle(
    cycle: u32,
    policy: Policy,
    tally_file: &Path,
    unaccounted: u32,
    surroundings: &Surroundings,
) -> Result<Decision, RunError> {
    let tally = tally(&in_folder(surroundings, tally_file))?;
    let severities = tally.confirmed().map(tribunal_vote::Confirmed::decision_severity);
    Ok(decide_on(cycle, Counts::of(severities, unaccounted), policy))
}

fn known(path: &Path) -> Result<Vec<Known>, RunError> {
    let text = text(path)?;
    let (mentions, _) = read_mentions(&text)
        .map_err(|error| input(&path.display().to_string(), error.to_string()))?;
    Ok(mentions.iter().map(Known::from).collect())
}

fn tally(path: &Path) -> Result<Tally, RunError> {
    Tally::read(&text(path)?).map_err(|error| input(&path.display().to_string(), error.to_string()))
}

fn in_folder(surroundings: &Surroundings, path: &Path) -> PathBuf {
    surroundings.current_dir.join(path)
}

fn read(path: &Path) -> Result<Vec<u8>, RunError> {
    std::fs::read(path).map_err(|error| input(&path.display().to_string(), error.to_string()))
}

fn text(path: &Path) -> Result<String, RunError> {
    String::from_utf8(read(path)?)
        .map_err(|error| input(&path.display().to_string(), error.to_string()))
}

fn input(place: &str, why: String) -> RunError {
    RunError::Input { place: place.to_owned(), why }
}

//! Each rule alone: extraction, vote, snapshot, verification, decision.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::value::RawValue;
use tribunal_finding::is_finding_entry;
use tribunal_phase::cycle::{Counts, Decision, Policy, decide_on};
use tribunal_verdict::{Class, Wanted, extract};
use tribunal_verify::is_fix_entry;
use tribunal_vote::{Tally, is_vote_entry};

use crate::error::RunError;
use crate::surroundings::Surroundings;

mod fixes;
mod merge;

pub use fixes::{VerifyRequest, take_snapshot, verify_fixes};
pub use merge::{MergeRequest, MergeResult, merge_votes};

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

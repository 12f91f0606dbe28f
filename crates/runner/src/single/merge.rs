//! The vote alone.

use std::path::{Path, PathBuf};

use tribunal_finding::read_mentions;
use tribunal_journal::Output;
use tribunal_verdict::{Wanted, extract};
use tribunal_vote::{
    Known, Standing, Tally, Threshold, fatal, is_vote_entry, merge, note, warning,
};

use super::{in_folder, input, read, text};
use crate::error::RunError;
use crate::surroundings::Surroundings;

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

fn known(path: &Path) -> Result<Vec<Known>, RunError> {
    let text = text(path)?;
    let (mentions, _) = read_mentions(&text)
        .map_err(|error| input(&path.display().to_string(), error.to_string()))?;
    Ok(mentions.iter().map(Known::from).collect())
}

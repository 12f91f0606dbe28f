//! The findings contract as JSON: written, described, and read entry by entry.

mod contract;
mod entry;

use serde_json::value::RawValue;

pub use self::contract::findings_schema;
use self::entry::{finding, mention};
use crate::fresh::TakenIds;
use crate::list::{NoList, list_entries};
use crate::quote::quote;
use crate::{EntryProblem, Finding, FindingId, Mention};

const KEY: &str = "findings";

/// An answer in which no findings can be looked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the answer holds no findings: {0}")]
pub struct NotFindings(#[from] pub NoList);

/// Reads what SEEK answered (DESIGN §5, contract `findings`).
///
/// An entry that does not fit is dropped and named in the problems, with its instance path; the
/// rest counts. `title` is read as `description`, and a `line` that is no whole number from 1 is left
/// out and named. Ids are unique afterwards: of two entries with one id the later is given a fresh
/// one (`F1-2`) and named, so that no finding is lost.
///
/// # Errors
/// [`NotFindings`] when there is no list `findings`; that is never "nothing found".
pub fn read_findings(json: &str) -> Result<(Vec<Finding>, Vec<EntryProblem>), NotFindings> {
    read(json, finding, |finding| &mut finding.id)
}

/// Reads findings that are handed to a single rule: `id` alone is required, everything else is kept
/// where it fits (DESIGN §5). Problems, ids and errors as in [`read_findings`].
///
/// # Errors
/// [`NotFindings`] when there is no list `findings`.
pub fn read_mentions(json: &str) -> Result<(Vec<Mention>, Vec<EntryProblem>), NotFindings> {
    read(json, mention, |mention| &mut mention.id)
}

/// True for a value that [`read_findings`] takes as an entry; for extraction, which prefers an
/// object with at least one of them (D3).
pub fn is_finding_entry(raw: &RawValue) -> bool {
    finding(raw, "", &mut Vec::new()).is_ok()
}

fn read<T>(
    json: &str,
    entry: impl Fn(&RawValue, &str, &mut Vec<EntryProblem>) -> Result<T, EntryProblem>,
    id_of: impl Fn(&mut T) -> &mut FindingId,
) -> Result<(Vec<T>, Vec<EntryProblem>), NotFindings> {
    let mut problems = Vec::new();
    let mut read = Vec::new();
    for (index, raw) in list_entries(json, KEY)?.into_iter().enumerate() {
        let at = format!("/{KEY}/{index}");
        match entry(raw, &at, &mut problems) {
            Ok(value) => read.push((at, value)),
            Err(problem) => problems.push(problem),
        }
    }
    rename_repeated(&mut read, id_of, &mut problems);
    Ok((read.into_iter().map(|(_, value)| value).collect(), problems))
}

fn rename_repeated<T>(
    read: &mut [(String, T)],
    id_of: impl Fn(&mut T) -> &mut FindingId,
    problems: &mut Vec<EntryProblem>,
) {
    let mut seen = TakenIds::default();
    // All first uses are taken before a fresh id is made: a later `F1-2` of the report keeps its name.
    let is_repeat: Vec<bool> =
        read.iter_mut().map(|(_, value)| !seen.insert(id_of(value).clone())).collect();
    for ((at, value), _) in read.iter_mut().zip(is_repeat).filter(|(_, is_repeat)| *is_repeat) {
        let id = id_of(value);
        let fresh = seen.take(id);
        let reason =
            format!("id {} is used twice; this one is read as {fresh}", quote(id.as_str()));
        problems.push(EntryProblem { at: format!("{at}/id"), reason });
        *id = fresh;
    }
}

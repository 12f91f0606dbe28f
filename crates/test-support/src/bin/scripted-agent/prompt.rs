//! What the prompt hands over in its blocks.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;

use serde::de::DeserializeOwned;

use crate::wire::{FindingsBlock, Given, TallyBlock};

/// A prompt, read for its blocks: a line `<<MARK name`, data lines, a line `MARK>>`.
pub(crate) struct Prompt<'t> {
    text: &'t str,
}

impl<'t> Prompt<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text }
    }

    /// The findings of this cycle; `None` when the prompt has no such block.
    pub(crate) fn findings(&self) -> Result<Option<FindingsBlock>, BadBlock> {
        self.read("audit_findings")
    }

    /// The findings a fixer must see to: the confirmed ones of the tally and the carried ones.
    pub(crate) fn to_be_fixed(&self) -> Result<Option<Vec<Given>>, BadBlock> {
        let Some(FindingsBlock { findings, carried }) = self.findings()? else { return Ok(None) };
        let tally: Option<TallyBlock> = self.read("validated_findings")?;
        let confirmed = tally.map(|tally| -> BTreeSet<String> {
            let entries = tally.validated.into_iter();
            entries.filter(|e| e.verdict == "confirmed").map(|e| e.finding_id).collect()
        });
        let is_confirmed =
            |finding: &Given| confirmed.as_ref().is_none_or(|ids| ids.contains(&finding.id));
        Ok(Some(findings.into_iter().filter(is_confirmed).chain(carried).collect()))
    }

    /// Reads a block; one that is there and not as promised is never passed over.
    fn read<T: DeserializeOwned>(&self, name: &'static str) -> Result<Option<T>, BadBlock> {
        let json = self.block(name);
        json.map(|json| serde_json::from_str(&json).map_err(|error| BadBlock { name, error }))
            .transpose()
    }

    /// The data of the first block of this name, whatever its mark.
    fn block(&self, name: &str) -> Option<String> {
        let mut lines = self.text.lines();
        let mark = lines.by_ref().find_map(|line| {
            let (mark, found) = line.strip_prefix("<<")?.split_once(' ')?;
            (found.trim_end() == name).then_some(mark)
        })?;
        let end = format!("{mark}>>");
        let data: Vec<&str> = lines.take_while(|line| line.trim_end() != end).collect();
        Some(data.join("\n"))
    }
}

/// A block of the prompt that does not hold what its name promises.
#[derive(Debug)]
pub(crate) struct BadBlock {
    name: &'static str,
    error: serde_json::Error,
}

impl fmt::Display for BadBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block {} of the prompt: {}", self.name, self.error)
    }
}

impl Error for BadBlock {}

//! Findings that may mean one fault.

use std::collections::BTreeMap;

use tribunal_finding::{Category, FindingId};

use crate::Finding;

/// Lines between two findings that may still mean the same.
const NEAR: u32 = 2;

/// For each finding the earlier one that it likely repeats: same cycle, category and file, at most two
/// lines apart. A mark for readers; nothing is merged and every finding counts.
///
/// The one that is named is never marked itself.
pub fn likely_duplicates(findings: &[Finding]) -> Vec<Option<&FindingId>> {
    let mut first: BTreeMap<(u32, Category, &str, u32), &FindingId> = BTreeMap::new();
    let mark = |finding: &'_ Finding| finding.place.line.map(|line| (finding.cycle, line));
    findings
        .iter()
        .map(|finding| {
            let (cycle, line) = mark(finding)?;
            let file = finding.place.file.as_str();
            let at = |line| (cycle, finding.category, file, line);
            let near = at(line.saturating_sub(NEAR))..=at(line.saturating_add(NEAR));
            if let Some((_, id)) =
                first.range(near).min_by_key(|((.., other), _)| other.abs_diff(line))
            {
                return Some(*id);
            }
            first.insert(at(line), &finding.id);
            None
        })
        .collect()
}

//! The order in which reports list findings.

use std::cmp::Reverse;

use tribunal_finding::FindingId;

use crate::{Finding, View, likely_duplicates};

/// A finding beside what the list says about it.
pub(crate) struct Listed<'a> {
    pub(crate) finding: &'a Finding,
    pub(crate) repeats: Option<&'a FindingId>,
}

/// All findings: what is left open first, then by severity, then as they were found.
pub(crate) fn listed(view: &View) -> Vec<Listed<'_>> {
    let mut listed: Vec<Listed<'_>> = view
        .findings
        .iter()
        .zip(likely_duplicates(&view.findings))
        .map(|(finding, repeats)| Listed { finding, repeats })
        .collect();
    listed.sort_by_key(|one| {
        (Reverse(one.finding.fate.is_open()), Reverse(one.finding.shown_severity()))
    });
    listed
}

/// The findings that are left open, in that order.
pub(crate) fn left_open(view: &View) -> Vec<&Finding> {
    let open = listed(view).into_iter().map(|one| one.finding);
    open.filter(|finding| finding.fate.is_open()).collect()
}

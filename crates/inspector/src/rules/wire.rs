//! Rules as JSON.

use serde::Serialize;
use tribunal_finding::{Category, Severity};

use crate::rule::Rule;

/// A rule as `rules list --json` and `rules show --json` give it.
#[derive(Debug, Serialize)]
pub(super) struct RuleEntry<'r> {
    id: &'r str,
    category: Category,
    severity: Severity,
    depth: u32,
    message: &'r str,
    recommendation: &'r str,
    /// Whether the fixer has a rewrite for it.
    fixable: bool,
    lints: &'r [String],
}

impl<'r> RuleEntry<'r> {
    pub(super) fn of(rule: &'r Rule) -> Self {
        Self {
            id: &rule.id,
            category: rule.category,
            severity: rule.severity,
            depth: rule.depth,
            message: &rule.message,
            recommendation: &rule.recommendation,
            fixable: rule.unfixable.is_none(),
            lints: &rule.lints,
        }
    }
}

/// What `rules test --json` gives.
#[derive(Debug, Default, Serialize)]
pub(super) struct TestOutcome {
    pub(super) tested: usize,
    pub(super) failed: usize,
    /// What is wrong, with the example that shows it.
    pub(super) slips: Vec<String>,
}

//! What bringing an isolated run's changes over came to, for people and for programs.

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use crate::json::inert_json;
use crate::page::Page;
use crate::{inert, words};

/// What bringing an isolated run's changes over came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "apply")]
pub struct Apply {
    /// The run.
    pub run: String,
    /// What it came to.
    #[serde(flatten)]
    pub result: ApplyResult,
}

/// What it came to; the run's own work tree and branch are removed in each case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "result")]
pub enum ApplyResult {
    /// The changes stand in the user's files, uncommitted.
    Patched {
        /// The files and links that were written or removed.
        paths: Vec<String>,
        /// The snapshot of the work tree before.
        kept: String,
    },
    /// They were committed on the run's branch, and that was merged.
    Merged {
        /// The commit that HEAD names now.
        commit: String,
        /// The snapshot of the work tree before.
        kept: String,
    },
    /// It was done before; nothing was done now.
    AlreadyApplied,
    /// The run changed nothing.
    NothingWritten,
}

/// JSON Schema of what `runs apply --json` prints.
pub fn apply_schema() -> Schema {
    schema_for!(Apply)
}

/// Writes it as JSON, indented, with a line end.
pub fn apply_json(apply: &Apply) -> String {
    inert_json(&serde_json::to_string_pretty(apply).expect("texts and lists can be written"))
}

/// Writes it for a terminal; every path stands on a line of its own.
pub fn apply_text(apply: &Apply) -> String {
    let mut page = Page::default();
    let run = inert::one_line(&apply.run);
    let kept = |page: &mut Page, kept: &str| {
        let kept = inert::one_line(kept);
        page.section(&format!("The tree before is kept as {kept}"));
        page.line(&format!("  tribunal runs undo {run}"));
    };
    match &apply.result {
        ApplyResult::NothingWritten => page.line(&format!("run {run} changed nothing")),
        ApplyResult::AlreadyApplied => page.line(&format!("run {run} was applied already")),
        ApplyResult::Patched { paths, kept: place } => {
            let count = words::count(paths.len(), "path");
            page.line(&format!("run {run} is applied, uncommitted: {count}"));
            for path in paths {
                page.line(&format!("  {}", inert::one_line(path)));
            }
            kept(&mut page, place);
        }
        ApplyResult::Merged { commit, kept: place } => {
            let commit = inert::one_line(commit);
            page.line(&format!("run {run} is merged: HEAD is at {commit}"));
            kept(&mut page, place);
        }
    }
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_apply_says_what_came_over_and_how_to_go_back() {
        let check = |result: ApplyResult, expected: &str| {
            let apply = Apply { run: "r1".to_owned(), result };
            assert_eq!(apply_text(&apply), expected);
            let json: serde_json::Value = serde_json::from_str(&apply_json(&apply)).expect("JSON");
            assert_eq!(json["run"], "r1");
        };
        let back = "\nThe tree before is kept as refs/tribunal/r1/9\n  tribunal runs undo r1\n";
        let kept = "refs/tribunal/r1/9".to_owned();
        check(ApplyResult::NothingWritten, "run r1 changed nothing\n");
        check(ApplyResult::AlreadyApplied, "run r1 was applied already\n");
        check(
            ApplyResult::Patched { paths: vec!["a.rs".to_owned()], kept: kept.clone() },
            &format!("run r1 is applied, uncommitted: 1 path\n  a.rs\n{back}"),
        );
        check(
            ApplyResult::Merged { commit: "abc".to_owned(), kept },
            &format!("run r1 is merged: HEAD is at abc\n{back}"),
        );
    }
}

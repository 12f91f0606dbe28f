//! What every tool of the loop answers (D25, DESIGN §5).

use schemars::{JsonSchema, Schema, schema_for};
use serde::{Deserialize, Serialize};

use super::{Gate, Tool, Verification};

/// The answer to every call: how the loop stands now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(title = "loop-status")]
pub struct LoopStatus {
    /// The run; null when this work tree has no loop.
    pub run: Option<String>,
    /// Which phase is open.
    pub phase: Standing,
    /// Simplify passes done, from 0.
    pub round: u32,
    /// Simplify passes there may be.
    pub max_rounds: u32,
    /// The tool that is to be called next.
    pub expected_tool: Tool,
    /// What is known of the tests on the tree that the review is shown.
    pub verification: Verification,
    /// The gate through which the loop ended.
    pub done_reason: Option<Gate>,
    /// Findings of the last review.
    pub findings: u32,
    /// Files with changes that the next review has to look at, as git sees them.
    pub files: Vec<String>,
    /// What is reviewed.
    pub scope: Option<String>,
    /// The last run of the test command.
    pub test: Option<TestShown>,
    /// The changes that the next review has to look at, hunk by hunk.
    pub hunks: Vec<HunkShown>,
    /// Hunks that are not shown, because there are too many or they are too long.
    pub hunks_left_out: u32,
    /// Why the call was refused; null when it was not.
    pub refused: Option<String>,
    /// What is to be done next, in words.
    pub message: String,
}

/// Which phase is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// There is no loop.
    Idle,
    /// A review is due.
    Review,
    /// A simplify pass is due.
    Simplify,
    /// The loop has ended.
    Done,
}

/// The last run of the test command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TestShown {
    /// The command.
    pub command: String,
    /// Its exit status; null when it did not run yet, or did not end by itself.
    pub exit: Option<i32>,
    /// The end of what it printed.
    pub output_tail: String,
}

/// One change of consecutive lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HunkShown {
    /// Its name, H1 and so on; a basis speaks of it by this name.
    pub id: String,
    /// The file.
    pub file: String,
    /// The lines, as in a unified diff; a short note for what has no lines.
    pub text: String,
}

/// The schema of every answer.
pub fn status_schema() -> Schema {
    schema_for!(LoopStatus)
}

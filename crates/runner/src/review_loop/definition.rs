//! What a loop follows from its first record to its last.

use serde::{Deserialize, Serialize};
use tribunal_phase::review_loop::{HunkShown, MaxRounds, ReviewLoop};
use tribunal_phase::{ArtifactId, Millis, RunId};
use tribunal_record::{Body, Note, Record};

use crate::compute::Artifacts;
use crate::error::RunError;

/// A loop's definition, stored as its first artifact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LoopDefinition {
    /// Which machine it is; tells a loop from a recipe's run.
    machine: Kind,
    /// The version of the tool that began it.
    pub(super) tool: String,
    /// The root of the work tree, absolute.
    pub(super) root: String,
    /// What is reviewed, word for word.
    pub(super) scope: String,
    /// The changes that the scope names, where it is a range of commits: hunks of the first review.
    pub(super) range: Option<ArtifactId>,
    /// The command that tests the tree.
    pub(super) test_command: Option<String>,
    /// The longest that it may run.
    pub(super) test_timeout: Millis,
    /// Simplify passes before the budget is spent.
    pub(super) max_rounds: MaxRounds,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Kind {
    #[serde(rename = "review_loop")]
    ReviewLoop,
}

/// What a caller decides about a new loop.
pub(super) struct Terms {
    pub(super) root: String,
    pub(super) scope: String,
    pub(super) range: Option<ArtifactId>,
    pub(super) test_command: Option<String>,
    pub(super) test_timeout: Millis,
    pub(super) max_rounds: MaxRounds,
}

impl LoopDefinition {
    pub(super) fn new(terms: Terms) -> Self {
        let Terms { root, scope, range, test_command, test_timeout, max_rounds } = terms;
        let tool = env!("CARGO_PKG_VERSION").to_owned();
        let machine = Kind::ReviewLoop;
        Self { machine, tool, root, scope, range, test_command, test_timeout, max_rounds }
    }

    /// The definition of a run; `None` when it is the run of a recipe.
    pub(super) fn of(
        records: &[Record],
        artifacts: &dyn Artifacts,
    ) -> Result<Option<Self>, RunError> {
        let defined = records.iter().find_map(|record| match &record.body {
            Body::Note(Note::Defined { definition }) => Some(definition),
            Body::Note(_) | Body::Event(_) | Body::Refused { .. } => None,
        });
        let Some(artifact) = defined else { return Ok(None) };
        Ok(serde_json::from_slice(&artifacts.artifact(artifact)?).ok())
    }

    /// The same for a run that has to be a loop.
    pub(super) fn of_loop(
        records: &[Record],
        artifacts: &dyn Artifacts,
        id: &RunId,
    ) -> Result<Self, RunError> {
        Self::of(records, artifacts)?.ok_or_else(|| RunError::Input {
            place: format!("run {id}"),
            why: "is no review loop".to_owned(),
        })
    }

    /// The machine that it asks for.
    pub(super) fn machine(&self) -> ReviewLoop {
        ReviewLoop { max_rounds: self.max_rounds, tests: self.test_command.is_some() }
    }

    /// The hunks of the first review.
    pub(super) fn range_hunks(
        &self,
        artifacts: &dyn Artifacts,
    ) -> Result<Vec<HunkShown>, RunError> {
        let Some(range) = &self.range else { return Ok(Vec::new()) };
        serde_json::from_slice(&artifacts.artifact(range)?).map_err(|error| RunError::Input {
            place: format!("artifact {range}"),
            why: error.to_string(),
        })
    }
}

//! Why a recipe cannot be run.

use tribunal_phase::plan::Misorder;

/// A recipe that cannot be run.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CompileError {
    /// A step uses something that nobody brings along.
    #[error("step `{step}` uses `{name}`, which is no step")]
    UnknownStep {
        /// The step.
        step: String,
        /// What it uses.
        name: String,
    },
    /// A step names an agent that is no role.
    #[error(
        "step `{step}` names the agent `{agent}`, which is no role (seeker, validator, fixer, summarizer)"
    )]
    UnknownRole {
        /// The step.
        step: String,
        /// The name.
        agent: String,
    },
    /// A native step stands in a group: nothing in it runs at once with anything.
    #[error("step `{0}` computes a value and cannot stand in a parallel group")]
    NativeInGroup(String),
    /// A loop asks a setting that does not exist for its length.
    #[error(
        "`{id}` repeats as often as the setting `{setting}` says, which is no setting (fix_attempts)"
    )]
    UnknownSetting {
        /// The loop.
        id: String,
        /// The name.
        setting: String,
    },
    /// A kind of recipe or step that this version does not run.
    #[error("{0} is not supported yet")]
    NotYet(String),
    /// A cycle could run more steps than the recipe allows itself (D40).
    #[error("a cycle could run {steps} steps, and recursion.max_total_steps is {most}")]
    TooManySteps {
        /// Steps, with the turns of loops.
        steps: u64,
        /// The limit.
        most: u32,
    },
    /// A step stands in the wrong place (dry fold of the cycle's rules).
    #[error(transparent)]
    Misorder(#[from] Misorder),
}

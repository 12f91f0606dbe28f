//! Who a step of a recipe asks, and what it may touch.

use tribunal_phase::Access;
use tribunal_recipe::{self as recipe, Recipe, Step, StepKind};

/// How many validators a recipe asks.
pub(crate) fn validators(recipe: &Recipe) -> u32 {
    let asks = |step: &&Step| match &step.kind {
        StepKind::Agent { agent, .. } => role_word(agent, &step.id) == Some("validator"),
        StepKind::Bash { .. } | StepKind::Recipe { .. } | StepKind::Uses { .. } => false,
    };
    u32::try_from(recipe.all_steps().filter(asks).count()).unwrap_or(u32::MAX)
}

/// What a step says about its access.
pub(crate) fn access(step: &Step) -> Option<Access> {
    step.access.map(|access| match access {
        recipe::Access::ReadOnly => Access::ReadOnly,
        recipe::Access::Write => Access::Write,
    })
}

/// The role a recipe means: by its word, or by the reference's names, which mean a role by their step
/// (D41).
pub(crate) fn role_word(agent: &str, step: &str) -> Option<&'static str> {
    const WORDS: [&str; 4] = ["seeker", "validator", "fixer", "summarizer"];
    if let Some(word) = WORDS.into_iter().find(|word| *word == agent) {
        return Some(word);
    }
    if !agent.starts_with("amplihack:") {
        return None;
    }
    match step {
        "seek" => Some("seeker"),
        "fix" => Some("fixer"),
        "summary" | "self-improvement" => Some("summarizer"),
        step if step.starts_with("validate-agent-") => Some("validator"),
        _ => None,
    }
}

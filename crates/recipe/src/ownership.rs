//! Which names belong to which step.

use crate::recipe::{Step, StepKind};

/// Steps that the engine carries out itself (D37), and the names they set beside their output.
pub(crate) const NATIVE_STEPS: [(&str, &[&str]); 5] = [
    ("merge-ballots", &[]),
    ("verify-fixes", &[]),
    ("accumulate-history", &[]),
    ("decide", &["run_figures", "run_findings"]),
    ("recurse", &["cycle_number"]),
];

/// Agents whose answer is read by a contract: their output belongs to them.
const CONTRACT_AGENTS: [&str; 3] = ["seeker", "validator", "fixer"];

/// Agents that are asked to change files.
const WRITING_AGENTS: [&str; 2] = ["fixer", "worker"];

pub(crate) fn is_writing_agent(agent: &str) -> bool {
    WRITING_AGENTS.contains(&agent)
}

/// Why an output belongs to a step, when it does: the step is native or under a contract.
pub(crate) fn owner_word(step: &Step) -> Option<String> {
    match &step.kind {
        StepKind::Uses { name, .. } => Some(format!("uses: {name}")),
        StepKind::Agent { agent, .. } if CONTRACT_AGENTS.contains(&agent.as_str()) => {
            Some(format!("agent: {agent}"))
        }
        StepKind::Agent { .. } | StepKind::Bash { .. } | StepKind::Recipe { .. } => None,
    }
}

/// The names a native step sets beside its output.
pub(crate) fn side_names(step: &Step) -> &'static [&'static str] {
    let StepKind::Uses { name, .. } = &step.kind else { return &[] };
    NATIVE_STEPS.iter().find(|(native, _)| native == name).map_or(&[], |(_, names)| names)
}

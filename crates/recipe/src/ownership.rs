//! Which names belong to which step.

use crate::recipe::{Recipe, Step, StepKind, Variable};
use crate::scope::nearest;

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
const WRITING_AGENTS: [&str; 3] = ["fixer", "worker", "quality"];

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

/// The settings a recipe can read as `setting.NAME` (D16).
pub const SETTINGS: [&str; 4] = ["fix_attempts", "cycle_timeout", "contract_repairs", "no_fix"];

/// A name that `-c` may not set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContextNameError {
    /// A step sets it (D19).
    #[error("`{0}` is managed by the loop")]
    Managed(String),
    /// The recipe does not know it.
    #[error("unknown key `{}`{}", name.escape_debug(), match nearest { Some(near) => format!(", did you mean `{near}`?"), None => String::new() })]
    Unknown {
        /// The name as it was given.
        name: String,
        /// The variable that was most likely meant.
        nearest: Option<String>,
    },
}

impl Recipe {
    /// The variable of the context that may be set from outside under this name.
    ///
    /// # Errors
    /// A name that a step sets, or that the context does not have.
    pub fn settable(&self, name: &str) -> Result<&Variable, ContextNameError> {
        if self.is_managed(name) {
            return Err(ContextNameError::Managed(name.to_owned()));
        }
        self.context.iter().find(|variable| variable.name == name).ok_or_else(|| {
            let settable = self.context.iter().map(|variable| variable.name.as_str());
            let near = nearest(name, settable.filter(|name| !self.is_managed(name)));
            ContextNameError::Unknown { name: name.to_owned(), nearest: near.map(str::to_owned) }
        })
    }

    /// Whether a step sets the name.
    fn is_managed(&self, name: &str) -> bool {
        self.all_steps()
            .any(|step| step.output.as_deref() == Some(name) || side_names(step).contains(&name))
    }
}

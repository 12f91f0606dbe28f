//! Which agent is asked for which call (D41).

use serde::{Deserialize, Serialize};
use tribunal_dispatch::AnswerPlace;
use tribunal_phase::{Millis, Role, StepId};

/// One way to ask an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// Its name in the settings.
    pub name: String,
    /// The row of its command line ([`tribunal_dispatch::AGENTS`]).
    pub row: String,
    /// Program and arguments of the user's; without any the row's own program is meant.
    pub words: Vec<String>,
    /// The model; the agent's own choice without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The longest that one call may run, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Millis>,
    /// The longest that one call may say nothing, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<Millis>,
    /// Variables of our own environment that it gets besides the usual ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
}

impl Agent {
    /// The program, where it or its row names one.
    pub(crate) fn program(&self) -> Option<&str> {
        let row = || tribunal_dispatch::agent(&self.row).ok().and_then(|row| row.program);
        self.words.first().map(String::as_str).or_else(row)
    }

    /// Where its answer is; a run does not begin with an agent whose row nobody knows.
    pub(crate) fn answer_place(&self) -> AnswerPlace {
        tribunal_dispatch::agent(&self.row).map_or(AnswerPlace::Stdout, |row| row.answer)
    }

    /// The user's own arguments.
    pub(crate) fn arguments(&self) -> &[String] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Whether it is the embedded inspector.
    pub fn is_inspector(&self) -> bool {
        self.row == INSPECTOR
    }
}

/// The agent programs that can be asked by their name, as nobody has to say how.
pub fn known_programs() -> impl Iterator<Item = &'static str> {
    tribunal_dispatch::AGENTS.iter().filter(|row| row.program.is_some()).map(|row| row.name)
}

/// The row of the embedded inspector.
pub(crate) const INSPECTOR: &str = "inspector";

/// The agents of a run: one for everybody, and others by role, numbered validator or step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agents {
    /// Asked where nothing else is said.
    pub everyone: Agent,
    /// Agents by key: a role (`validator`), a numbered validator (`validator-2`) or a step's id.
    pub by_key: Vec<(String, Agent)>,
}

impl Agents {
    /// Whether the embedded inspector is among them.
    pub fn include_inspector(&self) -> bool {
        let keyed = self.by_key.iter().map(|(_, agent)| agent);
        keyed.chain([&self.everyone]).any(Agent::is_inspector)
    }

    /// The agent for a call; the most specific key wins: step, numbered validator, role.
    pub fn for_call(&self, step: &StepId, role: Role) -> &Agent {
        let keyed = |key: &str| {
            self.by_key.iter().rev().find(|(known, _)| known == key).map(|(_, agent)| agent)
        };
        keyed(step.as_str())
            .or_else(|| keyed(&role.to_string()))
            .or_else(|| keyed(role.word()))
            .unwrap_or(&self.everyone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(name: &str) -> Agent {
        let row = "command".to_owned();
        let (words, env) = (vec![], vec![]);
        Agent { name: name.into(), row, words, model: None, deadline: None, idle: None, env }
    }

    #[test]
    fn the_most_specific_key_wins() {
        let agents = Agents {
            everyone: agent("everyone"),
            by_key: vec![
                ("validator".into(), agent("role")),
                ("validator-2".into(), agent("number")),
                ("validate-agent-3".into(), agent("step")),
                ("validator".into(), agent("later")),
            ],
        };
        for (step, role, expected) in [
            ("seek", Role::Seeker, "everyone"),
            ("validate-agent-1", Role::Validator(1), "later"),
            ("validate-agent-2", Role::Validator(2), "number"),
            ("validate-agent-3", Role::Validator(3), "step"),
        ] {
            assert_eq!(agents.for_call(&StepId::new(step), role).name, expected, "{step}");
        }
    }
}

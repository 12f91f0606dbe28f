//! What a recipe says, once it is read.

use std::ops::Range;
use std::time::Duration;

use crate::{Datum, Expr, Script, Template};

/// A recipe that was read and checked (D36).
#[derive(Debug, Clone)]
pub struct Recipe {
    /// By this name it is called.
    pub name: String,
    /// As written; `1.0.0` when nothing is.
    pub version: String,
    /// What it is for.
    pub description: String,
    /// Who wrote it.
    pub author: String,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Which machine schedules it.
    pub machine: MachineKind,
    /// Variables with their defaults, in order.
    pub context: Vec<Variable>,
    /// What is done, in order.
    pub steps: Vec<Node>,
    /// What a run of it is worth, evaluated at its end.
    pub output: Option<Output>,
    /// How far it may reach.
    pub recursion: Recursion,
}

/// The machine that schedules a recipe (DESIGN §3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MachineKind {
    /// Steps with conditions, in order.
    Plan,
    /// Check, diagnose, fix, until the goal holds.
    Goal,
    /// Review and simplify in turn.
    ReviewLoop,
    /// Evidence for a candidate commit.
    Round,
}

/// A variable of the context.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// `[A-Za-z_][A-Za-z0-9_]*`.
    pub name: String,
    /// Its value unless one is given.
    pub default: Datum,
    /// The comment that stands behind it in the recipe.
    pub comment: Option<String>,
}

/// Limits of a whole run; they fail closed (D40).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recursion {
    /// Recipes inside recipes.
    pub max_depth: u32,
    /// Steps in one cycle.
    pub max_total_steps: u32,
}

impl Default for Recursion {
    fn default() -> Self {
        Self { max_depth: 6, max_total_steps: 200 }
    }
}

/// What a run of a recipe is worth.
#[derive(Debug, Clone)]
pub enum Output {
    /// An object: each field has a value of its own.
    Map(Vec<(String, Binding)>),
    /// A text.
    Text(Template),
}

/// A value that is handed on: as it stands, or made of the context.
#[derive(Debug, Clone)]
pub enum Binding {
    /// As it stands in the recipe.
    Literal(Datum),
    /// Made of the context when it is needed.
    Template(Template),
}

/// One place in the order of a recipe.
#[derive(Debug, Clone)]
pub enum Node {
    /// A step.
    Step(Step),
    /// Steps that are done again.
    Repeat(Repeat),
}

/// Steps that are done again until a condition holds (D36).
#[derive(Debug, Clone)]
pub struct Repeat {
    /// Unique among all ids of the recipe.
    pub id: String,
    /// Whether it is done at all.
    pub condition: Option<Expr>,
    /// Done in order, every turn; never empty.
    pub steps: Vec<Step>,
    /// Asked after every turn.
    pub until: Expr,
    /// How many turns at most.
    pub max: Max,
    /// Bytes of the recipe text.
    pub span: Range<usize>,
}

/// How many turns a repetition may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Max {
    /// That many, at least one.
    Times(u32),
    /// As many as this setting says.
    Setting(String),
}

/// One step.
#[derive(Debug, Clone)]
pub struct Step {
    /// Letters, digits, `_`, `-` and `.`; unique in the recipe.
    pub id: String,
    /// What it does.
    pub kind: StepKind,
    /// When it holds, the step is done; when it does not, its output is null.
    pub condition: Option<Expr>,
    /// The name its result is kept under.
    pub output: Option<String>,
    /// Its result must be JSON.
    pub parse_json: bool,
    /// The working directory of its child.
    pub working_dir: Option<Template>,
    /// Time for its child.
    pub timeout: Option<Duration>,
    /// Adjacent steps of one group run at once (D40).
    pub parallel_group: Option<String>,
    /// A failure does not end the run.
    pub continue_on_error: bool,
    /// Whether it may change the audited tree; see [`Step::may_write`].
    pub access: Option<Access>,
    /// Environment of its child, in order.
    pub env: Vec<(String, Template)>,
    /// Bytes of the recipe text.
    pub span: Range<usize>,
}

/// What a step does (D37).
#[derive(Debug, Clone)]
pub enum StepKind {
    /// Asks an agent.
    Agent {
        /// A role, or a name that settings map to one.
        agent: String,
        /// What it is told.
        prompt: Template,
        /// The model, where the agent can be told.
        model: Option<String>,
    },
    /// Runs a script in bash.
    Bash {
        /// The script, with values bound as data.
        script: Script,
    },
    /// Runs another recipe.
    Recipe {
        /// Its name.
        name: String,
        /// Values for its context.
        context: Vec<(String, Binding)>,
    },
    /// Runs a native or contributed step.
    Uses {
        /// Its name.
        name: String,
        /// Its inputs.
        with: Vec<(String, Binding)>,
    },
}

/// What a step may do to the audited tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Read it.
    ReadOnly,
    /// Change it.
    Write,
}

impl Recipe {
    /// All steps in order, those inside repetitions too.
    pub fn all_steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().flat_map(|node| match node {
            Node::Step(step) => std::slice::from_ref(step),
            Node::Repeat(repeat) => &repeat.steps,
        })
    }
}

impl Step {
    /// Whether it may change the audited tree: what `access` says, else bash, recipes, and the agents
    /// that are asked to change files do.
    pub fn may_write(&self) -> bool {
        match (self.access, &self.kind) {
            (Some(access), _) => access == Access::Write,
            (None, StepKind::Bash { .. } | StepKind::Recipe { .. }) => true,
            (None, StepKind::Agent { agent, .. }) => crate::ownership::is_writing_agent(agent),
            (None, StepKind::Uses { .. }) => false,
        }
    }
}

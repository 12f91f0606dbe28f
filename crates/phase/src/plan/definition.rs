//! The steps of a recipe as the machine sees them: no prompts, no expressions, no values.

use crate::cycle::{Policy, Station, follow};
use crate::{Access, FactKind, Millis, Refusal, Role, StepId};

/// A recipe's steps in their order, with the limits of the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What runs, in order.
    pub nodes: Vec<Node>,
    /// The limits of the cycle; absent where the recipe has no cycle.
    pub policy: Option<Policy>,
    /// How long each cycle's own work may take (D19).
    pub cycle_timeout: Option<Millis>,
    /// Whether the tree is never put back (`--keep-tree`, D43).
    pub keep_tree: bool,
}

/// One place in the order.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// One step.
    Step(Step),
    /// Steps that run at once; each of them asks an agent or runs a command.
    Group(Vec<Step>),
    /// Steps that run again until a condition holds.
    Repeat(Repeat),
}

/// Steps that run in order, again and again, until their `until` holds or `max` turns have run.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeat {
    /// The name that `until` is asked under.
    pub id: StepId,
    /// The steps of one turn.
    pub steps: Vec<Step>,
    /// The most turns.
    pub max: u32,
}

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its id.
    pub id: StepId,
    /// Whether it has a condition.
    pub guarded: bool,
    /// Whether its failure leaves the run going (`continue_on_error`).
    pub lenient: bool,
    /// What it does.
    pub work: Work,
}

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Asks an agent.
    Ask {
        /// The part it plays.
        role: Role,
        /// What it may touch.
        access: Access,
    },
    /// Runs a command.
    Run {
        /// What it may touch.
        access: Access,
    },
    /// Computes a native step.
    Native {
        /// The kind of fact it establishes.
        gives: Option<FactKind>,
    },
    /// Pushes the next cycle, if one was decided.
    Recurse,
}

impl Work {
    /// What the step may do to the tree; `None` where it starts no child.
    pub fn access(self) -> Option<Access> {
        match self {
            Self::Ask { access, .. } | Self::Run { access } => Some(access),
            Self::Native { .. } | Self::Recurse => None,
        }
    }

    fn facts(self) -> Vec<FactKind> {
        match self {
            Self::Ask { role: Role::Seeker, .. } => vec![FactKind::Found],
            Self::Ask { role: Role::Validator(_), .. } => vec![FactKind::Balloted],
            Self::Ask { role: Role::Fixer, .. } => {
                vec![FactKind::Snapped, FactKind::FixerLaunched, FactKind::Reported]
            }
            Self::Ask { .. } | Self::Run { .. } => Vec::new(),
            Self::Native { gives } => gives.into_iter().collect(),
            Self::Recurse => vec![FactKind::FramePushed],
        }
    }
}

/// A step that stands in the wrong place.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("step `{step}` stands in the wrong place: {refusal}")]
pub struct Misorder {
    /// The step.
    pub step: StepId,
    /// Why, and what was expected.
    pub refusal: Refusal,
}

impl Plan {
    /// All steps in order, those of groups and loops too.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.nodes.iter().flat_map(Node::steps)
    }

    /// Folds the facts that the steps would establish, before anything runs or is paid for.
    ///
    /// Conditions are taken to hold and loops to turn twice: what is in order then is in order
    /// when steps are skipped, or refused by the cycle's own rules.
    ///
    /// # Errors
    /// The first step that stands in the wrong place.
    pub fn check_order(&self) -> Result<(), Misorder> {
        let mut station = Station::Open;
        for node in &self.nodes {
            let turns: usize = match node {
                Node::Repeat(repeat) if repeat.max > 1 => 2,
                Node::Repeat(_) | Node::Step(_) | Node::Group(_) => 1,
            };
            for step in std::iter::repeat_n(node.steps(), turns).flatten() {
                for fact in step.work.facts() {
                    station = follow(station, fact)
                        .map_err(|refusal| Misorder { step: step.id.clone(), refusal })?;
                }
            }
        }
        Ok(())
    }
}

impl Node {
    /// The steps in it.
    pub fn steps(&self) -> &[Step] {
        match self {
            Self::Step(step) => std::slice::from_ref(step),
            Self::Group(steps) => steps,
            Self::Repeat(repeat) => &repeat.steps,
        }
    }
}

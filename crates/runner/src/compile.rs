//! A recipe as the plan machine runs it, checked before anything is started or paid for.

use tribunal_phase::plan::{self, Plan, Work};
use tribunal_phase::{Access, Millis, Role, StepId};
use tribunal_recipe::{self as recipe, Max, Node, Recipe, Step, StepKind};

use crate::native::{AddedSteps, BuiltIn};
use crate::roles::{access, role_word};

mod error;

pub use error::CompileError;

/// Settings that shape a plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) fix_attempts: u32,
    pub(crate) cycle_timeout: Option<Millis>,
    pub(crate) keep_tree: bool,
}

/// Makes the plan of a recipe.
///
/// # Errors
/// Every step that cannot be run, or the first that stands in the wrong place.
pub(crate) fn compile(
    recipe: &Recipe,
    shape: Shape,
    added: &AddedSteps,
) -> Result<Plan, Vec<CompileError>> {
    let mut compiler = Compiler { shape, added, validators: 0, errors: Vec::new() };
    match recipe.machine {
        recipe::MachineKind::Plan => {}
        recipe::MachineKind::Goal
        | recipe::MachineKind::ReviewLoop
        | recipe::MachineKind::Round => {
            let machine = "a recipe with a machine other than `plan`".to_owned();
            return Err(vec![CompileError::NotYet(machine)]);
        }
    }
    let nodes = compiler.nodes(&recipe.steps);
    if !compiler.errors.is_empty() {
        return Err(compiler.errors);
    }
    let plan = Plan {
        nodes,
        policy: None,
        cycle_timeout: shape.cycle_timeout,
        keep_tree: shape.keep_tree,
    };
    let steps = steps_of_a_cycle(&plan);
    let most = recipe.recursion.max_total_steps;
    if steps > u64::from(most) {
        return Err(vec![CompileError::TooManySteps { steps, most }]);
    }
    plan.check_order().map_err(|misorder| vec![misorder.into()])?;
    Ok(plan)
}

/// The most steps that one cycle can run; cycles themselves are bounded by `max_cycles`.
fn steps_of_a_cycle(plan: &Plan) -> u64 {
    let steps = |node: &plan::Node| {
        let turns = match node {
            plan::Node::Repeat(repeat) => u64::from(repeat.max),
            plan::Node::Step(_) | plan::Node::Group(_) => 1,
        };
        turns.saturating_mul(node.steps().len() as u64)
    };
    plan.nodes.iter().map(steps).fold(0, u64::saturating_add)
}

struct Compiler<'a> {
    shape: Shape,
    added: &'a AddedSteps,
    validators: u8,
    errors: Vec<CompileError>,
}

impl Compiler<'_> {
    fn nodes(&mut self, nodes: &[Node]) -> Vec<plan::Node> {
        let mut compiled: Vec<plan::Node> = Vec::new();
        let mut group: Option<&str> = None;
        for node in nodes {
            match node {
                Node::Step(step) => {
                    let Some(made) = self.step(step) else { continue };
                    let named = step.parallel_group.as_deref();
                    match (named, compiled.last_mut()) {
                        (Some(name), Some(plan::Node::Group(members))) if group == Some(name) => {
                            self.join(members, made);
                        }
                        (Some(_), _) => {
                            let mut members = Vec::new();
                            self.join(&mut members, made);
                            compiled.push(plan::Node::Group(members));
                        }
                        (None, _) => compiled.push(plan::Node::Step(made)),
                    }
                    group = named;
                }
                Node::Repeat(repeat) => {
                    group = None;
                    if repeat.condition.is_some() {
                        let what = format!("`{}`: a condition on a loop", repeat.id);
                        self.errors.push(CompileError::NotYet(what));
                    }
                    let steps = repeat.steps.iter().filter_map(|step| self.step(step)).collect();
                    let max = self.max(repeat);
                    let id = StepId::new(&repeat.id);
                    compiled.push(plan::Node::Repeat(plan::Repeat { id, steps, max }));
                }
            }
        }
        compiled
    }

    fn join(&mut self, members: &mut Vec<plan::Step>, step: plan::Step) {
        match step.work {
            Work::Ask { .. } | Work::Run { .. } => members.push(step),
            Work::Native { .. } | Work::Recurse => {
                self.errors.push(CompileError::NativeInGroup(step.id.to_string()));
            }
        }
    }

    fn max(&mut self, repeat: &recipe::Repeat) -> u32 {
        match &repeat.max {
            Max::Times(times) => *times,
            Max::Setting(name) if name == "fix_attempts" => self.shape.fix_attempts,
            Max::Setting(name) => {
                let (id, setting) = (repeat.id.clone(), name.clone());
                self.errors.push(CompileError::UnknownSetting { id, setting });
                1
            }
        }
    }

    fn step(&mut self, step: &Step) -> Option<plan::Step> {
        let work = match &step.kind {
            StepKind::Agent { agent, .. } => match role_word(agent, &step.id) {
                Some(word) => {
                    let role = self.role(word)?;
                    let access = access(step).unwrap_or(role.access());
                    Work::Ask { role, access }
                }
                None => {
                    let (step, agent) = (step.id.clone(), agent.clone());
                    self.errors.push(CompileError::UnknownRole { step, agent });
                    return None;
                }
            },
            StepKind::Bash { .. } => Work::Run { access: access(step).unwrap_or(Access::Write) },
            StepKind::Recipe { .. } => {
                let what = format!("step `{}`: a recipe as a step", step.id);
                self.errors.push(CompileError::NotYet(what));
                return None;
            }
            StepKind::Uses { name, .. } if name == "recurse" => Work::Recurse,
            StepKind::Uses { name, .. } => self.native(step, name)?,
        };
        Some(plan::Step {
            id: StepId::new(&step.id),
            guarded: step.condition.is_some(),
            lenient: step.continue_on_error,
            work,
        })
    }

    fn role(&mut self, word: &str) -> Option<Role> {
        if word == "validator" {
            self.validators = self.validators.saturating_add(1);
            return Some(Role::Validator(self.validators));
        }
        // `role_word` gives only words of roles.
        word.parse().ok()
    }

    fn native(&mut self, step: &Step, name: &str) -> Option<Work> {
        if let Some(built_in) = BuiltIn::named(name) {
            return Some(Work::Native { gives: Some(built_in.gives()) });
        }
        if self.added.get(name).is_some() {
            return Some(Work::Native { gives: None });
        }
        let (step, name) = (step.id.clone(), name.to_owned());
        self.errors.push(CompileError::UnknownStep { step, name });
        None
    }
}

#[cfg(test)]
mod tests {
    use tribunal_recipe::{Source, Strictness, load};

    use super::*;
    use crate::library::Library;

    fn compiled(text: &str) -> Result<Plan, Vec<CompileError>> {
        let source = Source { name: "r.yaml".to_owned(), text: text.to_owned() };
        let recipe = load(&source, Strictness::Strict, &[]).expect("it can be read").recipe;
        let shape = Shape { fix_attempts: 2, cycle_timeout: None, keep_tree: false };
        compile(&recipe, shape, &AddedSteps::default())
    }

    fn built_in() -> String {
        Library::default().find("quality-audit-cycle").expect("built in").text
    }

    fn check(text: &str, expected: &str) {
        let errors = compiled(text).expect_err(expected);
        assert!(errors[0].to_string().contains(expected), "{}", errors[0]);
    }

    #[test]
    fn the_built_in_recipe_is_the_seeds_order_with_validators_at_once() {
        let plan = compiled(&built_in()).expect("it can be run");
        let ids: Vec<&str> = plan.steps().map(|step| step.id.as_str()).collect();
        assert_eq!(
            ids,
            [
                "seek",
                "validate-agent-1",
                "validate-agent-2",
                "validate-agent-3",
                "merge-validations",
                "fix",
                "verify-fixes",
                "accumulate-history",
                "recurse-decision",
                "run-recursive-cycle",
                "summary",
                "self-improvement"
            ]
        );
        assert!(matches!(&plan.nodes[1], plan::Node::Group(members) if members.len() == 3));
        assert!(matches!(&plan.nodes[3], plan::Node::Repeat(repeat) if repeat.max == 2));
    }

    #[test]
    fn what_cannot_be_run_says_why() {
        let step = |step: &str| format!("name: r\nsteps:\n  - {step}\n");
        check(&step("{id: a, agent: boss, prompt: x}"), "`boss`, which is no role");
        let many = "name: r\nrecursion: {max_total_steps: 1}\nsteps:\n  - {id: a, command: x}\n  \
                    - {id: b, command: x}\n";
        check(many, "could run 2 steps, and recursion.max_total_steps is 1");
        let decided_first = "name: r\nsteps:\n  - {id: d, uses: decide, output: o}\n";
        check(decided_first, "expected seek (agent: seeker)");
    }
}

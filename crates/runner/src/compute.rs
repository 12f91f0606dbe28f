//! Computing a pure step from what the run knows.

use sha2::{Digest as _, Sha256};
use tribunal_phase::plan::{State, Work};
use tribunal_phase::{ArtifactId, CallId, Contract, Native};
use tribunal_recipe::{Datum, Fields, StepKind};
use tribunal_verify::{Evidence, Proof};

use crate::definition::Loaded;
use crate::error::RunError;
use crate::figures::figures;
use crate::memory::{Memory, bind, step};
use crate::native::{BuiltIn, Given, Halt, Inputs, Reply, read};
use crate::tree::Tree;

/// Reads artifacts, whether the run is under way or over.
pub(crate) trait Artifacts {
    fn artifact(&self, id: &ArtifactId) -> Result<Vec<u8>, RunError>;
}

/// Computes what a `Compute` effect asks for; reads artifacts and the tree, changes nothing.
pub(crate) fn compute(
    loaded: &Loaded,
    state: &State,
    memory: &Memory,
    artifacts: &dyn Artifacts,
    tree: Option<&Tree>,
    call: &CallId,
    native: &Native,
) -> Result<Result<Given, Halt>, RunError> {
    if let Native::Read(contract) = native {
        let inputs = inputs(loaded, state, memory, artifacts, call, no_evidence())?;
        return Ok(read(*contract, &inputs));
    }
    let Some(StepKind::Uses { name, with }) = step(loaded, &call.step).map(|step| &step.kind)
    else {
        return Ok(Err(Halt::recipe(format!("step `{}` computes nothing", call.step))));
    };
    if let Some(built_in) = BuiltIn::named(name) {
        let proof = match (built_in, tree) {
            (BuiltIn::VerifyFixes, Some(tree)) => {
                tree.proof(fix_span(state, memory), &memory.snapshots)
            }
            (BuiltIn::VerifyFixes, None) => {
                Proof::Unasked { why: "the repository is not there".to_owned() }
            }
            (BuiltIn::MergeBallots | BuiltIn::AccumulateHistory | BuiltIn::Decide, _) => {
                no_evidence()
            }
        };
        let inputs = inputs(loaded, state, memory, artifacts, call, proof)?;
        return Ok(built_in.run(&inputs));
    }
    let values = memory.values();
    let mut given = Fields::new();
    for (name, binding) in with {
        match bind(binding, values) {
            Ok(value) => given.insert(name.clone(), value),
            Err(error) => return Ok(Err(Halt::recipe(format!("with.{name}: {error}")))),
        };
    }
    Ok(match loaded.added.get(name).map(|added| added.run(&given)) {
        Some(Ok(value)) => Ok(Given::value(value)),
        Some(Err(error)) => Err(Halt::recipe(error.to_string())),
        None => Err(Halt::recipe(format!("no step named `{name}`"))),
    })
}

fn no_evidence() -> Proof {
    Proof::Evidence(Evidence::default())
}

/// From the snapshot before the first fix of the cycle to the last one taken (D16).
fn fix_span(
    state: &State,
    memory: &Memory,
) -> Option<(tribunal_phase::SnapshotId, tribunal_phase::SnapshotId)> {
    let cycle = &state.running()?.frames.last()?.cycle;
    Some((cycle.tallied()?.first_snapshot()?, memory.last_snapshot()?))
}

fn inputs(
    loaded: &Loaded,
    state: &State,
    memory: &Memory,
    artifacts: &dyn Artifacts,
    call: &CallId,
    proof: Proof,
) -> Result<Inputs, RunError> {
    let running = state.running().filter(|running| !running.frames.is_empty());
    let cycle = running
        .and_then(|running| running.frames.last())
        .map(|frame| frame.cycle.clone())
        .unwrap_or_else(|| tribunal_phase::cycle::State::new(1));
    let mut replies = Vec::new();
    for known in memory.calls.iter().filter(|known| known.call.frame == call.frame) {
        let (Some(role), Some(heard)) = (known.role, &known.heard) else { continue };
        if role.contract().is_none() {
            continue;
        }
        let bytes = match &known.reply {
            Some(id) => artifacts.artifact(id)?,
            None => Vec::new(),
        };
        let (call, heard, place) = (known.call.clone(), heard.clone(), known.place.clone());
        replies.push(Reply { call, role, heard, bytes, place });
    }
    Ok(Inputs {
        call: call.clone(),
        cycle,
        values: memory.values().clone(),
        replies,
        proof,
        limits: loaded.limits.clone().expect("the loader reads limits where a step needs them"),
        no_fix: loaded.definition.options.no_fix,
        validators: loaded.validators,
        root: loaded.definition.root.clone(),
        run_figures: figures(state, memory),
    })
}

/// The name of a computed value: SHA-256 over it and what comes with it.
pub(crate) fn digest(given: &Given) -> ArtifactId {
    let mut parts = vec![given.value.clone()];
    parts.extend(given.also.iter().map(|(name, value)| Datum::map([(*name, value.clone())])));
    let hash = Sha256::digest(Datum::List(parts).to_json());
    ArtifactId::new(hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

/// The contract that a call's answer is read by; prose and computed steps have none.
pub(crate) fn contract_of(loaded: &Loaded, call: &CallId) -> Option<Contract> {
    let steps = loaded.plan.steps();
    steps.filter(|step| step.id == call.step).find_map(|step| match step.work {
        Work::Ask { role, .. } => role.contract(),
        Work::Run { .. } | Work::Native { .. } | Work::Recurse => None,
    })
}

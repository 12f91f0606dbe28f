//! The test command, run for a call that is weighed.

use super::machine::{Next, TEST_STEP, snap};
use super::objection::refuse;
use super::weighing::awaited;
use super::{Asked, Phase, Progress, ReviewLoop, Seen, Stage, State, Weighed};
use crate::{ArtifactId, CallId, Effect, FrameId, Refusal, SnapReason, StepId, What};

impl ReviewLoop {
    pub(super) fn launched(state: &State, what: &What, launched: &CallId) -> Result<Next, Refusal> {
        match testing(state, what)? {
            (_, _, call) if call == launched => Ok((state.clone(), Vec::new())),
            _ => Err(refuse(what, state, &["ran"])),
        }
    }

    pub(super) fn ran(
        state: &State,
        what: &What,
        ended: &CallId,
        exit: Option<i32>,
        output: &ArtifactId,
    ) -> Result<Next, Refusal> {
        let (on, again, call) = testing(state, what)?;
        let State::Weighing(progress, phase, Weighed { asked, .. }) = state else {
            return Err(refuse(what, state, &[state.expected().name()]));
        };
        if call != ended {
            return Err(refuse(what, state, &["ran"]));
        }
        let mut progress = progress.clone();
        let snapshot = progress.next_snapshot();
        let (on, output) = (on.clone(), output.clone());
        let stage = Stage::LookingAgain { on, again, snapshot, exit, output };
        let weighed = Weighed { asked: asked.clone(), stage };
        Ok((State::Weighing(progress, *phase, weighed), vec![snap(snapshot, SnapReason::After)]))
    }
}

/// Runs the test command; a second time when the first run changed the tree, since what it writes for
/// the first time it may leave alone from then on.
pub(super) fn test(
    mut progress: Progress,
    phase: Phase,
    asked: &Asked,
    on: Seen,
    again: bool,
) -> Next {
    progress.runs += 1;
    let call = CallId { frame: FrameId(1), step: StepId::new(TEST_STEP), turn: progress.runs };
    let effect = Effect::Run { call: call.clone(), attempt: 1 };
    let stage = Stage::Testing { call, on, again };
    let weighed = Weighed { asked: asked.clone(), stage };
    (State::Weighing(progress, phase, weighed), vec![effect])
}

/// The run of the test command that is awaited.
fn testing<'s>(state: &'s State, what: &What) -> Result<(&'s Seen, bool, &'s CallId), Refusal> {
    match state {
        State::Weighing(_, _, Weighed { stage, .. }) => match stage {
            Stage::Testing { call, on, again } => Ok((on, *again, call)),
            Stage::Looking(_) | Stage::Comparing(_) | Stage::LookingAgain { .. } => {
                Err(refuse(what, state, awaited(stage)))
            }
        },
        State::Idle | State::Starting(_) | State::Open(..) | State::Done(..) => {
            Err(refuse(what, state, &[state.expected().name()]))
        }
    }
}

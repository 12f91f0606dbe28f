//! A call is held against the tree and the tests.

use super::machine::{Next, accept, answer};
use super::objection::refuse;
use super::testing::test;
use super::{
    Answer, Ask, Asked, Gate, Objection, Phase, Progress, ReviewLoop, Seen, Stage, State, Tested,
    Weighed,
};
use crate::{Effect, Refusal, SnapshotId, TreeId, What};

impl ReviewLoop {
    pub(super) fn snapped(
        &self,
        state: &State,
        what: &What,
        snapshot: SnapshotId,
        tree: &TreeId,
    ) -> Result<Next, Refusal> {
        let seen = Seen { snapshot, tree: tree.clone() };
        match state {
            State::Starting(asked) if snapshot == SnapshotId(1) => Ok(begin(asked, seen)),
            State::Weighing(progress, phase, Weighed { asked, stage }) => match stage {
                Stage::Looking(awaited) if *awaited == snapshot => {
                    Ok(self.looked(progress.clone(), *phase, asked, seen))
                }
                Stage::LookingAgain { on, again, snapshot: awaited, exit, output }
                    if *awaited == snapshot =>
                {
                    let moved = on.tree != seen.tree;
                    if moved && !again {
                        return Ok(test(progress.clone(), *phase, asked, seen, true));
                    }
                    let (exit, output) = (*exit, output.clone());
                    let mut progress = progress.clone();
                    progress.tested = Some(Tested { tree: seen.tree.clone(), exit, output, moved });
                    let seen = if moved { seen } else { on.clone() };
                    Ok(settle(progress, *phase, asked, seen))
                }
                Stage::Looking(_)
                | Stage::LookingAgain { .. }
                | Stage::Comparing(_)
                | Stage::Testing { .. } => Err(refuse(what, state, awaited(stage))),
            },
            State::Starting(_) => Err(refuse(what, state, &["snapped"])),
            State::Idle | State::Open(..) | State::Done(..) => {
                Err(refuse(what, state, &[state.expected().name()]))
            }
        }
    }

    fn looked(&self, progress: Progress, phase: Phase, asked: &Asked, seen: Seen) -> Next {
        let moved = seen.tree != progress.shown.tree;
        match (phase, moved) {
            (Phase::Review, true) => object(progress, phase, asked, seen, Objection::TreeMoved),
            (Phase::Review, false) if self.tests && progress.verification() != PASSED => {
                let shown = progress.shown.clone();
                test(progress, phase, asked, shown, false)
            }
            (Phase::Review, false) => clean(progress, asked),
            (Phase::Simplify, true) if claims_change(asked) => {
                let effect =
                    Effect::Compare { before: progress.shown.snapshot, after: seen.snapshot };
                let weighed = Weighed { asked: asked.clone(), stage: Stage::Comparing(seen) };
                (State::Weighing(progress, phase, weighed), vec![effect])
            }
            (Phase::Simplify, true) => keep(progress, phase, asked, Objection::ChangedAfterAll),
            (Phase::Simplify, false) if claims_change(asked) => {
                keep(progress, phase, asked, Objection::NothingChanged)
            }
            (Phase::Simplify, false) => {
                accept(progress, asked, |progress| State::Done(progress, Gate::NothingLeft))
            }
        }
    }

    pub(super) fn compared(
        &self,
        state: &State,
        what: &What,
        unfounded: u32,
    ) -> Result<Next, Refusal> {
        match state {
            State::Weighing(progress, phase, Weighed { asked, stage: Stage::Comparing(seen) }) => {
                let progress = progress.clone();
                Ok(if unfounded > 0 {
                    keep(progress, *phase, asked, Objection::Unfounded(unfounded))
                } else if self.tests {
                    test(progress, *phase, asked, seen.clone(), false)
                } else {
                    settle(progress, *phase, asked, seen.clone())
                })
            }
            State::Weighing(_, _, Weighed { stage, .. }) => {
                Err(refuse(what, state, awaited(stage)))
            }
            State::Idle | State::Starting(_) | State::Open(..) | State::Done(..) => {
                Err(refuse(what, state, &[state.expected().name()]))
            }
        }
    }
}

const PASSED: super::Verification = super::Verification::Passed;

pub(super) fn awaited(stage: &Stage) -> &'static [&'static str] {
    match stage {
        Stage::Looking(_) | Stage::LookingAgain { .. } => &["snapped"],
        Stage::Comparing(_) => &["compared"],
        Stage::Testing { .. } => &["launched", "ran"],
    }
}

fn claims_change(asked: &Asked) -> bool {
    match asked.ask {
        Ask::Simplify { changed, .. } => changed,
        Ask::Start | Ask::Review { .. } | Ask::Stop | Ask::Unreadable(_) => false,
    }
}

fn begin(asked: &Asked, seen: Seen) -> Next {
    let progress = Progress {
        round: 0,
        findings: 0,
        accepted: asked.clone(),
        shown: seen,
        since: None,
        tested: None,
        snapshots: 1,
        runs: 0,
    };
    answer(State::Open(progress, Phase::Review), Answer::Accepted)
}

/// Everything that a call waits for is known; `seen` is the tree as it is now.
fn settle(mut progress: Progress, phase: Phase, asked: &Asked, seen: Seen) -> Next {
    match phase {
        Phase::Simplify => {
            progress.round += 1;
            progress.since = Some(progress.shown.snapshot);
            progress.shown = seen;
            accept(progress, asked, |progress| State::Open(progress, Phase::Review))
        }
        Phase::Review => {
            let objection = match &progress.tested {
                Some(Tested { moved: true, exit: Some(0), .. }) => Objection::TestsMoveTree,
                Some(Tested { exit: Some(0), .. }) if seen.tree == progress.shown.tree => {
                    return clean(progress, asked);
                }
                Some(Tested { exit: Some(0), .. }) | None => Objection::TreeMoved,
                Some(Tested { exit, .. }) => Objection::TestsFail(*exit),
            };
            object(progress, phase, asked, seen, objection)
        }
    }
}

fn clean(mut progress: Progress, asked: &Asked) -> Next {
    progress.findings = 0;
    accept(progress, asked, |progress| State::Done(progress, Gate::ReviewClean))
}

/// Refuses a review; what the tree has become is shown from now on.
fn object(
    mut progress: Progress,
    phase: Phase,
    asked: &Asked,
    seen: Seen,
    objection: Objection,
) -> Next {
    progress.show(seen);
    keep(progress, phase, asked, objection)
}

/// Refuses a call; the phase goes on.
fn keep(progress: Progress, phase: Phase, asked: &Asked, objection: Objection) -> Next {
    let state = State::Open(progress, phase);
    let refusal = objection.refusal(asked.ask, &state);
    answer(state, Answer::Refused(refusal))
}

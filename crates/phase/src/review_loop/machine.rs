//! Calls in, next state and effects out.

use serde::{Deserialize, Serialize};

use super::objection::refuse;
use super::{Answer, Ask, Asked, Gate, Objection, Opinion, Phase, Progress, Stage, State, Weighed};
use crate::{Effect, Event, Machine, Outcome, Pause, Refusal, SnapReason, SnapshotId, What};

/// The name of the step that runs the test command, in call ids.
pub const TEST_STEP: &str = "test_command";

/// How many simplify passes a loop may have: at least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u32", try_from = "u32")]
pub struct MaxRounds(u32);

/// A limit of no rounds at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("max_rounds must be an integer of at least 1")]
pub struct NoRounds;

impl MaxRounds {
    /// Takes the limit.
    ///
    /// # Errors
    /// [`NoRounds`] for 0: a limit that never holds is none (D27).
    pub fn new(rounds: u32) -> Result<Self, NoRounds> {
        if rounds == 0 { Err(NoRounds) } else { Ok(Self(rounds)) }
    }

    /// The number.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl Default for MaxRounds {
    /// Three (seed 003).
    fn default() -> Self {
        Self(3)
    }
}

impl From<MaxRounds> for u32 {
    fn from(rounds: MaxRounds) -> Self {
        rounds.0
    }
}

impl TryFrom<u32> for MaxRounds {
    type Error = NoRounds;

    fn try_from(rounds: u32) -> Result<Self, NoRounds> {
        Self::new(rounds)
    }
}

/// The machine of one loop.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReviewLoop {
    /// Simplify passes before the budget is spent.
    pub max_rounds: MaxRounds,
    /// Whether there is a test command.
    pub tests: bool,
}

pub(super) type Next = (State, Vec<Effect>);

impl Machine for ReviewLoop {
    type State = State;

    fn start(&self) -> State {
        State::Idle
    }

    fn step(&self, state: &State, event: &Event) -> Result<Next, Refusal> {
        match &event.what {
            What::Asked(asked) => self.asked(state, asked),
            What::Snapped { snapshot, tree } => self.snapped(state, &event.what, *snapshot, tree),
            What::Compared { unfounded, .. } => self.compared(state, &event.what, *unfounded),
            What::Launched { call, .. } => Self::launched(state, &event.what, call),
            What::Ran { call, exit, output } => Self::ran(state, &event.what, call, *exit, output),
            What::Resumed => Ok((before(state), Vec::new())),
            What::Interrupted { signal } => Ok(interrupted(state, *signal)),
            What::Began
            | What::Guarded { .. }
            | What::Replied { .. }
            | What::Restored { .. }
            | What::Kept { .. }
            | What::Computed { .. }
            | What::TimerFired { .. } => {
                Err(refuse(&event.what, state, &[state.expected().name()]))
            }
        }
    }
}

impl ReviewLoop {
    fn asked(&self, state: &State, asked: &Asked) -> Result<Next, Refusal> {
        let object = |objection: Objection| Err(objection.refusal(asked.ask, state));
        match state {
            State::Idle => match asked.ask {
                Ask::Start => Ok((
                    State::Starting(asked.clone()),
                    vec![snap(SnapshotId(1), SnapReason::Before)],
                )),
                Ask::Stop => Ok(answer(state.clone(), Answer::Accepted)),
                Ask::Review { .. } | Ask::Simplify { .. } | Ask::Unreadable(_) => {
                    object(Objection::WrongPhase)
                }
            },
            State::Starting(_) | State::Weighing(..) => object(Objection::Busy),
            State::Open(progress, _) | State::Done(progress, _) if progress.accepted == *asked => {
                Ok(answer(state.clone(), Answer::Repeated))
            }
            State::Open(progress, phase) => match self.in_phase(progress, *phase, asked) {
                Ok(next) => Ok(next),
                Err(objection) => object(objection),
            },
            State::Done(..) => match asked.ask {
                Ask::Stop => Ok(answer(state.clone(), Answer::Accepted)),
                Ask::Start | Ask::Review { .. } | Ask::Simplify { .. } | Ask::Unreadable(_) => {
                    object(Objection::WrongPhase)
                }
            },
        }
    }

    fn in_phase(
        &self,
        progress: &Progress,
        phase: Phase,
        asked: &Asked,
    ) -> Result<Next, Objection> {
        match (phase, asked.ask) {
            (_, Ask::Stop) => {
                Ok(accept(progress.clone(), asked, |p| State::Done(p, Gate::Stopped)))
            }
            (Phase::Review, Ask::Review { opinion, findings, basis }) => {
                if progress.since.is_some() && !basis {
                    return Err(Objection::NoBasis);
                }
                match (opinion, findings) {
                    (Opinion::ChangesRequested, 0) => Err(Objection::NoFindings),
                    (Opinion::ChangesRequested, _) => {
                        Ok(self.changes_requested(progress.clone(), asked, findings))
                    }
                    (Opinion::Clean, 0) => Ok(weigh(progress, phase, asked)),
                    (Opinion::Clean, _) => Err(Objection::CleanWithFindings),
                }
            }
            (Phase::Simplify, Ask::Simplify { changed, files }) => match (changed, files) {
                (false, 1..) => Err(Objection::FilesWithoutChange),
                (true, 0) => Err(Objection::ChangeWithoutFiles),
                (false, 0) | (true, 1..) => Ok(weigh(progress, phase, asked)),
            },
            (Phase::Review, Ask::Simplify { .. })
            | (Phase::Simplify, Ask::Review { .. })
            | (_, Ask::Start | Ask::Unreadable(_)) => Err(Objection::WrongPhase),
        }
    }

    /// The last pass is reviewed too: only a review that wants another one spends the budget (D27).
    fn changes_requested(&self, mut progress: Progress, asked: &Asked, findings: u32) -> Next {
        progress.findings = findings;
        let spent = progress.round >= self.max_rounds.get();
        accept(progress, asked, |progress| {
            if spent {
                State::Done(progress, Gate::BudgetExhausted)
            } else {
                State::Open(progress, Phase::Simplify)
            }
        })
    }
}

/// Looks at the tree before the call counts.
fn weigh(progress: &Progress, phase: Phase, asked: &Asked) -> Next {
    let mut progress = progress.clone();
    let snapshot = progress.next_snapshot();
    let weighed = Weighed { asked: asked.clone(), stage: Stage::Looking(snapshot) };
    (State::Weighing(progress, phase, weighed), vec![snap(snapshot, SnapReason::After)])
}

/// The call counts.
pub(super) fn accept(
    mut progress: Progress,
    asked: &Asked,
    state: impl FnOnce(Progress) -> State,
) -> Next {
    progress.accepted = asked.clone();
    answer(state(progress), Answer::Accepted)
}

pub(super) fn answer(state: State, answer: Answer) -> Next {
    (state, vec![Effect::Answer(answer)])
}

pub(super) fn snap(snapshot: SnapshotId, why: SnapReason) -> Effect {
    Effect::Snap { snapshot, why }
}

/// A weighed call whose caller is gone is void: it was not answered, and the tree may be another by now.
fn before(state: &State) -> State {
    match state {
        State::Idle | State::Starting(_) => State::Idle,
        State::Open(progress, phase) | State::Weighing(progress, phase, _) => {
            State::Open(progress.clone(), *phase)
        }
        State::Done(..) => state.clone(),
    }
}

fn interrupted(state: &State, signal: i32) -> Next {
    let mut effects = Vec::new();
    if let State::Weighing(_, _, Weighed { stage: Stage::Testing { call, .. }, .. }) = state {
        effects.push(Effect::End(vec![call.clone()]));
    }
    effects.push(Effect::Finish(Outcome::Paused(Pause::Signal(signal))));
    (before(state), effects)
}

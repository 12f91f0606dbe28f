//! The loops of a work tree, and the calls on them.

use std::path::PathBuf;
use std::sync::OnceLock;

use tribunal_journal::{Run, StateDir, TreeLock};
use tribunal_phase::review_loop::{
    Answer, Ask, Call, LoopStatus, Objection, ReviewLoop, State, Tool, Unreadable,
    refuse_unreadable,
};
use tribunal_phase::{Machine, Refusal, RunId};

use super::definition::LoopDefinition;
use super::find::Recorded;
use super::hang_up::{self, Gone, HangUp};
use super::limits::LoopLimits;
use super::patience::when_free;
use super::session::{Session, tree_of};
use super::show;
use crate::error::RunError;
use crate::prepare::state_dir;
use crate::surroundings::Surroundings;

/// Makes the machine of a loop: the one place to put another in.
pub type MakeMachine = fn(ReviewLoop) -> Box<dyn Machine<State = State>>;

/// The loops of the work tree around a folder.
#[derive(Debug, Clone)]
pub struct Loops {
    pub(super) surroundings: Surroundings,
    pub(super) limits: LoopLimits,
    pub(super) machine: MakeMachine,
    /// The root of the work tree, once it was found.
    pub(super) root: OnceLock<PathBuf>,
    pub(super) gone: Option<Gone>,
}

/// What became of a call, and how the loop stands now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// Whether it counts.
    pub answer: Answer,
    /// How the loop stands.
    pub status: LoopStatus,
}

impl Loops {
    /// The loops of the work tree around the current folder.
    pub fn new(surroundings: Surroundings, limits: LoopLimits) -> Self {
        Self {
            surroundings,
            limits,
            machine: |rules| Box::new(rules),
            root: OnceLock::new(),
            gone: None,
        }
    }

    /// Has loops go by another machine.
    #[must_use]
    pub fn with_machine(mut self, machine: MakeMachine) -> Self {
        self.machine = machine;
        self
    }

    /// Has calls end when their caller goes away, and gives the hand that ends them.
    #[must_use]
    pub fn with_hang_up(mut self) -> (Self, HangUp) {
        let (hang_up, gone) = hang_up::channel();
        self.gone = Some(gone);
        (self, hang_up)
    }

    /// Carries out a call.
    ///
    /// A refused call is an answer. A call waits up to a minute for another one on the same work tree.
    ///
    /// # Errors
    /// No such run, no git repository, another run at work on the tree, a signal, or state that cannot
    /// be read or written.
    pub async fn call(&self, call: Call) -> Result<Answered, RunError> {
        let Some(ask) = call.ask() else {
            let status = self.status(call.run())?;
            return Ok(Answered { answer: Answer::Accepted, status });
        };
        if let Call::Start(start) = call {
            return self.start(start).await;
        }
        let state_dir = state_dir(&self.surroundings)?;
        match self.find(&state_dir, call.run())? {
            Some(found) => self.on(&state_dir, found.past.id(), call, ask).await,
            None if ask == Ask::Stop => self.nothing(Answer::Accepted),
            None => self.nothing(Answer::Refused(Objection::WrongPhase.refusal(ask, &State::Idle))),
        }
    }

    /// Refuses a call whose arguments could not be read, and puts that on record where there is a loop.
    ///
    /// # Errors
    /// As [`Loops::call`].
    pub async fn refuse(
        &self,
        tool: Tool,
        arguments: &str,
        why: &Unreadable,
    ) -> Result<Answered, RunError> {
        let state_dir = state_dir(&self.surroundings)?;
        let found = if tool == Tool::Status { None } else { self.find(&state_dir, None)? };
        let Some(found) = found else {
            let refusal = refuse_unreadable(&State::Idle, tool, why.got.clone(), &why.wanted);
            return self.nothing(Answer::Refused(refusal));
        };
        let mut session = self.open(&state_dir, found.past.id()).await?;
        let refusal = session.refuse(tool, arguments, why)?;
        self.answered(session, Answer::Refused(refusal))
    }

    /// How a loop stands: the one that is named, else the last one of this work tree.
    ///
    /// Reads what is recorded; neither waits for a call that is open nor looks at the tree.
    ///
    /// # Errors
    /// As [`Loops::call`].
    pub fn status(&self, run: Option<&str>) -> Result<LoopStatus, RunError> {
        let state_dir = state_dir(&self.surroundings)?;
        let Some(recorded) = self.find(&state_dir, run)? else {
            return Ok(show::idle(self.limits.max_rounds));
        };
        let Recorded { past, definition, folded } = recorded;
        let id = past.id();
        let tree = || tree_of(&definition, id, &self.surroundings);
        show::status(id, &definition, &folded.state, &folded.trees, &past, tree)
    }

    pub(super) async fn on(
        &self,
        state_dir: &StateDir,
        id: &RunId,
        call: Call,
        ask: Ask,
    ) -> Result<Answered, RunError> {
        let mut session = self.open(state_dir, id).await?;
        let answer = session.call(call, ask).await?;
        self.answered(session, answer)
    }

    /// Takes the locks of the work tree and of the run, in this order.
    pub(super) async fn open(
        &self,
        state_dir: &StateDir,
        id: &RunId,
    ) -> Result<Session<'_>, RunError> {
        let past = state_dir.read(id)?;
        let definition = LoopDefinition::of_loop(past.records(), &past, id)?;
        let root = PathBuf::from(&definition.root);
        let alone = when_free(|| state_dir.lock_tree(&root)).await?;
        let run = when_free(|| state_dir.open_run(id)).await?;
        self.session(run, definition, alone)
    }

    /// Takes up a loop whose locks are held.
    pub(super) fn session(
        &self,
        run: Run,
        definition: LoopDefinition,
        alone: TreeLock,
    ) -> Result<Session<'_>, RunError> {
        let machine = (self.machine)(definition.machine());
        let surroundings = &self.surroundings;
        Session::new(run, definition, machine, surroundings, self.gone.clone(), alone)
    }

    pub(super) fn answered(
        &self,
        session: Session<'_>,
        answer: Answer,
    ) -> Result<Answered, RunError> {
        let Session { run, definition, state, trees, tree, .. } = session;
        let id = run.id().clone();
        let mut status = show::status(&id, &definition, &state, &trees, &run, || Ok(tree))?;
        status.refused = refused(&answer).map(ToString::to_string);
        run.close()?;
        Ok(Answered { answer, status })
    }

    /// The answer where there is no loop.
    pub(super) fn nothing(&self, answer: Answer) -> Result<Answered, RunError> {
        let mut status = show::idle(self.limits.max_rounds);
        status.refused = refused(&answer).map(ToString::to_string);
        Ok(Answered { answer, status })
    }
}

fn refused(answer: &Answer) -> Option<&Refusal> {
    match answer {
        Answer::Refused(refusal) => Some(refusal),
        Answer::Accepted | Answer::Repeated => None,
    }
}

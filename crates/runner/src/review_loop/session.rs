//! One call on one loop: what happened → what the machine says → what is done about it.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Instant;

use tribunal_journal::{Run, TreeLock};
use tribunal_phase::review_loop::{
    Answer, Ask, Asked, Call, State, Tool, Unreadable, refuse_unreadable,
};
use tribunal_phase::{
    CallId, Effect, Event, Machine, Millis, Outcome, Pause, Refusal, RunId, What,
};
use tribunal_record::{Body, Note};

use super::definition::LoopDefinition;
use super::fold::{Folded, fold};
use super::hang_up::Gone;
use crate::drive::wall_clock;
use crate::error::RunError;
use crate::prepare::{end_children, worktree_at};
use crate::surroundings::Surroundings;
use crate::tree::{Tree, Trees};

/// A loop that is being worked on; holds the locks of its run and of its work tree.
pub(super) struct Session<'a> {
    pub(super) run: Run,
    pub(super) definition: LoopDefinition,
    pub(super) surroundings: &'a Surroundings,
    pub(super) state: State,
    pub(super) tree: Tree,
    pub(super) trees: Trees,
    machine: Box<dyn Machine<State = State>>,
    base: Millis,
    since: Instant,
    pub(super) ready: VecDeque<What>,
    /// The call that is open, with its event.
    pub(super) open: Option<(Call, Event)>,
    answer: Option<Answer>,
    /// A run of the test command that is due.
    due: Option<CallId>,
    /// The signal that ended the call.
    pub(super) signal: Option<i32>,
    pub(super) gone: Option<Gone>,
    _alone: TreeLock,
}

/// The work tree of a loop with the loop's snapshots.
pub(super) fn tree_of(
    definition: &LoopDefinition,
    id: &RunId,
    surroundings: &Surroundings,
) -> Result<Tree, RunError> {
    let worktree = worktree_at(Path::new(&definition.root))?;
    Ok(Tree::new(worktree, id.clone(), vec![surroundings.state_dir.clone()]))
}

impl<'a> Session<'a> {
    /// Takes up a loop where its journal ends. A call that was open when a process went away is void.
    pub(super) fn new(
        run: Run,
        definition: LoopDefinition,
        machine: Box<dyn Machine<State = State>>,
        surroundings: &'a Surroundings,
        gone: Option<Gone>,
        alone: TreeLock,
    ) -> Result<Self, RunError> {
        let Folded { state, trees, at } = fold(&*machine, run.records(), run.id())?;
        let tree = tree_of(&definition, run.id(), surroundings)?;
        let mut session = Self {
            run,
            definition,
            surroundings,
            state,
            tree,
            trees,
            machine,
            base: at,
            since: Instant::now(),
            ready: VecDeque::new(),
            open: None,
            answer: None,
            due: None,
            signal: None,
            gone,
            _alone: alone,
        };
        if matches!(session.state, State::Weighing(..) | State::Starting(_)) {
            end_children(session.run.id());
            session.tree.free()?;
            session.take(What::Resumed)?;
        }
        Ok(session)
    }

    /// Asks the machine, and does what it wants to know before it answers.
    pub(super) async fn call(&mut self, call: Call, ask: Ask) -> Result<Answer, RunError> {
        let before = self.state.clone();
        let said = self.run.keep(call.text().as_bytes())?;
        let event = self.event(What::Asked(Asked { ask, said }));
        self.open = Some((call, event.clone()));
        self.step(event)?;
        while self.answer.is_none() {
            if let Some(what) = self.ready.pop_front() {
                self.take(what)?;
            } else if let Some(call) = self.due.take() {
                self.test(&call).await?;
            } else {
                break;
            }
        }
        if let Some(signal) = self.signal {
            self.run.sync()?;
            return Err(RunError::Interrupted { signal });
        }
        let answer = self.answer.take().ok_or_else(|| RunError::Lost("an answer".to_owned()))?;
        if answer == Answer::Accepted && self.state != before {
            let state = Box::new(self.state.clone());
            self.append(Body::Note(Note::AuditLoopState(state)))?;
            if self.state.gate().is_some() {
                self.append(Body::Note(Note::Finished { outcome: Outcome::Completed }))?;
            }
        }
        self.run.sync()?;
        Ok(answer)
    }

    /// Puts a call on record that could not be read.
    pub(super) fn refuse(
        &mut self,
        tool: Tool,
        arguments: &str,
        why: &Unreadable,
    ) -> Result<Refusal, RunError> {
        let said = self.run.keep(arguments.as_bytes())?;
        let event = self.event(What::Asked(Asked { ask: Ask::Unreadable(tool), said }));
        let refusal = refuse_unreadable(&self.state, tool, why.got.clone(), &why.wanted);
        self.append(Body::Refused { event, refusal: refusal.clone() })?;
        Ok(refusal)
    }

    fn event(&self, what: What) -> Event {
        let passed = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        Event { at: self.base.saturating_add(passed), what }
    }

    pub(super) fn take(&mut self, what: What) -> Result<(), RunError> {
        self.step(self.event(what))
    }

    fn step(&mut self, event: Event) -> Result<(), RunError> {
        match self.machine.step(&self.state, &event) {
            Ok((state, effects)) => {
                self.append(Body::Event(event.clone()))?;
                if let What::Snapped { snapshot, tree } = event.what {
                    self.trees.insert(snapshot, tree);
                }
                self.state = state;
                effects.into_iter().try_for_each(|effect| self.perform(effect))
            }
            Err(refusal) if matches!(event.what, What::Asked(_)) => {
                self.answer = Some(Answer::Refused(refusal.clone()));
                self.append(Body::Refused { event, refusal })
            }
            Err(refusal) => {
                self.append(Body::Refused { event, refusal: refusal.clone() })?;
                Err(RunError::Refused(refusal))
            }
        }
    }

    fn perform(&mut self, effect: Effect) -> Result<(), RunError> {
        match effect {
            Effect::Snap { snapshot, .. } => {
                let tree = self.tree.snapshot_of_files(snapshot, &self.trees)?;
                self.ready.push_back(What::Snapped { snapshot, tree });
            }
            Effect::Compare { before, after } => self.compare(before, after)?,
            Effect::Run { call, .. } => self.due = Some(call),
            Effect::Answer(answer) => {
                if let (Answer::Refused(refusal), Some((_, event))) = (&answer, self.open.take()) {
                    self.append(Body::Refused { event, refusal: refusal.clone() })?;
                }
                self.answer = Some(answer);
            }
            Effect::Finish(Outcome::Paused(Pause::Signal(signal))) => self.signal = Some(signal),
            // Whoever waits for the child ends it.
            Effect::End(_) => {}
            Effect::Guard(_)
            | Effect::Ask { .. }
            | Effect::Restore(_)
            | Effect::Keep { .. }
            | Effect::Compute { .. }
            | Effect::Arm { .. }
            | Effect::Disarm(_)
            | Effect::Enter(_)
            | Effect::Leave(_)
            | Effect::Say(_)
            | Effect::Finish(_) => return Err(RunError::Lost("a step of a recipe".to_owned())),
        }
        Ok(())
    }

    pub(super) fn append(&mut self, body: Body) -> Result<(), RunError> {
        self.run.append(body, wall_clock())?;
        Ok(())
    }
}

//! The driver: what happened → what the machine says → what is done about it.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::time::{Instant, SystemTime};

use tokio::task::JoinSet;
use tribunal_dispatch::Canceller;
use tribunal_journal::{Output, Run};
use tribunal_phase::plan::State;
use tribunal_phase::{ArtifactId, CallId, Event, Machine as _, Millis, Outcome, Timer, What};
use tribunal_record::Body;

use crate::answers::spoken;
use crate::child::{ChildEnd, Prepared};
use crate::compute::Artifacts;
use crate::definition::Loaded;
use crate::error::RunError;
use crate::memory::Memory;
use crate::native::Given;
use crate::notice::Notice;
use crate::signals::Signals;
use crate::surroundings::Surroundings;
use crate::tree::Tree;

/// Drives one run until it ends or pauses.
pub(crate) struct Driver<'a> {
    pub(crate) loaded: &'a Loaded,
    pub(crate) surroundings: &'a Surroundings,
    pub(crate) notify: &'a mut dyn FnMut(Notice),
    pub(crate) run: Run,
    pub(crate) tree: Option<Tree>,
    pub(crate) output: Option<Output>,
    /// Folders of the recorded rules of users, as children find them.
    pub(crate) rules: Vec<PathBuf>,
    pub(crate) state: State,
    pub(crate) memory: Memory,
    clock: Clock,
    /// Events that are known already and wait for their turn.
    pub(crate) ready: VecDeque<What>,
    /// Children described and not started: their `Launched` record comes first.
    pub(crate) prepared: BTreeMap<CallId, Prepared>,
    /// Children whose launch is on record and that start as soon as it is on the disk.
    launching: Vec<Prepared>,
    /// The value behind the next `Computed` event.
    pub(crate) given: Option<Given>,
    pub(crate) children: JoinSet<ChildEnd>,
    pub(crate) cancellers: BTreeMap<CallId, Canceller>,
    pub(crate) timer: Option<(Timer, tokio::time::Instant)>,
    pub(crate) finished: Option<Outcome>,
}

/// Running time, without down time.
struct Clock {
    base: Millis,
    since: Instant,
}

impl Clock {
    fn now(&self) -> Millis {
        self.base + u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Milliseconds since 1970; for people, nothing is decided on it.
pub(crate) fn wall_clock() -> Millis {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    // A clock before 1970 is shown as 1970.
    since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

impl Artifacts for Run {
    fn artifact(&self, id: &ArtifactId) -> Result<Vec<u8>, RunError> {
        Ok(Run::artifact(self, id)?)
    }
}

impl<'a> Driver<'a> {
    pub(crate) fn new(
        loaded: &'a Loaded,
        surroundings: &'a Surroundings,
        notify: &'a mut dyn FnMut(Notice),
        run: Run,
        tree: Option<Tree>,
        output: Option<Output>,
    ) -> Self {
        Self {
            loaded,
            surroundings,
            notify,
            run,
            tree,
            output,
            rules: Vec::new(),
            state: loaded.plan.start(),
            memory: Memory::default(),
            clock: Clock { base: 0, since: Instant::now() },
            ready: VecDeque::new(),
            prepared: BTreeMap::new(),
            launching: Vec::new(),
            given: None,
            children: JoinSet::new(),
            cancellers: BTreeMap::new(),
            timer: None,
            finished: None,
        }
    }

    pub(crate) fn with_rules(mut self, folders: Vec<PathBuf>) -> Self {
        self.rules = folders;
        self
    }

    /// Goes on where a fold of the journal ended.
    pub(crate) fn at(mut self, state: State, memory: Memory) -> Self {
        self.clock = Clock { base: memory.at, since: Instant::now() };
        self.state = state;
        self.memory = memory;
        self
    }

    /// Runs until the machine says it is finished; children are gone when this returns.
    pub(crate) async fn drive(&mut self, first: What) -> Result<Outcome, RunError> {
        let mut signals = Signals::new()?;
        self.ready.push_back(first);
        let result = self.cycle(&mut signals).await;
        self.end_children(&mut signals).await;
        result
    }

    async fn cycle(&mut self, signals: &mut Signals) -> Result<Outcome, RunError> {
        loop {
            while let Some(what) = self.ready.pop_front() {
                self.take(what)?;
            }
            // Before the run waits, and before it tells its end: what happened so far is on the disk.
            self.run.sync()?;
            for prepared in std::mem::take(&mut self.launching) {
                self.spawn(prepared)?;
            }
            if let Some(outcome) = self.finished.take() {
                return Ok(outcome);
            }
            let due = self.timer;
            tokio::select! {
                biased;
                signal = signals.next() => self.ready.push_back(What::Interrupted { signal }),
                Some(end) = self.children.join_next() => {
                    let end = end.map_err(|error| RunError::child(&error))?;
                    let what = self.ended(end)?;
                    self.ready.push_back(what);
                }
                timer = until(due) => {
                    self.timer = None;
                    self.ready.push_back(What::TimerFired { timer });
                }
            }
        }
    }

    /// One event: the machine decides, the journal keeps it, then it is acted on.
    fn take(&mut self, what: What) -> Result<(), RunError> {
        let event = Event { at: self.clock.now(), what };
        let (state, effects) = match self.loaded.plan.step(&self.state, &event) {
            Ok(next) => next,
            Err(refusal) => {
                self.append(Body::Refused { event, refusal: refusal.clone() })?;
                return Err(RunError::Refused(refusal));
            }
        };
        self.append(Body::Event(event.clone()))?;
        let spoken = spoken(self.loaded, &self.run, &event.what)?;
        let given = match event.what {
            What::Computed { .. } => self.given.take(),
            _ => None,
        };
        self.memory.note(self.loaded, &event, given, spoken);
        self.state = state;
        if let What::Launched { call, .. } = &event.what {
            self.launching.extend(self.prepared.remove(call));
        }
        for effect in effects {
            self.memory
                .follow(self.loaded, &self.state, &effect)
                .map_err(|error| RunError::Expression { place: "output".to_owned(), error })?;
            self.perform(effect)?;
        }
        Ok(())
    }

    pub(crate) fn append(&mut self, body: Body) -> Result<(), RunError> {
        self.run.append(body, wall_clock())?;
        Ok(())
    }

    /// Starts a child whose launch is on record.
    fn spawn(&mut self, prepared: Prepared) -> Result<(), RunError> {
        let call = &prepared.call;
        let (spool, path) = self.run.spool(call, prepared.attempt)?;
        let (canceller, cancel) = Canceller::new();
        self.cancellers.insert(call.clone(), canceller);
        (self.notify)(Notice::Launched {
            cycle: self.memory.top().cycle,
            step: call.step.to_string(),
            agent: prepared.agent.clone(),
            attempt: prepared.attempt,
        });
        self.children.spawn(prepared.run(spool, path, cancel));
        Ok(())
    }

    /// Ends what still runs; a further signal ends it at once.
    async fn end_children(&mut self, signals: &mut Signals) {
        for canceller in self.cancellers.values() {
            canceller.cancel();
        }
        while !self.children.is_empty() {
            tokio::select! {
                _ = self.children.join_next() => {}
                _ = signals.next() => {
                    for canceller in self.cancellers.values() {
                        canceller.cancel();
                    }
                }
            }
        }
        self.cancellers.clear();
    }
}

/// Waits for a timer; for ever when none is set.
async fn until(timer: Option<(Timer, tokio::time::Instant)>) -> Timer {
    match timer {
        Some((timer, due)) => {
            tokio::time::sleep_until(due).await;
            timer
        }
        None => std::future::pending().await,
    }
}

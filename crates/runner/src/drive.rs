//! The driver: what happened → what the machine says → what is done about it.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Instant, SystemTime};

use tokio::task::JoinSet;
use tribunal_dispatch::Canceller;
use tribunal_journal::{Output, Run};
use tribunal_phase::plan::State;
use tribunal_phase::{
    ArtifactId, CallId, Event, Heard, Machine as _, Millis, Outcome, Timer, What,
};
use tribunal_recipe::Datum;
use tribunal_record::{Body, Note};
use tribunal_verdict::answer_text;

use crate::child::{ChildEnd, Prepared, heard, how};
use crate::compute::{Artifacts, contract_of};
use crate::definition::Loaded;
use crate::error::RunError;
use crate::memory::{Memory, Spoken, step};
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
    pub(crate) state: State,
    pub(crate) memory: Memory,
    clock: Clock,
    /// Events that are known already and wait for their turn.
    pub(crate) ready: VecDeque<What>,
    /// Children described and not started: their `Launched` record comes first.
    pub(crate) prepared: BTreeMap<CallId, Prepared>,
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
            state: loaded.plan.start(),
            memory: Memory::default(),
            clock: Clock { base: 0, since: Instant::now() },
            ready: VecDeque::new(),
            prepared: BTreeMap::new(),
            given: None,
            children: JoinSet::new(),
            cancellers: BTreeMap::new(),
            timer: None,
            finished: None,
        }
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
        let outcome = result?;
        self.append(Body::Note(Note::Finished { outcome: outcome.clone() }))?;
        Ok(outcome)
    }

    async fn cycle(&mut self, signals: &mut Signals) -> Result<Outcome, RunError> {
        loop {
            while let Some(what) = self.ready.pop_front() {
                self.take(what)?;
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
            self.spawn(call)?;
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
    fn spawn(&mut self, call: &CallId) -> Result<(), RunError> {
        let Some(prepared) = self.prepared.remove(call) else { return Ok(()) };
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

    /// A child's end as an event.
    fn ended(&mut self, end: ChildEnd) -> Result<What, RunError> {
        self.cancellers.remove(&end.call);
        let ChildEnd { call, attempt, role, spool, reply } = end;
        let artifact = self.run.keep_file(&spool)?;
        let (ended, usage) = match reply {
            Ok(reply) => {
                let wall = u64::try_from(reply.wall.as_millis()).unwrap_or(u64::MAX);
                let usage = tribunal_phase::Usage { wall, ..tribunal_phase::Usage::default() };
                if !reply.stderr.is_empty() {
                    let artifact = self.run.keep(&reply.stderr)?;
                    let call = call.clone();
                    self.append(Body::Note(Note::Stderr { call, attempt, artifact }))?;
                }
                (Ok((reply.ended, reply.stderr)), usage)
            }
            Err(error) => (Err(error), tribunal_phase::Usage::default()),
        };
        let cycle = self.memory.top().cycle;
        let step_id = call.step.to_string();
        let Some(role) = role else {
            let exit = self.command_exit(&call, &artifact, ended)?;
            let how =
                exit.map_or("did not end by itself".to_owned(), |code| format!("exit {code}"));
            (self.notify)(Notice::Ended { cycle, step: step_id, how, wall: usage.wall });
            return Ok(What::Ran { call, exit, output: artifact });
        };
        let heard = match ended {
            Ok((ended, stderr)) => {
                let heard = heard(role, ended, &self.run.artifact(&artifact)?);
                if let Heard::Fault(_) = heard {
                    self.show_tail(&call, &stderr);
                }
                heard
            }
            Err(error) => {
                (self.notify)(Notice::Fatal(format!("[{}] {error}", call.step)));
                Heard::Fault(tribunal_phase::Fault::NotStarted)
            }
        };
        let how = how(&heard, role.contract());
        (self.notify)(Notice::Ended { cycle, step: step_id, how, wall: usage.wall });
        Ok(What::Replied { call, heard, usage, reply: Some(artifact) })
    }

    fn command_exit(
        &mut self,
        call: &CallId,
        output: &ArtifactId,
        ended: Result<(tribunal_dispatch::Ended, Vec<u8>), tribunal_dispatch::LaunchError>,
    ) -> Result<Option<i32>, RunError> {
        let exit = match ended {
            Ok((tribunal_dispatch::Ended::Exited(code), stderr)) => {
                self.show_tail(call, &stderr);
                Some(code)
            }
            Ok((_, stderr)) => {
                self.show_tail(call, &stderr);
                None
            }
            Err(error) => {
                (self.notify)(Notice::Fatal(format!("[{}] {error}", call.step)));
                None
            }
        };
        let must_parse = step(self.loaded, &call.step).is_some_and(|step| step.parse_json);
        if exit == Some(0) && must_parse {
            let bytes = self.run.artifact(output)?;
            if let Err(error) = Datum::from_json(&String::from_utf8_lossy(&bytes)) {
                let text =
                    format!("[{}] its output is no JSON (parse_json: true): {error}", call.step);
                (self.notify)(Notice::Fatal(text));
                return Ok(None);
            }
        }
        Ok(exit)
    }

    /// The last lines that a child wrote to standard error.
    fn show_tail(&mut self, call: &CallId, stderr: &[u8]) {
        const LINES: usize = 10;
        let text = String::from_utf8_lossy(stderr);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        for line in &lines[lines.len().saturating_sub(LINES)..] {
            (self.notify)(Notice::Warning(format!("[{}] {line}", call.step)));
        }
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

/// What a finished child said, as far as it becomes a value of the recipe.
pub(crate) fn spoken(
    loaded: &Loaded,
    artifacts: &dyn Artifacts,
    what: &What,
) -> Result<Spoken, RunError> {
    match what {
        What::Replied { call, heard: Heard::Said(_), reply: Some(reply), .. } => {
            if contract_of(loaded, call).is_some() {
                return Ok(Spoken::Nothing);
            }
            let text = answer_text(&artifacts.artifact(reply)?);
            let parse = step(loaded, &call.step).is_some_and(|step| step.parse_json);
            Ok(Spoken::Value(value_of(&text, parse)))
        }
        What::Ran { call, output, .. } => {
            let text = String::from_utf8_lossy(&artifacts.artifact(output)?).into_owned();
            let parse = step(loaded, &call.step).is_some_and(|step| step.parse_json);
            Ok(Spoken::Value(value_of(&text, parse)))
        }
        _ => Ok(Spoken::Nothing),
    }
}

/// Text as it is, without its outer blanks; JSON where the step asks for it.
fn value_of(text: &str, parse_json: bool) -> Datum {
    if parse_json {
        // A text that is no JSON has failed its step already; nothing reads the value.
        return Datum::from_json(text).unwrap_or_default();
    }
    Datum::from(text.trim())
}

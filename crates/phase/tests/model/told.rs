//! The model: a run, told from its beginning.

use std::collections::BTreeMap;

use tribunal_phase::cycle::{self, Decision};
use tribunal_phase::plan::{Node, Plan, Step, Work};
use tribunal_phase::{
    CallId, Done, Effect, Fact, Failure, FrameId, Guarded, Native, Outcome, Pause, Saying,
    SnapReason, SnapshotId, StepId, Timer, TreeId, What,
};

/// What a history comes to.
pub(crate) struct Told {
    /// All effects, in order, without those of timers.
    pub(crate) effects: Vec<Effect>,
    /// How it ended or paused.
    pub(crate) outcome: Option<Outcome>,
    /// Whether the last event does not fit.
    pub(crate) is_refused: bool,
    /// What would fit next.
    pub(crate) offers: Vec<Offer>,
    /// What each cycle knows, from the first.
    pub(crate) cycles: Vec<String>,
}

/// An event that would fit, without what it says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Offer {
    Begin,
    Resume,
    Guard(CallId),
    Launch(CallId, u32),
    Reply(CallId),
    Exit(CallId),
    Snap(SnapshotId),
    Restore(SnapshotId),
    Keep(CallId),
    Compute(CallId),
    Timer(FrameId),
}

/// Why the telling stops.
pub(crate) enum Stop {
    /// The history is over.
    Waits(Vec<Offer>),
    /// An event does not fit.
    Refused,
    /// The history is over in a pause.
    Paused(Pause),
    /// The run failed.
    Failed(CallId, Failure),
}

pub(crate) type Tale<T> = Result<T, Stop>;

pub(crate) struct Teller<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) history: std::slice::Iter<'a, What>,
    pub(crate) effects: Vec<Effect>,
    frames: Vec<Frame>,
    past: Vec<cycle::State>,
    pushed: u32,
    snapshots: u32,
}

pub(crate) struct Frame {
    id: FrameId,
    cycle: cycle::State,
    timed: bool,
    turns: BTreeMap<StepId, u32>,
}

/// Tells a history; every event but the last one fits.
pub(crate) fn tell(plan: &Plan, history: &[What]) -> Told {
    let mut teller = Teller {
        plan,
        history: history.iter(),
        effects: Vec::new(),
        frames: Vec::new(),
        past: Vec::new(),
        pushed: 0,
        snapshots: 0,
    };
    let (mut is_refused, mut offers, mut outcome) = (false, Vec::new(), None);
    match teller.whole() {
        Ok(()) => outcome = Some(Outcome::Completed),
        Err(Stop::Failed(call, failure)) => outcome = Some(Outcome::Failed { call, failure }),
        Err(Stop::Paused(pause)) => {
            outcome = Some(Outcome::Paused(pause));
            offers.push(Offer::Resume);
        }
        Err(Stop::Waits(due)) => offers = due,
        Err(Stop::Refused) => is_refused = true,
    }
    if let Some(Outcome::Completed | Outcome::Failed { .. }) = outcome {
        // Nothing fits after the end.
        is_refused = teller.history.next().is_some();
        teller.effects.extend(outcome.clone().map(Effect::Finish));
    }
    let known = teller.past.iter().chain(teller.frames.iter().map(|frame| &frame.cycle));
    let mut cycles: Vec<_> = known.collect();
    cycles.sort_by_key(|cycle| cycle.cycle());
    let cycles = cycles.iter().map(|cycle| format!("{cycle:?}")).collect();
    Told { effects: teller.effects, outcome, is_refused, offers, cycles }
}

/// A state of the tree.
#[derive(Clone, PartialEq)]
pub(crate) struct Tree {
    pub(crate) snapshot: SnapshotId,
    pub(crate) id: TreeId,
}

impl<'a> Teller<'a> {
    fn whole(&mut self) -> Tale<()> {
        match self.history.next() {
            None => return Err(Stop::Waits(vec![Offer::Begin])),
            Some(What::Began) => {}
            Some(_) => return Err(Stop::Refused),
        }
        self.cycle(1)
    }

    fn cycle(&mut self, number: u32) -> Tale<()> {
        self.pushed += 1;
        let id = FrameId(self.pushed);
        self.effects.push(Effect::Enter(id));
        let (cycle, timed) = (cycle::State::new(number), self.plan.cycle_timeout.is_some());
        self.frames.push(Frame { id, cycle, timed, turns: BTreeMap::new() });
        for node in &self.plan.nodes {
            match node {
                Node::Step(step) => self.steps(&[step])?,
                Node::Group(steps) => self.steps(&steps.iter().collect::<Vec<_>>())?,
                Node::Repeat(repeat) => {
                    for turn in 1..=repeat.max {
                        for step in &repeat.steps {
                            self.steps(&[step])?;
                        }
                        let call = CallId { frame: id, step: repeat.id.clone(), turn };
                        match self.condition(&call)? {
                            Guarded::Go => break,
                            Guarded::Skip => {}
                            Guarded::Bad => return Err(Stop::Failed(call, Failure::Recipe)),
                        }
                    }
                }
            }
        }
        let frame = self.frames.pop().expect("it was just pushed");
        self.effects.push(Effect::Leave(frame.id));
        self.past.push(frame.cycle);
        Ok(())
    }

    /// Steps that stand at one place: those whose conditions hold are done, at once.
    fn steps(&mut self, steps: &[&'a Step]) -> Tale<()> {
        let mut going = Vec::new();
        for step in steps {
            if step.guarded {
                let call = self.next_call(step);
                match self.condition(&call)? {
                    Guarded::Go => going.push(*step),
                    Guarded::Skip => {}
                    Guarded::Bad => return Err(Stop::Failed(call, Failure::Recipe)),
                }
            } else {
                going.push(*step);
            }
        }
        let Some(first) = going.first() else { return Ok(()) };
        match first.work {
            Work::Ask { .. } | Work::Run { .. } => self.children(&going),
            Work::Native { .. } => {
                let call = self.take_call(first);
                match self.computed(&call, Native::Step)? {
                    Done::Gave { facts, .. } => self.admit(&call, &facts),
                    Done::Failed(failure) => self.fail(&call, failure),
                }
            }
            Work::Recurse => self.recurse(first),
        }
    }

    fn recurse(&mut self, step: &Step) -> Tale<()> {
        let call = self.take_call(step);
        let top = self.frames.last().expect("a run under way has a frame");
        let next = match top.cycle.decision() {
            Some(Decision::Stop { .. }) => return Ok(()),
            Some(Decision::Continue { next, .. }) => next,
            // The cycle itself refuses.
            None => 0,
        };
        self.admit(&call, &[Fact::FramePushed(FrameId(self.pushed + 1))])?;
        self.cycle(next)
    }

    pub(crate) fn condition(&mut self, call: &CallId) -> Tale<Guarded> {
        let owed = Effect::Guard(call.clone());
        self.effects.push(owed.clone());
        self.wait(&owed, Offer::Guard(call.clone()), &[], |what| match what {
            What::Guarded { call: answered, answer } if answered == call => Some(*answer),
            _ => None,
        })
    }

    pub(crate) fn computed(&mut self, call: &CallId, native: Native) -> Tale<Done> {
        let owed = Effect::Compute { call: call.clone(), native };
        self.effects.push(owed.clone());
        self.wait(&owed, Offer::Compute(call.clone()), &[], |what| match what {
            What::Computed { call: answered, done } if answered == call => Some(done.clone()),
            _ => None,
        })
    }

    pub(crate) fn snap(&mut self, why: SnapReason, open: &[CallId]) -> Tale<Tree> {
        self.snapshots += 1;
        let snapshot = SnapshotId(self.snapshots);
        let owed = Effect::Snap { snapshot, why };
        self.effects.push(owed.clone());
        self.wait(&owed, Offer::Snap(snapshot), open, |what| match what {
            What::Snapped { snapshot: taken, tree } if *taken == snapshot => {
                Some(Tree { snapshot, id: tree.clone() })
            }
            _ => None,
        })
    }

    /// A raw reply is put where people find it.
    pub(crate) fn keep(&mut self, call: &CallId, validator: u8) -> Tale<()> {
        let owed = Effect::Keep { call: call.clone(), validator };
        self.effects.push(owed.clone());
        self.wait(&owed, Offer::Keep(call.clone()), &[], |what| match what {
            What::Kept { call: kept, .. } if kept == call => Some(()),
            _ => None,
        })
    }

    /// The tree is put back, unless it is never put back; either way the user is told.
    pub(crate) fn put_back(&mut self, to: &Tree, saying: Saying, open: &[CallId]) -> Tale<()> {
        if self.plan.keep_tree {
            self.effects.push(Effect::Say(saying));
            return Ok(());
        }
        let owed = Effect::Restore(to.snapshot);
        self.effects.extend([owed.clone(), Effect::Say(saying)]);
        self.wait(&owed, Offer::Restore(to.snapshot), open, |what| match what {
            What::Restored { snapshot } if *snapshot == to.snapshot => Some(()),
            _ => None,
        })
    }

    /// Waits for one event; what is owed falls due again after every pause and crash.
    fn wait<T>(
        &mut self,
        owed: &Effect,
        offer: Offer,
        open: &[CallId],
        fits: impl Fn(&What) -> Option<T>,
    ) -> Tale<T> {
        loop {
            let Some(what) = self.history.next() else { return Err(self.waits(vec![offer])) };
            if self.goes_on_after(what, open)? {
                self.effects.push(owed.clone());
            } else {
                return fits(what).ok_or(Stop::Refused);
            }
        }
    }

    pub(crate) fn waits(&self, mut offers: Vec<Offer>) -> Stop {
        offers.extend(self.frames.last().map(|frame| Offer::Timer(frame.id)));
        Stop::Waits(offers)
    }

    /// Whether the event is a crash that is over, or a pause; then the one that ends it follows.
    pub(crate) fn goes_on_after(&mut self, what: &What, open: &[CallId]) -> Tale<bool> {
        let top = self.frames.last().expect("a run under way has a frame");
        let pause = match what {
            What::Resumed => return Ok(true),
            What::Interrupted { signal } => Pause::Signal(*signal),
            What::TimerFired { timer: Timer::Cycle(frame) } if top.timed && top.id == *frame => {
                Pause::CycleTimeout
            }
            _ => return Ok(false),
        };
        if !open.is_empty() {
            self.effects.push(Effect::End(open.to_vec()));
        }
        self.effects.push(Effect::Finish(Outcome::Paused(pause)));
        match self.history.next() {
            None => Err(Stop::Paused(pause)),
            Some(What::Resumed) => Ok(true),
            Some(_) => Err(Stop::Refused),
        }
    }

    pub(crate) fn admit(&mut self, call: &CallId, facts: &[Fact]) -> Tale<()> {
        for fact in facts {
            let top = self.frames.last_mut().expect("a run under way has a frame");
            top.cycle = top
                .cycle
                .admit(fact)
                .map_err(|refusal| Stop::Failed(call.clone(), Failure::Order(refusal)))?;
            // What follows a stop is not the cycle's own work.
            top.timed &= !matches!(fact, Fact::Decided(Decision::Stop { .. }));
        }
        Ok(())
    }

    /// A failure ends the run, unless the step may fail and the fault is its own.
    pub(crate) fn fail(&self, call: &CallId, failure: Failure) -> Tale<()> {
        let own =
            matches!(failure, Failure::Agent { .. } | Failure::Contract | Failure::Command(_));
        let lenient = self.plan.steps().any(|step| step.id == call.step && step.lenient);
        if own && lenient { Ok(()) } else { Err(Stop::Failed(call.clone(), failure)) }
    }

    pub(crate) fn next_call(&self, step: &Step) -> CallId {
        let frame = self.frames.last().expect("a run under way has a frame");
        let turn = frame.turns.get(&step.id).copied().unwrap_or(0) + 1;
        CallId { frame: frame.id, step: step.id.clone(), turn }
    }

    pub(crate) fn take_call(&mut self, step: &Step) -> CallId {
        let call = self.next_call(step);
        let frame = self.frames.last_mut().expect("a run under way has a frame");
        frame.turns.insert(step.id.clone(), call.turn);
        call
    }
}

//! What a run knows beside its machine's state: values, calls, snapshots, what was said.
//!
//! Live and on resume it is built by the same fold over the same events (DESIGN §3, flow 7).

use std::collections::BTreeMap;

use tribunal_phase::{
    ArtifactId, Balloted, CallId, Done, Event, Fact, FrameId, Guarded, Heard, Role, Saying,
    SnapshotId, StepId, TreeId, Usage, What,
};
use tribunal_recipe::{Datum, ExprError, Fields, Step};

use crate::context::Context;
use crate::definition::Loaded;
use crate::native::{Given, Said};

/// What the fold has gathered.
#[derive(Default)]
pub(crate) struct Memory {
    /// Values of the frames on the stack, the working one last.
    pub(crate) contexts: Vec<Context>,
    /// Values of the frames that have ended.
    pub(crate) past: Vec<Context>,
    /// Calls in the order of their first launch.
    pub(crate) calls: Vec<CallMemory>,
    /// Snapshots by number.
    pub(crate) snapshots: BTreeMap<SnapshotId, TreeId>,
    /// What native steps said.
    pub(crate) said: Vec<(CallId, Said)>,
    /// Ballots by frame and validator, as their reader classed them.
    pub(crate) ballots: Vec<(FrameId, u8, Balloted)>,
    /// What the machine said.
    pub(crate) sayings: Vec<Saying>,
    /// Running time of the last event.
    pub(crate) at: u64,
}

/// One call.
#[derive(Debug, Clone)]
pub(crate) struct CallMemory {
    pub(crate) call: CallId,
    pub(crate) cycle: u32,
    /// The part it played; `None` for a command.
    pub(crate) role: Option<Role>,
    /// Launches so far.
    pub(crate) attempts: u32,
    pub(crate) heard: Option<Heard>,
    pub(crate) exit: Option<i32>,
    pub(crate) usage: Usage,
    pub(crate) reply: Option<ArtifactId>,
    /// Where its raw reply was put for people.
    pub(crate) place: Option<String>,
}

/// What a finished child said, as far as values need it.
pub(crate) enum Spoken {
    /// Nothing that becomes a value.
    Nothing,
    /// The text of a prose role or a command.
    Value(Datum),
}

impl Memory {
    /// The values of the frame that works.
    pub(crate) fn values(&self) -> &Fields {
        &self.top().values
    }

    pub(crate) fn top(&self) -> &Context {
        self.contexts.last().expect("a run under way has a frame")
    }

    fn set(&mut self, name: Option<&str>, value: Datum) {
        if let (Some(name), Some(context)) = (name, self.contexts.last_mut()) {
            context.set(name, value);
        }
    }

    pub(crate) fn call(&self, call: &CallId) -> Option<&CallMemory> {
        self.calls.iter().find(|known| known.call == *call)
    }

    pub(crate) fn call_mut(&mut self, call: &CallId) -> Option<&mut CallMemory> {
        self.calls.iter_mut().find(|known| known.call == *call)
    }

    /// The last snapshot that was taken.
    pub(crate) fn last_snapshot(&self) -> Option<SnapshotId> {
        self.snapshots.keys().next_back().copied()
    }

    /// Takes what an event tells.
    pub(crate) fn note(
        &mut self,
        loaded: &Loaded,
        event: &Event,
        given: Option<Given>,
        spoken: Spoken,
    ) {
        self.at = event.at;
        match &event.what {
            What::Guarded { call, answer: Guarded::Skip } => {
                self.set(output(loaded, &call.step), Datum::Null);
            }
            What::Launched { call, attempt, .. } => self.launched(loaded, call, *attempt),
            What::Replied { call, heard, usage, reply } => {
                if let Some(known) = self.call_mut(call) {
                    known.heard = Some(heard.clone());
                    known.usage = *usage;
                    known.reply.clone_from(reply);
                }
                self.spoken(loaded, call, spoken);
            }
            What::Ran { call, exit, output } => {
                if let Some(known) = self.call_mut(call) {
                    known.exit = *exit;
                    known.reply = Some(output.clone());
                }
                self.spoken(loaded, call, spoken);
            }
            What::Snapped { snapshot, tree } => {
                self.snapshots.insert(*snapshot, tree.clone());
            }
            What::Kept { call, place } => {
                if let Some(known) = self.call_mut(call) {
                    known.place = Some(place.clone());
                }
            }
            What::Computed { call, done } => {
                if let Done::Gave { facts, .. } = done {
                    self.ballots.extend(facts.iter().filter_map(|fact| match fact {
                        Fact::Balloted { validator, ballot } => {
                            Some((call.frame, *validator, *ballot))
                        }
                        _ => None,
                    }));
                }
                if let Some(given) = given {
                    self.computed(loaded, call, given);
                }
            }
            What::Began
            | What::Resumed
            | What::Guarded { .. }
            | What::Restored { .. }
            | What::Asked(_)
            | What::Compared { .. }
            | What::TimerFired { .. }
            | What::Interrupted { .. } => {}
        }
    }

    fn launched(&mut self, loaded: &Loaded, call: &CallId, attempt: u32) {
        if let Some(known) = self.call_mut(call) {
            known.attempts = attempt;
            return;
        }
        let role = loaded.plan.steps().find_map(|step| match step.work {
            tribunal_phase::plan::Work::Ask { role, .. } if step.id == call.step => Some(role),
            _ => None,
        });
        self.calls.push(CallMemory {
            call: call.clone(),
            cycle: self.top().cycle,
            role,
            attempts: attempt,
            heard: None,
            exit: None,
            usage: Usage::default(),
            reply: None,
            place: None,
        });
    }

    fn spoken(&mut self, loaded: &Loaded, call: &CallId, spoken: Spoken) {
        match spoken {
            Spoken::Nothing => {}
            Spoken::Value(value) => self.set(output(loaded, &call.step), value),
        }
    }

    fn computed(&mut self, loaded: &Loaded, call: &CallId, given: Given) {
        self.set(output(loaded, &call.step), given.value);
        for (name, value) in given.also {
            if loaded.declared.contains_key(name) {
                self.set(Some(name), value);
            }
        }
        self.said.extend(given.said.into_iter().map(|said| (call.clone(), said)));
    }
}

/// The value that a binding stands for.
pub(crate) fn bind(
    binding: &tribunal_recipe::Binding,
    values: &Fields,
) -> Result<Datum, ExprError> {
    match binding {
        tribunal_recipe::Binding::Literal(value) => Ok(value.clone()),
        tribunal_recipe::Binding::Template(template) => template.value(values),
    }
}

/// The step of a recipe by its id.
pub(crate) fn step<'a>(loaded: &'a Loaded, id: &StepId) -> Option<&'a Step> {
    loaded.recipe.all_steps().find(|step| step.id == id.as_str())
}

fn output<'a>(loaded: &'a Loaded, id: &StepId) -> Option<&'a str> {
    step(loaded, id)?.output.as_deref()
}

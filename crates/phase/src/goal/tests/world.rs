//! A small world that answers the effects of a goal loop.

use std::collections::{BTreeMap, VecDeque};

use tribunal_verdict::Class;

use crate::goal::{CHECK, Checked, DIAGNOSE, Ending, Goal, Learned, State};
use crate::{
    ArtifactId, CallId, Done, Effect, Event, Fact, Fault, Heard, Machine, SnapReason, SnapshotId,
    TreeId, Usage, What,
};

pub(super) fn artifact(text: &str) -> ArtifactId {
    ArtifactId::new(text)
}

pub(super) fn event(what: What) -> Event {
    Event { at: 0, what }
}

/// What a world does; everything else goes well.
#[derive(Debug, Clone, Default)]
pub(super) struct World {
    /// What the check of each cycle says: `P` passed, `N` nothing ran, `E` environment, any other
    /// letter a failure of that name. The last one goes on for ever.
    pub(super) checks: &'static str,
    /// Cycles whose check leaves another tree: somebody wrote while it ran.
    pub(super) late_writes: &'static [u32],
    /// Calls of the diagnostician that change the tree.
    pub(super) diagnosis_writes: u32,
    /// The user edits while the tree is looked at a second time.
    pub(super) user_edits: bool,
    /// The worker changes nothing.
    pub(super) idle_worker: bool,
    /// Fixes, from the first, that are refused.
    pub(super) refused: u32,
    /// The fault of the first call of this step.
    pub(super) fault: Option<(&'static str, Fault)>,
    pub(super) so_far: SoFar,
}

/// What has happened in a world.
#[derive(Debug, Clone, Default)]
pub(super) struct SoFar {
    tree: u32,
    diagnosed: u32,
    weighed: u32,
    snapshots: BTreeMap<SnapshotId, u32>,
}

impl World {
    fn checked(&self, cycle: u32) -> Checked {
        let index = (cycle as usize - 1).min(self.checks.len() - 1);
        match &self.checks[index..=index] {
            "P" => Checked::Passed,
            "N" => Checked::NothingRan,
            "E" => Checked::Environment,
            name => Checked::Failed { signature: artifact(name) },
        }
    }

    fn heard(&self, call: &CallId) -> Heard {
        match &self.fault {
            Some((step, fault)) if call.step.as_str() == *step => Heard::Fault(fault.clone()),
            Some(_) | None => Heard::Said(Class::Parsed),
        }
    }

    fn learned(&mut self, call: &CallId) -> Learned {
        match call.step.as_str() {
            CHECK => Learned::Checked(self.checked(call.frame.0)),
            DIAGNOSE => Learned::Diagnosed,
            _ => {
                self.so_far.weighed += 1;
                Learned::Weighed { refused: self.so_far.weighed <= self.refused }
            }
        }
    }

    /// What comes of an effect.
    pub(super) fn answer(&mut self, effect: &Effect) -> Vec<What> {
        let launched = |call: &CallId, attempt: u32| What::Launched {
            call: call.clone(),
            attempt,
            prompt: artifact("prompt"),
        };
        match effect {
            Effect::Run { call, attempt } => {
                if self.late_writes.contains(&call.frame.0) {
                    self.so_far.tree += 1;
                }
                let output = artifact("output");
                let ran = What::Ran { call: call.clone(), exit: Some(1), output };
                vec![launched(call, *attempt), ran]
            }
            Effect::Ask { call, attempt, .. } => {
                let is_diagnosis = call.step.as_str() == DIAGNOSE;
                if is_diagnosis {
                    self.so_far.diagnosed += 1;
                }
                let writes = if is_diagnosis {
                    self.so_far.diagnosed <= self.diagnosis_writes
                } else {
                    !self.idle_worker
                };
                self.so_far.tree += u32::from(writes) * 10;
                let heard = self.heard(call);
                let reply = Some(artifact("reply"));
                let usage = Usage::default();
                let replied = What::Replied { call: call.clone(), heard, usage, reply };
                vec![launched(call, *attempt), replied]
            }
            Effect::Snap { snapshot, why } => {
                if *why == SnapReason::Still && self.user_edits {
                    self.so_far.tree += 100;
                }
                self.so_far.snapshots.insert(*snapshot, self.so_far.tree);
                let tree = TreeId::new(self.so_far.tree.to_string());
                vec![What::Snapped { snapshot: *snapshot, tree }]
            }
            Effect::Restore(snapshot) => {
                self.so_far.tree = self.so_far.snapshots[snapshot];
                vec![What::Restored { snapshot: *snapshot }]
            }
            Effect::Compute { call, .. } => {
                let facts = vec![Fact::Goal(self.learned(call))];
                let done = Done::Gave { facts, digest: artifact("digest") };
                vec![What::Computed { call: call.clone(), done }]
            }
            Effect::Guard(_)
            | Effect::Compare { .. }
            | Effect::Answer(_)
            | Effect::End(_)
            | Effect::Keep { .. }
            | Effect::Arm { .. }
            | Effect::Disarm(_)
            | Effect::Enter(_)
            | Effect::Leave(_)
            | Effect::Say(_)
            | Effect::Finish(_) => Vec::new(),
        }
    }
}

/// A whole run.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) state: State,
    pub(super) events: Vec<Event>,
    /// The effects, in short.
    pub(super) effects: Vec<String>,
}

impl Played {
    pub(super) fn ending(&self) -> Ending {
        self.state.ending().cloned().unwrap_or_else(|| panic!("no end: {:?}", self.state))
    }

    pub(super) fn count(&self, start: &str) -> usize {
        self.effects.iter().filter(|effect| effect.starts_with(start)).count()
    }
}

/// Plays a goal to its end in a world.
pub(super) fn play(goal: Goal, world: World) -> Played {
    play_killed(goal, world, usize::MAX)
}

/// Plays a goal that is killed once, after so many events, and resumed: what was under way then has
/// happened, and nobody heard of it.
pub(super) fn play_killed(goal: Goal, mut world: World, kill: usize) -> Played {
    let mut state = goal.start();
    let mut due = VecDeque::from([What::Began]);
    let mut played = Played { state: state.clone(), events: Vec::new(), effects: Vec::new() };
    while let Some(what) = due.pop_front() {
        assert!(played.events.len() < 1000, "no end in sight: {state:?}");
        let event = event(what);
        let (next, effects) = goal.step(&state, &event).expect("the world keeps the order");
        state = next;
        played.events.push(event);
        for effect in effects {
            played.effects.push(name(&effect));
            due.extend(world.answer(&effect));
        }
        if played.events.len() == kill && state.ending().is_none() {
            due = VecDeque::from([What::Resumed]);
        }
    }
    played.state = state;
    played
}

fn name(effect: &Effect) -> String {
    match effect {
        Effect::Run { call, attempt } => format!("run {call} #{attempt}"),
        Effect::Ask { call, attempt, role, .. } => format!("ask {role} {call} #{attempt}"),
        Effect::Snap { why, .. } => format!("snap {why:?}"),
        Effect::Restore(snapshot) => format!("restore {snapshot}"),
        Effect::Compute { call, .. } => format!("compute {call}"),
        Effect::Say(saying) => format!("say {saying:?}"),
        Effect::Finish(_) => "finish".to_owned(),
        Effect::Guard(_)
        | Effect::Compare { .. }
        | Effect::Answer(_)
        | Effect::End(_)
        | Effect::Keep { .. }
        | Effect::Arm { .. }
        | Effect::Disarm(_)
        | Effect::Enter(_)
        | Effect::Leave(_) => "other".to_owned(),
    }
}

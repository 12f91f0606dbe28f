//! Starting each effect. Starting never waits: its end is a later event.

use std::time::Duration;

use tribunal_phase::{CallId, Done, Effect, Guarded, Native, Saying, SnapshotId, What};
use tribunal_record::{Body, Note};

use crate::compute::{compute, digest};
use crate::drive::Driver;
use crate::error::RunError;
use crate::memory::step;
use crate::native::Said;
use crate::notice::Notice;
use crate::saying;
use crate::tree::place;

impl Driver<'_> {
    pub(crate) fn perform(&mut self, effect: Effect) -> Result<(), RunError> {
        match effect {
            Effect::Guard(call) => self.guard(call),
            Effect::Ask { call, attempt, role, .. } => self.ask(&call, attempt, role)?,
            Effect::Run { call, attempt } => self.run_command(&call, attempt)?,
            Effect::End(calls) => self.end(&calls),
            Effect::Snap { snapshot, .. } => self.snap(snapshot)?,
            Effect::Restore(snapshot) => self.restore(snapshot)?,
            Effect::Keep { call, validator } => self.keep(call, validator)?,
            Effect::Compute { call, native } => self.compute(call, &native)?,
            Effect::Arm { timer, left } => {
                let due = tokio::time::Instant::now() + Duration::from_millis(left);
                self.timer = Some((timer, due));
            }
            Effect::Disarm(timer) => {
                if self.timer.is_some_and(|(armed, _)| armed == timer) {
                    self.timer = None;
                }
            }
            Effect::Enter(_) => {
                let number = self.memory.top().cycle;
                (self.notify)(Notice::Cycle { number });
            }
            // The fold has taken the frame's value already.
            Effect::Leave(_) => {}
            Effect::Say(saying) => self.say(&saying)?,
            Effect::Finish(outcome) => self.finished = Some(outcome),
            // Due in review loops alone, which have a driver of their own.
            Effect::Compare { .. } | Effect::Answer(_) => {
                return Err(RunError::Lost("a tool call".to_owned()));
            }
        }
        Ok(())
    }

    fn guard(&mut self, call: CallId) {
        let values = self.memory.values();
        let until = self.loaded.recipe.steps.iter().find_map(|node| match node {
            tribunal_recipe::Node::Repeat(repeat) if repeat.id == call.step.as_str() => {
                Some(&repeat.until)
            }
            tribunal_recipe::Node::Repeat(_) | tribunal_recipe::Node::Step(_) => None,
        });
        let condition = until
            .or_else(|| step(self.loaded, &call.step).and_then(|step| step.condition.as_ref()));
        let answer = match condition.map(|condition| condition.condition(values)) {
            None | Some(Ok(true)) => Guarded::Go,
            Some(Ok(false)) => Guarded::Skip,
            Some(Err(error)) => {
                let text = condition.map(tribunal_recipe::Expr::text).unwrap_or_default();
                let mut said = format!("step `{}`: condition `{text}`: {error}", call.step);
                if let Some(remedy) = &error.remedy {
                    said += "\n  remedy: ";
                    said += remedy;
                }
                (self.notify)(Notice::Fatal(said));
                Guarded::Bad
            }
        };
        self.ready.push_back(What::Guarded { call, answer });
    }

    fn end(&mut self, calls: &[CallId]) {
        for call in calls {
            if let Some(canceller) = self.cancellers.get(call) {
                canceller.cancel();
            }
        }
    }

    fn snap(&mut self, snapshot: SnapshotId) -> Result<(), RunError> {
        let Some(tree) = &self.tree else { return Err(RunError::Lost("the work tree".to_owned())) };
        let id = tree.snapshot(snapshot, &self.memory.snapshots)?;
        self.ready.push_back(What::Snapped { snapshot, tree: id });
        Ok(())
    }

    fn restore(&mut self, snapshot: SnapshotId) -> Result<(), RunError> {
        let Some(tree) = &self.tree else { return Err(RunError::Lost("the work tree".to_owned())) };
        // The machine restores right after it looked: the last snapshot is what is replaced.
        let left = self.memory.last_snapshot().unwrap_or(snapshot);
        self.run.sync()?;
        let stays = tree.restore(snapshot, left, &self.memory.snapshots).map_err(|error| {
            RunError::NotRestored { place: place(self.run.id().as_str(), snapshot), error }
        })?;
        if !stays.is_empty() {
            let text = format!("not put back, stays as it is: {}", saying::listed(&stays));
            (self.notify)(Notice::Warning(text));
        }
        self.ready.push_back(What::Restored { snapshot });
        Ok(())
    }

    fn keep(&mut self, call: CallId, validator: u8) -> Result<(), RunError> {
        let cycle = self.memory.top().cycle;
        let bytes = match self.memory.call(&call).and_then(|known| known.reply.clone()) {
            Some(reply) => self.run.artifact(&reply)?,
            None => Vec::new(),
        };
        let Some(output) = &mut self.output else {
            return Err(RunError::Lost("the output folder".to_owned()));
        };
        let kept = output.keep_raw(cycle, validator, &bytes)?;
        if let Some(why) = kept.fallback {
            (self.notify)(Notice::Warning(format!("{why}; kept at {}", kept.printed)));
        }
        self.ready.push_back(What::Kept { call, place: kept.printed });
        Ok(())
    }

    fn compute(&mut self, call: CallId, native: &Native) -> Result<(), RunError> {
        let (loaded, state, memory) = (self.loaded, &self.state, &self.memory);
        let tree = self.tree.as_ref();
        let computed = compute(loaded, state, memory, &self.run, tree, &call, native)?;
        let (done, said) = match computed {
            Ok(given) => {
                let said = given.said.clone();
                let done = Done::Gave { facts: given.facts.clone(), digest: digest(&given) };
                self.given = Some(given);
                (done, said)
            }
            Err(halt) => {
                let said = halt.said.iter().map(|said| (call.clone(), said.clone()));
                self.memory.said.extend(said);
                (Done::Failed(halt.failure), halt.said)
            }
        };
        for said in said {
            (self.notify)(match said {
                Said::Result(text) => Notice::Result(text),
                Said::Warning(text) => Notice::Warning(text),
                Said::Fatal(text) => Notice::Fatal(text),
            });
        }
        if *native == Native::Step {
            let (cycle, step) = (self.memory.top().cycle, call.step.to_string());
            (self.notify)(Notice::Computed { cycle, step });
        }
        self.ready.push_back(What::Computed { call, done });
        Ok(())
    }

    /// The notes are for those who read the journal; a fold knows from its events what was said.
    fn say(&mut self, saying: &Saying) -> Result<(), RunError> {
        let (run, snapshot) = (self.run.id().as_str(), saying::snapshot(saying));
        let text = saying::words(saying, run, self.loaded.plan.keep_tree);
        let place = place(run, snapshot);
        (self.notify)(Notice::Warning(text.clone()));
        self.append(Body::Note(Note::Snapshot { snapshot, place }))?;
        self.append(Body::Note(Note::Warned { text }))
    }
}

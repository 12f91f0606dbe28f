//! Frames of values, coming and going with the machine's.

use tribunal_phase::plan::{At, Running, State, TaskProgress};
use tribunal_phase::{CallId, Effect, FrameId, Native};
use tribunal_recipe::{Datum, ExprError, Fields, Output};

use crate::context::Context;
use crate::definition::Loaded;
use crate::memory::{Memory, bind};

impl Memory {
    /// Frames come and go with the machine's; what it says is remembered.
    ///
    /// # Errors
    /// The recipe's `output` could not be evaluated.
    pub(crate) fn follow(
        &mut self,
        loaded: &Loaded,
        state: &State,
        effect: &Effect,
    ) -> Result<(), ExprError> {
        match effect {
            Effect::Enter(frame) => self.enter(loaded, state, *frame),
            Effect::Leave(_) => return self.leave(loaded),
            Effect::Compute { call, native: Native::Read(_) } => self.overrule(state, call),
            Effect::Say(saying) => self.sayings.push(saying.clone()),
            Effect::Guard(_)
            | Effect::Ask { .. }
            | Effect::Run { .. }
            | Effect::End(_)
            | Effect::Snap { .. }
            | Effect::Restore(_)
            | Effect::Keep { .. }
            | Effect::Compute { .. }
            | Effect::Arm { .. }
            | Effect::Disarm(_)
            | Effect::Compare { .. }
            | Effect::Answer(_)
            | Effect::Finish(_) => {}
        }
        Ok(())
    }

    /// The machine has the last word on a reply that is about to be read: one that came with a
    /// changed tree counts as a fault, whatever it says (D43).
    fn overrule(&mut self, state: &State, call: &CallId) {
        let Some(At::Children(children)) =
            state.running().and_then(|running| running.frames.last()).map(|frame| &frame.at)
        else {
            return;
        };
        let task = children.tasks.iter().find(|task| task.call == *call);
        if let (Some(TaskProgress::Heard(heard)), Some(known)) =
            (task.map(|task| &task.progress), self.call_mut(call))
        {
            known.heard = Some(heard.clone());
        }
    }

    fn enter(&mut self, loaded: &Loaded, state: &State, frame: FrameId) {
        let context = match self.contexts.last() {
            None => Context::first(loaded.first_values()),
            Some(below) => {
                let cycle = cycle_of(state.running(), frame).unwrap_or(below.cycle + 1);
                below.next(&loaded.declared, frame, cycle)
            }
        };
        self.contexts.push(context);
    }

    fn leave(&mut self, loaded: &Loaded) -> Result<(), ExprError> {
        let Some(mut context) = self.contexts.pop() else { return Ok(()) };
        let value = match context.pushed_value.take() {
            Some(value) => value,
            None => worth(loaded, &context.values)?,
        };
        let pushed_by = loaded.recipe.all_steps().find(|step| {
            matches!(&step.kind, tribunal_recipe::StepKind::Uses { name, .. } if name == "recurse")
        });
        if let Some(below) = self.contexts.last_mut() {
            below.pushed_value = Some(value.clone());
            if let Some(name) = pushed_by.and_then(|step| step.output.as_deref()) {
                below.set(name, value.clone());
            }
        }
        context.pushed_value = Some(value);
        self.past.push(context);
        Ok(())
    }
}

fn cycle_of(running: Option<&Running>, frame: FrameId) -> Option<u32> {
    let frame = running?.frames.iter().find(|known| known.id == frame)?;
    Some(frame.cycle.cycle())
}

/// What a frame is worth: its recipe's `output`, evaluated at its end.
fn worth(loaded: &Loaded, values: &Fields) -> Result<Datum, ExprError> {
    match &loaded.recipe.output {
        None => Ok(Datum::Null),
        Some(Output::Text(template)) => template.value(values),
        Some(Output::Map(fields)) => {
            let mut worth = Fields::new();
            for (name, binding) in fields {
                worth.insert(name.clone(), bind(binding, values)?);
            }
            Ok(Datum::Map(worth))
        }
    }
}

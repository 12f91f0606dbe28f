//! Describing the children that effects ask for; each is started once its launch is on record.

use std::path::PathBuf;

use tribunal_phase::{CallId, Role, What};
use tribunal_recipe::{ExprError, Step, StepKind, Template};
use tribunal_record::{Body, Note};

use crate::child::{Bounds, Command, Launch, Nursery};
use crate::drive::Driver;
use crate::error::RunError;
use crate::memory::step;
use crate::prompt;

/// The file that holds a command's text, beside its values.
const SCRIPT: &str = "script";

impl Driver<'_> {
    pub(crate) fn ask(&mut self, call: &CallId, attempt: u32, role: Role) -> Result<(), RunError> {
        let asked = self.loaded.definition.agents.for_call(&call.step, role).clone();
        let Some((StepKind::Agent { prompt, .. }, recipe_step)) =
            step(self.loaded, &call.step).map(|step| (&step.kind, step))
        else {
            return Err(RunError::Lost(call.to_string()));
        };
        let bounds = self.bounds(call, recipe_step)?;
        let text = prompt::render(prompt, self.memory.values(), &self.loaded.definition.mark)
            .map_err(|error| expression(call, "prompt", error))?;
        let artifact = self.run.keep(text.as_bytes())?;
        let launch = Launch { call, attempt, bounds };
        let prepared = self.nursery().agent(launch, role, &asked, text).map_err(|error| {
            RunError::Agent { name: asked.name.clone(), role, why: error.to_string() }
        })?;
        let (agent, model) = (asked.name, asked.model);
        let note = Note::Agent { call: call.clone(), attempt, agent, model };
        self.append(Body::Note(note))?;
        self.prepared.insert(call.clone(), prepared);
        self.ready.push_back(What::Launched { call: call.clone(), attempt, prompt: artifact });
        Ok(())
    }

    /// What the recipe says about a step's child: a relative folder is taken from the repository root.
    fn bounds(&self, call: &CallId, step: &Step) -> Result<Bounds, RunError> {
        let values = self.memory.values();
        let render = |template: &Template, what: &str| {
            template.render(values).map_err(|error| expression(call, what, error))
        };
        let root = PathBuf::from(&self.loaded.definition.root);
        let working_dir = match &step.working_dir {
            Some(folder) => root.join(render(folder, "working_dir")?),
            None => root,
        };
        let mut env = Vec::new();
        for (name, template) in &step.env {
            env.push((name.clone(), render(template, "env")?));
        }
        Ok(Bounds { working_dir, env, timeout: step.timeout })
    }

    fn nursery(&self) -> Nursery<'_> {
        Nursery {
            loaded: self.loaded,
            surroundings: self.surroundings,
            run: self.run.id().as_str(),
            tmp: self.run.tmp(),
            rules: &self.rules,
            values: self.memory.values(),
            cycle: self.memory.top().cycle,
        }
    }

    pub(crate) fn run_command(&mut self, call: &CallId, attempt: u32) -> Result<(), RunError> {
        let Some((StepKind::Bash { script }, recipe_step)) =
            step(self.loaded, &call.step).map(|step| (&step.kind, step))
        else {
            return Err(RunError::Lost(call.to_string()));
        };
        let values = self.memory.values();
        let bound = script.bind(values).map_err(|error| expression(call, "command", error))?;
        let bounds = self.bounds(call, recipe_step)?;
        let mut files = bound.values;
        files.push((SCRIPT.to_owned(), bound.text.clone().into_bytes()));
        let folder = self.run.command_files(call, &files)?;
        let script = folder.join(SCRIPT);
        let artifact = self.run.keep(bound.text.as_bytes())?;
        let command = Command { script, values: folder };
        let prepared = self.nursery().command(Launch { call, attempt, bounds }, command);
        self.prepared.insert(call.clone(), prepared);
        self.ready.push_back(What::Launched { call: call.clone(), attempt, prompt: artifact });
        Ok(())
    }
}

fn expression(call: &CallId, what: &str, error: ExprError) -> RunError {
    RunError::Expression { place: format!("step `{}`, {what}", call.step), error }
}

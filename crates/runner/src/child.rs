//! Children of a run: how they are asked, and what came of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tribunal_dispatch::{
    Asking, Cancel, Environment, Identity, Invocation, LaunchError, Limits, Marker, Reply,
    RuleChoice, Stdin, agent,
};
use tribunal_phase::{Access, CallId, Role};
use tribunal_recipe::{Datum, Fields, VALUES_VARIABLE};

use crate::agents::Agent;
use crate::definition::Loaded;
use crate::surroundings::Surroundings;

/// Where the seekers of a run keep their scans of unchanged files, in the run's temporary folder.
const SCANS: &str = "inspector-scans";

/// A child that is about to be started.
pub(crate) struct Prepared {
    pub(crate) call: CallId,
    pub(crate) attempt: u32,
    /// The part it plays; `None` for a command.
    pub(crate) role: Option<Role>,
    /// The agent's name.
    pub(crate) agent: Option<String>,
    pub(crate) invocation: Invocation,
}

/// A child that has ended.
pub(crate) struct ChildEnd {
    pub(crate) call: CallId,
    pub(crate) attempt: u32,
    pub(crate) role: Option<Role>,
    /// All it wrote to standard output.
    pub(crate) spool: PathBuf,
    pub(crate) reply: Result<Reply, LaunchError>,
}

impl Prepared {
    /// Runs the child to its end.
    pub(crate) async fn run(self, spool: std::fs::File, path: PathBuf, cancel: Cancel) -> ChildEnd {
        let reply = tribunal_dispatch::run(&self.invocation, spool, cancel).await;
        let Self { call, attempt, role, .. } = self;
        ChildEnd { call, attempt, role, spool: path, reply }
    }
}

/// What all children of a run share.
pub(crate) struct Nursery<'a> {
    pub(crate) loaded: &'a Loaded,
    pub(crate) surroundings: &'a Surroundings,
    pub(crate) run: &'a str,
    /// The run's own folder for temporary files.
    pub(crate) tmp: &'a Path,
    /// Folders of the rules of users.
    pub(crate) rules: &'a [PathBuf],
    pub(crate) values: &'a Fields,
    pub(crate) cycle: u32,
}

impl Nursery<'_> {
    /// Describes the child that asks an agent.
    pub(crate) fn agent(
        &self,
        launch: Launch<'_>,
        role: Role,
        asked: &Agent,
        prompt: String,
    ) -> Result<Prepared, tribunal_dispatch::UnknownAgent> {
        let Launch { call, attempt, bounds } = launch;
        let row = agent(&asked.row)?;
        let program = asked.program().unwrap_or_default();
        let given: Vec<OsString> = asked.arguments().iter().map(OsString::from).collect();
        let may_write = role.access() == Access::Write;
        let text = |name: &str| self.values.get(name).map(Datum::render);
        let target = text("target_path").unwrap_or_else(|| ".".to_owned());
        let output_dir = text("output_dir").filter(|folder| !folder.is_empty());
        let limit = self.values.get("module_loc_limit").and_then(Datum::as_int);
        let inspector = &self.loaded.definition.inspector;
        let linters: Vec<&str> = inspector.linters.iter().map(|linter| linter.word()).collect();
        let cache = self.tmp.join(SCANS);
        let asking = Asking {
            data_mark: &self.loaded.definition.mark,
            role: role.word(),
            validator: match role {
                Role::Validator(number) => Some(u32::from(number)),
                _ => None,
            },
            may_write,
            cycle: self.cycle,
            model: asked.model.as_deref(),
            target: &target,
            output_dir: output_dir.as_deref(),
            module_loc_limit: limit.and_then(|limit| u32::try_from(limit).ok()).unwrap_or(300),
            rules: RuleChoice {
                folders: self.rules,
                only: &inspector.only,
                skip: &inspector.skip,
                linters: &linters,
                // Validators look for themselves, at the tree as it is.
                cache: (role == Role::Seeker).then_some(&cache),
            },
        };
        let allowed = self.allowed(asked).allow(row.passes);
        let allowed =
            row.variables(may_write).fold(allowed, |all, (name, value)| all.set(name, value));
        let environment = with(allowed, bounds.env);
        let call_text = call.to_string();
        let identity = self.identity(call, &call_text, role.word());
        let millis = |millis: Option<u64>| millis.map(Duration::from_millis);
        let limits = Limits {
            // The recipe and the profile may both set one; the shorter holds.
            deadline: millis(asked.deadline).into_iter().chain(bounds.timeout).min(),
            idle: millis(asked.idle),
            ..Limits::default()
        };
        Ok(Prepared {
            call: call.clone(),
            attempt,
            role: Some(role),
            agent: Some(asked.name.clone()),
            invocation: Invocation {
                program: program.into(),
                args: row.arguments(&given, &asking),
                env: environment.for_child(&identity, self.tmp),
                cwd: bounds.working_dir,
                stdin: Stdin::Bytes(prompt.into_bytes()),
                limits,
                marker: self.marker(call, attempt),
            },
        })
    }

    /// What an agent may see of our own environment.
    fn allowed(&self, asked: &Agent) -> Environment {
        let environment = Environment::new(self.surroundings.environment.clone())
            .allow(asked.env.iter().map(String::as_str));
        if !asked.is_inspector() {
            return environment;
        }
        let linters = &self.loaded.definition.inspector.linters;
        environment.allow(linters.iter().flat_map(|linter| linter.variables()))
    }

    /// Describes the child that runs a command.
    pub(crate) fn command(&self, launch: Launch<'_>, command: Command) -> Prepared {
        let Launch { call, attempt, bounds } = launch;
        let environment = Environment::new(self.surroundings.environment.clone());
        let environment = with(environment, bounds.env).set(VALUES_VARIABLE, command.values);
        let text = call.to_string();
        let identity = self.identity(call, &text, "command");
        Prepared {
            call: call.clone(),
            attempt,
            role: None,
            agent: None,
            invocation: Invocation {
                program: "bash".into(),
                args: vec![command.script.into()],
                env: environment.for_child(&identity, self.tmp),
                cwd: bounds.working_dir,
                stdin: Stdin::Null,
                limits: Limits { deadline: bounds.timeout, ..Limits::default() },
                marker: self.marker(call, attempt),
            },
        }
    }

    fn identity<'b>(&'b self, call: &'b CallId, text: &'b str, role: &'b str) -> Identity<'b> {
        Identity { role, step: call.step.as_str(), cycle: self.cycle, run: self.run, call: text }
    }

    fn marker(&self, call: &CallId, attempt: u32) -> Marker {
        Marker::of_run(self.run).below(&format!("{call}/{attempt}"))
    }
}

/// A command of a recipe: the script is a private file, and so is each of its values (D39).
pub(crate) struct Command {
    pub(crate) script: PathBuf,
    /// The folder of the values.
    pub(crate) values: PathBuf,
}

/// What the recipe says about a step's child.
pub(crate) struct Bounds {
    pub(crate) working_dir: PathBuf,
    /// Variables that the step sets.
    pub(crate) env: Vec<(String, String)>,
    pub(crate) timeout: Option<Duration>,
}

/// One launch of a call.
pub(crate) struct Launch<'a> {
    pub(crate) call: &'a CallId,
    pub(crate) attempt: u32,
    pub(crate) bounds: Bounds,
}

fn with(environment: Environment, variables: Vec<(String, String)>) -> Environment {
    variables
        .into_iter()
        .fold(environment, |environment, (name, value)| environment.set(name, value))
}

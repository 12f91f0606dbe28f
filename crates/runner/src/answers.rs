//! What came of a child: an event, and a value for the recipe.

use std::path::Path;

use tribunal_dispatch::LaunchError;
use tribunal_phase::{ArtifactId, CallId, Fault, Heard, Usage, What};
use tribunal_recipe::Datum;
use tribunal_record::{Body, Note};
use tribunal_verdict::{answer_text, unwrap_text};

use crate::child::ChildEnd;
use crate::compute::{Artifacts, contract_of};
use crate::definition::Loaded;
use crate::drive::Driver;
use crate::error::RunError;
use crate::hearing::{heard, how};
use crate::memory::{Spoken, step};
use crate::notice::Notice;

impl Driver<'_> {
    /// A child's end as an event.
    pub(crate) fn ended(&mut self, end: ChildEnd) -> Result<What, RunError> {
        self.cancellers.remove(&end.call);
        let ChildEnd { call, attempt, role, spool, reply } = end;
        // What cannot be kept was not answered: the call stays open, and is asked again on resume.
        let reply = match reply {
            Err(error) => Err(unkept(error, &spool)?),
            reply => reply,
        };
        let artifact = self.run.keep_file(&spool)?;
        let (ended, usage) = match reply {
            Ok(reply) => {
                let wall = u64::try_from(reply.wall.as_millis()).unwrap_or(u64::MAX);
                let usage = Usage { wall, ..Usage::default() };
                if !reply.stderr.is_empty() {
                    let artifact = self.run.keep(&reply.stderr)?;
                    let call = call.clone();
                    self.append(Body::Note(Note::Stderr { call, attempt, artifact }))?;
                }
                (Ok((reply.ended, reply.stderr)), usage)
            }
            Err(error) => (Err(error), Usage::default()),
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
                let bytes = self.run.artifact(&artifact)?;
                let asked = self.loaded.definition.agents.for_call(&call.step, role);
                let heard = heard(role, asked.answer_place(), ended, &bytes);
                if let Heard::Fault(_) = heard {
                    self.show_why(&call, &bytes, &stderr);
                }
                heard
            }
            Err(error) => {
                (self.notify)(Notice::Fatal(format!("[{}] {error}", call.step)));
                Heard::Fault(Fault::NotStarted)
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
        ended: Result<(tribunal_dispatch::Ended, Vec<u8>), LaunchError>,
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

    /// Why an agent failed, in its own words: the error that its envelope reports, else the end of standard
    /// error, else of standard output, where some say why they gave up (DI-12).
    fn show_why(&mut self, call: &CallId, stdout: &[u8], stderr: &[u8]) {
        let silent = stderr.iter().all(u8::is_ascii_whitespace);
        match unwrap_text(stdout).agent_error() {
            Some(reason) => self.show_tail(call, reason.as_bytes()),
            None => self.show_tail(call, if silent { stdout } else { stderr }),
        }
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
}

/// Takes an error for a fault of the child, unless it is one of the disk below us.
fn unkept(error: LaunchError, spool: &Path) -> Result<LaunchError, RunError> {
    match error.into_unkept() {
        Ok(source) => Err(RunError::Io {
            what: "keeping the output of a child in",
            path: spool.to_owned(),
            source,
        }),
        Err(error) => Ok(error),
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

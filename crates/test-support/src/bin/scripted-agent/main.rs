//! An agent without a model: plays a scenario by role, step, cycle and turn.
//!
//! `scripted-agent SCENARIO.json`, the prompt on standard input, `TRIBUNAL_ROLE`, `_STEP`, `_CYCLE`
//! and `_CALL` in the environment. The scenario is described at
//! [`Scenario`](tribunal_test_support::Scenario). A scenario or environment that cannot be read ends
//! it with status 64 and a sentence on standard error.

mod call;
mod fixer;
mod plan;
mod prompt;
mod speech;
mod wire;
mod work;

use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;
use std::thread;

use tribunal_test_support::{Moment, Scenario};

use crate::call::Call;
use crate::plan::{End, Plan};
use crate::prompt::Prompt;

fn main() -> ExitCode {
    match play() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("scripted-agent: {error}");
            ExitCode::from(64)
        }
    }
}

fn play() -> Result<ExitCode, Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("the first argument is a scenario file")?;
    let scenario: Scenario = serde_json::from_slice(&fs::read(file)?)?;
    let call = Call::from_environment()?;
    let log = open_log(&scenario)?;
    call.stamp(Moment::Start, log.as_ref())?;

    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let prompt = Prompt::new(&text);

    let plan = Plan::of(call.act(&scenario));
    thread::sleep(plan.wait);
    if let Some(path) = &plan.stray_write {
        OpenOptions::new().create(true).append(true).open(path)?.write_all(b"stray line\n")?;
    }
    let answer = work::perform(&call, &plan, &scenario, &prompt)?;
    let mut stdout = io::stdout().lock();
    speech::flood(plan.flood, &mut stdout, &mut io::stderr().lock())?;
    stdout.write_all(speech::said(&plan.form, &call, &answer).as_bytes())?;
    stdout.flush()?;

    match plan.end {
        End::Exit(code) => {
            call.stamp(Moment::Stop, log.as_ref())?;
            Ok(ExitCode::from(code))
        }
        End::Hang => loop {
            thread::park();
        },
    }
}

fn open_log(scenario: &Scenario) -> io::Result<Option<File>> {
    let open = |file| OpenOptions::new().create(true).append(true).open(file);
    scenario.log.as_ref().map(open).transpose()
}

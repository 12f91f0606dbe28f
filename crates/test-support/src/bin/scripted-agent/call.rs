//! Which call this is.

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::{self, Write as _};
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};
use tribunal_test_support::{Act, Cue, Moment, Role, Scenario, Stamp};

/// The call that the environment names.
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) role: Role,
    pub(crate) step: String,
    pub(crate) cycle: u32,
    turn: u32,
}

impl Call {
    pub(crate) fn from_environment() -> Result<Self, Box<dyn Error>> {
        let role = variable("TRIBUNAL_ROLE")?;
        let id = variable("TRIBUNAL_CALL")?;
        let turn = id.rsplit('/').next().and_then(|last| last.parse().ok());
        Ok(Self {
            role: serde_json::from_str(&format!("\"{role}\""))?,
            step: variable("TRIBUNAL_STEP")?,
            cycle: variable("TRIBUNAL_CYCLE")?.parse()?,
            turn: turn.ok_or_else(|| format!("TRIBUNAL_CALL `{id}` ends in no turn"))?,
            id,
        })
    }

    /// What the scenario has this call do.
    pub(crate) fn act<'s>(&self, scenario: &'s Scenario) -> &'s Act {
        let cue = scenario.acts.iter().find(|cue| self.fits(cue));
        cue.map_or(&Act::Honest, |cue| &cue.act)
    }

    fn fits(&self, cue: &Cue) -> bool {
        cue.role.is_none_or(|role| role == self.role)
            && cue.step.as_ref().is_none_or(|step| *step == self.step)
            && cue.cycle.is_none_or(|cycle| cycle == self.cycle)
            && cue.turn.is_none_or(|turn| turn == self.turn)
    }

    /// Appends a line to the log, in one write: concurrent calls share the file.
    pub(crate) fn stamp(&self, event: Moment, log: Option<&File>) -> io::Result<()> {
        let Some(mut log) = log else { return Ok(()) };
        let stamp = Stamp {
            call: self.id.clone(),
            role: self.role,
            step: self.step.clone(),
            cycle: self.cycle,
            event,
            monotonic_nanos: monotonic_nanos(),
            unix_nanos: unix_nanos(),
            pid: process::id(),
        };
        let mut line = serde_json::to_vec(&stamp)?;
        line.push(b'\n');
        log.write_all(&line)
    }
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("{name} is not set"))
}

fn monotonic_nanos() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    let part = |number: i64| u64::try_from(number).expect("the monotonic clock is not negative");
    part(now.tv_sec) * 1_000_000_000 + part(now.tv_nsec)
}

fn unix_nanos() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is after 1970");
    u64::try_from(since.as_nanos()).expect("the year is before 2554")
}

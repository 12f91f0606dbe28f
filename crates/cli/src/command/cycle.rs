//! `tribunal cycle decide`.

use tribunal_phase::cycle::Policy;
use tribunal_runner::single::decide_cycle;

use crate::args::CycleCommand;
use crate::exit_status::ExitStatus;
use crate::failure::Failure;
use crate::front::{Front, print};

pub(crate) fn run(front: &Front, command: CycleCommand) -> Result<ExitStatus, Failure> {
    let CycleCommand::Decide { cycle, min, max, tally, unaccounted } = command;
    let policy = Policy::new(min, max, true).map_err(|error| Failure::usage(error.to_string()))?;
    let surroundings = front.places.surroundings();
    let decision = decide_cycle(cycle, policy, &tally, unaccounted, &surroundings)?;
    print(&format!("{}\n{decision}", decision.reason()))?;
    Ok(ExitStatus::Holds)
}

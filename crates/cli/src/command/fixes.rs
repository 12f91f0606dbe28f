//! `tribunal fixes snapshot|verify`.

use std::io::Write as _;

use tribunal_runner::single::{VerifyRequest, take_snapshot, verify_fixes};

use crate::args::FixesCommand;
use crate::exit_status::ExitStatus;
use crate::failure::Failure;
use crate::front::{Front, print};

pub(crate) fn run(front: &Front, command: FixesCommand) -> Result<ExitStatus, Failure> {
    let surroundings = front.places.surroundings();
    match command {
        FixesCommand::Snapshot { repo } => {
            print(&take_snapshot(&repo, &surroundings)?)?;
            Ok(ExitStatus::Holds)
        }
        FixesCommand::Verify { repo, before, tally, report, fix_all } => {
            let request = VerifyRequest { repo, before, tally, report, fix_all };
            let judgement = verify_fixes(&request, &surroundings)?;
            for warning in judgement.warnings() {
                // A closed standard error takes the warnings away, never the judgement.
                let _ = writeln!(anstream::stderr(), "{warning}");
            }
            if front.json {
                print(&serde_json::to_string(&judgement).expect("a judgement is plain data"))?;
            } else {
                print(&judgement.lines().join("\n"))?;
            }
            Ok(if judgement.passes() { ExitStatus::Holds } else { ExitStatus::Failed })
        }
    }
}

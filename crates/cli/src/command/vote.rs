//! `tribunal vote merge`.

use std::io::Write as _;

use tribunal_runner::single::{MergeRequest, MergeResult, merge_votes};

use crate::args::VoteCommand;
use crate::exit_status::ExitStatus;
use crate::failure::Failure;
use crate::front::{Front, print};

pub(crate) fn run(front: &Front, command: VoteCommand) -> Result<ExitStatus, Failure> {
    let VoteCommand::Merge { threshold, findings, cycle, output_dir, outputs } = command;
    let request = MergeRequest { threshold, cycle, findings, output_dir, ballots: outputs };
    // A closed standard error takes the warnings away, never the tally.
    let mut warn = |line: String| drop(writeln!(anstream::stderr(), "{line}"));
    match merge_votes(&request, &front.places.surroundings(), &mut warn)? {
        MergeResult::Tally(tally) => {
            print(&serde_json::to_string(&tally).expect("a tally is plain data"))?;
            Ok(ExitStatus::Holds)
        }
        MergeResult::Fatal(text) => {
            warn(text);
            Ok(ExitStatus::Failed)
        }
    }
}

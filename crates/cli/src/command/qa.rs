//! `tribunal qa --detect` and `tribunal qa signature`.

use std::fmt::Write as _;

use tribunal_check::{Choice, End, Slot};
use tribunal_report::inert_lines;
use tribunal_runner::{Detected, detect_checks, read_check};

use crate::args::{QaArgs, QaCommand};
use crate::exit_status::ExitStatus;
use crate::failure::Failure;
use crate::front::{Front, print};

pub(crate) fn run(front: &Front, args: &QaArgs) -> Result<ExitStatus, Failure> {
    match &args.command {
        Some(QaCommand::Signature { file, exit, dir }) => {
            let reading = read_check(file, End::Exit(*exit), dir, &front.places.surroundings())?;
            if front.json {
                print(&serde_json::to_string(&reading).expect("a reading is plain values"))?;
            } else {
                print(&inert_lines(&reading.signature.to_string()))?;
            }
            Ok(ExitStatus::Holds)
        }
        None => show_detected(front, args),
    }
}

/// What was asked for alone has to be clear; a look at all four is only a look.
fn show_detected(front: &Front, args: &QaArgs) -> Result<ExitStatus, Failure> {
    let asked = args.slot();
    let slots = asked.map_or(Slot::ALL.to_vec(), |slot| vec![slot]);
    let found = detect_checks(&args.dir, &slots, &front.places.surroundings())?;
    if front.json {
        print(&serde_json::to_string(&found).expect("proposals are plain values"))?;
    } else {
        print(&inert_lines(&found.iter().map(shown).collect::<String>()))?;
    }
    let is_clear = |found: &Detected| matches!(found.detection.choice(), Choice::One(_));
    Ok(if asked.is_none() || found.iter().all(is_clear) {
        ExitStatus::Holds
    } else {
        ExitStatus::Usage
    })
}

fn shown(found: &Detected) -> String {
    let mut text = format!("{}:", found.slot);
    match found.detection.choice() {
        Choice::One(proposal) => {
            let _ = writeln!(text, " {proposal}");
        }
        Choice::Nothing => text += " nothing found\n",
        Choice::Several(several) => {
            text += " several\n";
            for proposal in several {
                let _ = writeln!(text, "  {proposal}");
            }
        }
    }
    for other in &found.detection.others {
        let _ = writeln!(text, "  not preferred: {other}");
    }
    for refused in &found.detection.refused {
        let _ = writeln!(text, "  refused: {refused}");
    }
    text
}

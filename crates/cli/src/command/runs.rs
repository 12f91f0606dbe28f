//! `tribunal runs list|show|resume|diff|apply|undo`.

use std::io::Write as _;

use tribunal_report::{
    apply_json, apply_text, inert_line, inert_lines, run_diff_json, undo_json, undo_text,
};
use tribunal_runner::review_loop::{Trail, trail};
use tribunal_runner::{
    AddedSteps, ApplyRequest, UndoRequest, apply, diff, list, resume, show, undo,
};

use crate::args::RunsCommand;
use crate::command::loops::print_status;
use crate::command::running::{drive, print_result, runtime};
use crate::exit_status::ExitStatus;
use crate::failure::Failure;
use crate::front::{Front, print, print_bytes};

pub(crate) fn run(front: &Front, command: RunsCommand) -> Result<ExitStatus, Failure> {
    match command {
        RunsCommand::List => {
            let lines = list(&front.places.surroundings())?;
            let text = if front.json { json(&lines) } else { table(&lines) };
            print(&text)?;
            Ok(ExitStatus::Holds)
        }
        RunsCommand::Show { run } => {
            let surroundings = front.places.surroundings();
            if let Some(trail) = trail(&run, &surroundings)? {
                return show_loop(front, &trail);
            }
            let ending = show(&run, &surroundings)?;
            print_result(front, &ending)?;
            Ok(ExitStatus::Holds)
        }
        RunsCommand::Resume { run, fail_on } => {
            drive(front, fail_on, None, async |surroundings, notify| {
                resume(&run, surroundings, AddedSteps::default(), notify).await
            })
        }
        RunsCommand::Diff { run, finding } => {
            let changed = diff(&run, finding.as_deref(), &front.places.surroundings())?;
            if front.json {
                print(&run_diff_json(&changed))?;
            } else {
                for note in &changed.notes {
                    // A closed standard error takes the notes away, never the diff.
                    let _ = writeln!(anstream::stderr(), "{}", inert_line(note));
                }
                print_bytes(&changed.patch)?;
            }
            Ok(ExitStatus::Holds)
        }
        RunsCommand::Apply { run, merge } => {
            let request = ApplyRequest { run, merge };
            let surroundings = front.places.surroundings();
            let applied = runtime()?.block_on(apply(&request, &surroundings))?;
            print(&if front.json { apply_json(&applied) } else { apply_text(&applied) })?;
            Ok(ExitStatus::Holds)
        }
        RunsCommand::Undo { run, force } => {
            let undone = undo(&UndoRequest { run, force }, &front.places.surroundings())?;
            print(&if front.json { undo_json(&undone) } else { undo_text(&undone) })?;
            Ok(ExitStatus::Holds)
        }
    }
}

/// What happened in a review loop, and how it stands.
fn show_loop(front: &Front, trail: &Trail) -> Result<ExitStatus, Failure> {
    if !front.json {
        print(&inert_lines(&trail.lines.join("\n")))?;
    }
    print_status(front, &trail.status)?;
    Ok(ExitStatus::Holds)
}

fn table(lines: &[tribunal_runner::RunLine]) -> String {
    let row = |line: &tribunal_runner::RunLine| {
        format!(
            "{}  {}  {}  {}  {}\n",
            line.run, line.started, line.recipe, line.root, line.standing
        )
    };
    lines.iter().map(row).collect()
}

fn json(lines: &[tribunal_runner::RunLine]) -> String {
    serde_json::to_string_pretty(lines).expect("lines of text are plain data")
}

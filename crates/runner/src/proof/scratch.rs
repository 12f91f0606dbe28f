//! Running the check command on trees of the run, in a scratch copy of its own.

use std::path::PathBuf;
use std::time::Duration;

use tribunal_dispatch::{Canceller, Ended, Environment, Invocation, Limits, Marker, Reply, Stdin};
use tribunal_phase::{CallId, FrameId, Outcome, Pause, StepId};
use tribunal_record::{Body, CheckedTree, Note};
use tribunal_worktree::TreeId;

use super::finding::whole_files;
use super::{Due, Proof};
use crate::drive::Driver;
use crate::error::RunError;
use crate::notice::Notice;
use crate::signals::Signals;

/// Where toolchains are that HOME does not lead to.
const TOOLCHAINS: [&str; 4] = ["CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "VIRTUAL_ENV"];
const FOLDER: &str = "check";

/// Runs every check that is due; gives a pause when a signal came meanwhile.
pub(crate) async fn prove(driver: &mut Driver<'_>) -> Result<Option<Outcome>, RunError> {
    let mut scratch: Option<Scratch> = None;
    let mut signals = Signals::new()?;
    loop {
        let (loaded, records) = (driver.loaded, driver.run.records());
        let proof = Proof::of(loaded, &driver.memory, records, &driver.run)?;
        let Some((proof, due)) = proof.and_then(|proof| proof.due().map(|due| (proof, due))) else {
            return Ok(None);
        };
        let Some(tree) = tree_of(driver, &proof, &due)? else { return Ok(None) };
        let folder = match scratch {
            Some(Scratch { ref folder, .. }) => folder.clone(),
            None => driver.run.scratch_folder(FOLDER)?,
        };
        if let Some(known) = &driver.tree {
            known.write_to(&folder, scratch.as_ref().map(|scratch| scratch.holds), tree)?;
        }
        scratch = Some(Scratch { folder: folder.clone(), holds: tree });
        let number = driver.run.records().len();
        if let Some(signal) = run_one(driver, due, folder, number, &mut signals).await? {
            return Ok(Some(Outcome::Paused(Pause::Signal(signal))));
        }
    }
}

/// A copy of one tree.
struct Scratch {
    folder: PathBuf,
    holds: TreeId,
}

fn tree_of(driver: &Driver<'_>, proof: &Proof<'_>, due: &Due) -> Result<Option<TreeId>, RunError> {
    let (Some(tree), Some((cycle, share))) = (&driver.tree, proof.share(due)) else {
        return Ok(None);
    };
    let recorded = &driver.memory.snapshots;
    Ok(Some(match (&due.tree, share) {
        (CheckedTree::Before, _) => tree.files(cycle.before, recorded)?,
        (CheckedTree::After, _) | (_, None) => tree.files(cycle.after, recorded)?,
        (CheckedTree::Without { .. }, Some(share)) => {
            tree.without(cycle.before, cycle.after, &share.own, recorded)?
        }
        (CheckedTree::WithoutShared { .. }, Some(share)) => {
            tree.without(cycle.before, cycle.after, &whole_files(share), recorded)?
        }
    }))
}

/// Runs the command once and records what came of it; gives the signal that ended it.
async fn run_one(
    driver: &mut Driver<'_>,
    due: Due,
    folder: PathBuf,
    number: usize,
    signals: &mut Signals,
) -> Result<Option<i32>, RunError> {
    let Some(options) = driver.loaded.definition.check.clone() else { return Ok(None) };
    let what = words(&due.tree);
    // Its only use is to name a file: a number that no other check has.
    let turn = u32::try_from(number).unwrap_or(u32::MAX);
    let call = CallId { frame: FrameId(due.cycle), step: StepId::new("check"), turn };
    let (spool, path) = driver.run.spool(&call, 1)?;
    (driver.notify)(Notice::Launched {
        cycle: due.cycle,
        step: what.clone(),
        agent: Some("the check command".to_owned()),
        attempt: 1,
    });
    let invocation = invocation(driver, &options, &folder);
    let (canceller, cancel) = Canceller::new();
    let mut running = Box::pin(tribunal_dispatch::run(&invocation, spool, cancel));
    let mut ended_by = None;
    let reply: Reply = loop {
        tokio::select! {
            reply = &mut running => break reply.map_err(|error| RunError::Io {
                what: "running the check command in",
                path: folder.clone(),
                source: std::io::Error::other(error.to_string()),
            })?,
            signal = signals.next() => {
                ended_by = Some(signal);
                canceller.cancel();
            }
        }
    };
    drop(running);
    if ended_by.is_some() {
        return Ok(ended_by);
    }
    let exit = match reply.ended {
        Ended::Exited(code) => Some(code),
        Ended::Signalled(_) | Ended::Deadline | Ended::Idle | Ended::Cancelled => None,
    };
    let output = driver.run.keep_file(&path)?;
    let folder = folder.to_string_lossy().into_owned();
    let cycle = due.cycle;
    driver.append(Body::Note(Note::Checked { cycle, tree: due.tree, exit, output, folder }))?;
    driver.run.sync()?;
    let records = driver.run.records();
    let proof = Proof::of(driver.loaded, &driver.memory, records, &driver.run)?;
    let failing = proof.and_then(|proof| proof.failing()).unwrap_or(0);
    let how = match (exit, failing) {
        (None, _) => "did not end by itself".to_owned(),
        (Some(0), _) => "passes".to_owned(),
        (Some(code), failing) => format!("fails (exit {code}), failing units: {failing}"),
    };
    let wall = u64::try_from(reply.wall.as_millis()).unwrap_or(u64::MAX);
    (driver.notify)(Notice::Ended { cycle, step: what, how, wall });
    Ok(None)
}

fn invocation(
    driver: &Driver<'_>,
    options: &super::CheckOptions,
    folder: &std::path::Path,
) -> Invocation {
    let environment = Environment::new(driver.surroundings.environment.clone())
        .allow(TOOLCHAINS)
        .set("CI", "true")
        // A byte-code cache knows seconds, and trees follow each other faster.
        .set("PYTHONDONTWRITEBYTECODE", "1");
    Invocation {
        program: "bash".into(),
        args: vec![
            "-o".into(),
            "pipefail".into(),
            "-c".into(),
            format!("exec 2>&1\n{}", options.command).into(),
        ],
        env: environment.for_lone_child(driver.run.tmp()),
        cwd: folder.to_owned(),
        stdin: Stdin::Null,
        limits: Limits {
            deadline: options.timeout.map(Duration::from_millis),
            ..Limits::default()
        },
        marker: Marker::of_run(driver.run.id().as_str()),
    }
}

fn words(tree: &CheckedTree) -> String {
    match tree {
        CheckedTree::Before => "check before the fixes".to_owned(),
        CheckedTree::After => "check after the fixes".to_owned(),
        CheckedTree::Without { finding } => format!("check without the fix of {finding}"),
        CheckedTree::WithoutShared { finding } => {
            format!("check without all changes in the files of {finding}")
        }
    }
}

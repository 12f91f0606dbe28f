//! `bench mcp`: how soon the MCP server answers, and what a status costs it.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::measure::middle;
use crate::failure::Failure;
use crate::process::{self, cargo};
use wire::Server;

mod wire;

const N_STARTS: usize = 21;
const N_CALLS: u32 = 1000;
/// From the start of the program to the answer to its first message.
const START_TARGET: Duration = Duration::from_millis(25);
/// Processor time of the server for one status.
const CALL_TARGET: Duration = Duration::from_micros(200);

/// Measures starts and calls, and prints the figures beside their targets.
pub(super) fn run(root: &Path) -> Result<(), Failure> {
    process::run(&mut cargo(root, &["build", "--quiet", "--release", "--package", "tribunal"]))?;
    let program = process::target_folder(root)?.join("release").join("tribunal");
    let scratch = tempfile::tempdir().map_err(Failure::at("a temporary folder"))?;
    let repository = scratch.path().join("repository");
    process::run(Command::new("git").args(["init", "--quiet"]).arg(&repository))?;
    let mut starts = Vec::new();
    for _ in 0..N_STARTS {
        let begun = Instant::now();
        let _server = Server::start(&program, scratch.path(), &repository)?;
        starts.push(begun.elapsed());
    }
    let mut server = Server::start(&program, scratch.path(), &repository)?;
    server.call("audit_loop_start", &json!({"scope": "all of it", "test_command": "true"}))?;
    let (before, begun) = (server.processor_time()?, Instant::now());
    for _ in 0..N_CALLS {
        server.call("audit_loop_status", &json!({}))?;
    }
    let wall = begun.elapsed() / N_CALLS;
    let cpu = (server.processor_time()? - before) / N_CALLS;
    println!("start to first answer: {:?}, target {START_TARGET:?}", middle(starts));
    println!(
        "a status, of {N_CALLS}: {cpu:?} of processor time, target {CALL_TARGET:?}; {wall:?} of wall"
    );
    Ok(())
}

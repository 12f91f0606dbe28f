//! The project's own chores; `cargo xtask help` lists them.

use std::process::ExitCode;

mod agents;
mod bench;
mod chore;
mod ci;
mod codegen;
mod diff;
mod failure;
mod fixes;
mod golden;
mod layers;
mod packages;
mod precision;
mod process;
mod test;
mod tidy;
mod tree;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match chore::run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

//! From the command line to an exit status.

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};

use clap::Parser as _;
use clap::error::ErrorKind;
use tribunal_runner::review_loop::Loops;

use crate::args::{Cli, Commands};
use crate::command;
use crate::exit_status::ExitStatus;
use crate::failure::Failure;
use crate::settings::{Places, log_filter};

/// The MCP server, as the binary hands it in: faces do not see each other.
#[derive(Debug, Clone, Copy)]
pub struct Mcp {
    /// Serves a client on standard input and output; gives the signal that ended it.
    pub serve: fn(Loops) -> std::io::Result<Option<i32>>,
    /// Name and text of each skill.
    pub skills: &'static [(&'static str, &'static str)],
    /// Name of each client, and how the server is registered with it.
    pub clients: &'static [(&'static str, &'static str)],
}

/// Runs one command line and gives its exit status.
///
/// Results go to standard output, everything else to standard error (D47).
pub fn main(arguments: impl IntoIterator<Item = OsString>, mcp: &Mcp) -> ExitStatus {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // A closed output takes the message away, never the status.
            let _ = error.print();
            return match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitStatus::Holds,
                _ => ExitStatus::Usage,
            };
        }
    };
    log(cli.verbose);
    match run(cli, mcp) {
        Ok(status) => status,
        Err(failure) => {
            // The same: a closed standard error is no reason for another status.
            let _ = writeln!(anstream::stderr(), "{}", failure.text);
            failure.status
        }
    }
}

fn run(cli: Cli, mcp: &Mcp) -> Result<ExitStatus, Failure> {
    let places = Places::find(cli.state_dir.as_deref())?;
    let front = Front { json: cli.is_json(), verbose: cli.verbose, places };
    match cli.command {
        Commands::Audit(args) => command::audit::run(&front, &args),
        Commands::Recipe(command) => command::recipe::run(&front, command),
        Commands::Runs(command) => command::runs::run(&front, command),
        Commands::Verdict(command) => command::verdict::run(command),
        Commands::Vote(command) => command::vote::run(&front, command),
        Commands::Fixes(command) => command::fixes::run(&front, command),
        Commands::Cycle(command) => command::cycle::run(&front, command),
        Commands::Loop(command) => command::loops::run(&front, command),
        Commands::Qa(args) => command::qa::run(&front, &args),
        Commands::Mcp(args) => command::mcp::run(&front, mcp, &args),
        Commands::Rules(command) => command::rules::run(&front, command),
        Commands::Trust(args) => command::trust::run(&front, &args),
    }
}

/// What every command knows.
pub(crate) struct Front {
    pub(crate) json: bool,
    pub(crate) verbose: bool,
    pub(crate) places: Places,
}

/// Tracing goes to standard error; `TRIBUNAL_LOG` has the filter.
fn log(verbose: bool) {
    let filter = log_filter().unwrap_or_else(|| if verbose { "info" } else { "error" }.to_owned());
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::new(filter))
        .with_writer(std::io::stderr)
        .without_time();
    // A program that uses this crate may have set its own; that one stays.
    let _ = subscriber.try_init();
}

/// Prints bytes as they are; on a terminal, where they could act, as inert lines.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout();
    if out.is_terminal() {
        return print(&tribunal_report::inert_lines(&String::from_utf8_lossy(bytes)));
    }
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::environment(format!("standard output: {error}"))),
    }
}

/// Prints a result; a reader that has gone away is no fault of ours.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout();
    let newline = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
    match write!(out, "{text}{newline}").and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::environment(format!("standard output: {error}"))),
    }
}

//! The binary: the command line with the MCP server, and the embedded inspector that it starts as a
//! child.

use std::io::{stderr, stdin, stdout};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    if arguments.nth(1).is_some_and(|first| first == "inspector") {
        let environment = tribunal_cli::environment();
        let (stdin, mut stdout, mut stderr) = (stdin().lock(), stdout(), stderr());
        let status =
            tribunal_inspector::main(arguments, environment, stdin, &mut stdout, &mut stderr);
        return ExitCode::from(status);
    }
    let mcp = tribunal_cli::Mcp {
        serve: tribunal_mcp::serve,
        skills: tribunal_mcp::SKILLS,
        clients: tribunal_mcp::CLIENTS,
    };
    ExitCode::from(tribunal_cli::main(std::env::args_os(), &mcp).code())
}

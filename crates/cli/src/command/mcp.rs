//! `tribunal mcp`.

use std::path::Path;

use crate::args::McpArgs;
use crate::command::loops::loops;
use crate::exit_status::ExitStatus;
use crate::failure::Failure;
use crate::front::{Front, Mcp, print};

pub(crate) fn run(front: &Front, mcp: &Mcp, args: &McpArgs) -> Result<ExitStatus, Failure> {
    if let Some(client) = &args.print_config {
        return print_config(mcp, client);
    }
    if let Some(folder) = &args.write_skills {
        return write_skills(mcp, &front.places.current_dir.join(folder));
    }
    let loops = loops(front, &args.limits)?;
    tribunal_runner::adopt_orphans()
        .map_err(|error| Failure::environment(format!("adopting orphans: {error}")))?;
    match (mcp.serve)(loops) {
        Ok(None) => Ok(ExitStatus::Holds),
        Ok(Some(signal)) => Ok(ExitStatus::Signal(u8::try_from(signal).unwrap_or(0))),
        Err(error) => Err(Failure::environment(format!("the MCP server: {error}"))),
    }
}

fn print_config(mcp: &Mcp, client: &str) -> Result<ExitStatus, Failure> {
    match mcp.clients.iter().find(|(name, _)| *name == client) {
        Some((_, lines)) => {
            print(lines)?;
            Ok(ExitStatus::Holds)
        }
        None => {
            let known: Vec<&str> = mcp.clients.iter().map(|(name, _)| *name).collect();
            let known = known.join(", ");
            Err(Failure::usage(format!("no client is called `{client}`; there are {known}")))
        }
    }
}

/// A skill that is there already with another text is somebody's: it stays, and the command fails.
fn write_skills(mcp: &Mcp, folder: &Path) -> Result<ExitStatus, Failure> {
    let failed = |error: std::io::Error| Failure::environment(error.to_string());
    let mut written = Vec::new();
    for (name, text) in mcp.skills {
        let place = folder.join(name);
        let file = place.join("SKILL.md");
        match fs_err::read_to_string(&file) {
            Ok(present) if present == *text => {}
            Ok(_) => {
                let message = format!("{}: is there with another text", file.display());
                return Err(Failure::usage(message));
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                fs_err::create_dir_all(&place).map_err(failed)?;
                fs_err::write(&file, text).map_err(failed)?;
            }
            Err(error) => return Err(failed(error)),
        }
        written.push(file.display().to_string());
    }
    print(&written.join("\n"))?;
    Ok(ExitStatus::Holds)
}

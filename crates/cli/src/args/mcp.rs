//! The MCP server.

use std::path::PathBuf;

use clap::Args;

use super::LimitOptions;

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
    /// Write the skills code-review and code-simplification into a folder instead, and end
    #[arg(long, value_name = "DIR", conflicts_with = "print_config")]
    pub(crate) write_skills: Option<PathBuf>,
    /// Print the lines that register the server with a client instead, and end
    #[arg(long, value_name = "CLIENT")]
    pub(crate) print_config: Option<String>,
}

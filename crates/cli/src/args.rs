//! What can be said on the command line.

use std::path::PathBuf;

use clap::{Args, Command, CommandFactory, Parser, Subcommand, ValueEnum};
use tribunal_finding::Severity;

mod goal;
mod inspector;
mod loops;
mod mcp;
mod number;
mod options;
mod rules;

pub(crate) use goal::{QaArgs, QaCommand};
pub(crate) use inspector::{RuleChoice, RulesCommand};
pub(crate) use loops::{LimitOptions, LoopCommand, VerdictWord};
pub(crate) use mcp::McpArgs;
pub(crate) use options::RunOptions;
use rules::boolean;
pub(crate) use rules::{CycleCommand, FixesCommand, VerdictCommand, VoteCommand};

/// Runs coding agents through quality audits and believes nothing it has not checked itself.
#[derive(Debug, Parser)]
#[command(name = "tribunal", version, propagate_version = true, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Commands,
    /// Where runs are kept [default: `$XDG_STATE_HOME/tribunal`]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) state_dir: Option<PathBuf>,
    /// How the result is printed
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Short for --format json
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Tell more of what is done
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

impl Cli {
    pub(crate) fn is_json(&self) -> bool {
        self.json || self.format == Format::Json
    }
}

/// The command line as clap knows it, for man pages and completions.
pub fn command_line() -> Command {
    Cli::command()
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Commands {
    /// Audit a repository: find, vote, fix, verify, cycle by cycle
    Audit(AuditArgs),
    /// Run and look at recipes
    #[command(subcommand)]
    Recipe(RecipeCommand),
    /// Look at runs, go on with them, undo them
    #[command(subcommand)]
    Runs(RunsCommand),
    /// Find the one JSON answer in what an agent said
    #[command(subcommand)]
    Verdict(VerdictCommand),
    /// Count independent votes
    #[command(subcommand)]
    Vote(VoteCommand),
    /// Hold claimed fixes against what the repository shows
    #[command(subcommand)]
    Fixes(FixesCommand),
    /// Decide whether another cycle is due
    #[command(subcommand)]
    Cycle(CycleCommand),
    /// Let review and simplification alternate until a gate closes the loop
    #[command(subcommand)]
    Loop(LoopCommand),
    /// Find the command that checks a project, and read what it prints
    Qa(QaArgs),
    /// Serve the review loop to an agent, by MCP on standard input and output
    Mcp(McpArgs),
    /// Look at and test the rules of the embedded inspector
    #[command(subcommand)]
    Rules(RulesCommand),
    /// Trust this repository's own settings, recipes, rules and steps as they are now
    Trust(TrustArgs),
}

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// What to audit: a folder or file inside a git repository
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) path: String,
    #[command(flatten)]
    pub(crate) options: RunOptions,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RecipeCommand {
    /// Run a recipe, by its name or from a file
    Run {
        /// A name (`tribunal recipe list`) or a path
        recipe: String,
        #[command(flatten)]
        options: Box<RunOptions>,
    },
    /// List the recipes there are
    List,
    /// Print a recipe
    Show {
        /// A name or a path
        recipe: String,
    },
    /// Check a recipe without running it
    Validate {
        /// A name or a path
        recipe: String,
        /// Warn about keys that a recipe should not have, instead of refusing it
        #[arg(long)]
        lenient: bool,
    },
    /// Deprecated
    #[command(hide = true)]
    Execute {
        /// Whatever was said
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        rest: Vec<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// List runs, newest first
    List,
    /// Show what a run has come to
    Show {
        /// Its id, or the beginning of it
        run: String,
    },
    /// Go on with a run that was interrupted
    Resume {
        /// Its id, or the beginning of it
        run: String,
        /// Exit with 1 when findings of this severity or above stay open
        #[arg(long, value_name = "SEVERITY")]
        fail_on: Option<Severity>,
    },
    /// Print what a run changed, as a patch that `git apply` takes
    Diff {
        /// Its id, or the beginning of it
        run: String,
        /// The fix of this finding alone
        #[arg(long, value_name = "ID")]
        finding: Option<String>,
    },
    /// Bring what an isolated run changed over to your work tree, and remove its own
    Apply {
        /// Its id, or the beginning of it
        run: String,
        /// Commit it on the run's branch and merge that, instead of changing files alone
        #[arg(long)]
        merge: bool,
    },
    /// Put the tree back to before a run's first write; what is replaced is kept as a snapshot
    Undo {
        /// Its id, or the beginning of it
        run: String,
        /// Undo edits made since too
        #[arg(long)]
        force: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// The repository
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) path: PathBuf,
    /// Trust it no longer
    #[arg(long)]
    pub(crate) revoke: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        command_line().debug_assert();
    }
}

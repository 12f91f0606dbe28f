//! The command line of the goal loop.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};
use tribunal_check::Slot;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(group = ArgGroup::new("slot").args(["tests", "build", "lint", "typecheck"]))]
pub(crate) struct QaArgs {
    #[command(subcommand)]
    pub(crate) command: Option<QaCommand>,
    /// Print what would check the project, where, and why, and run nothing
    #[arg(long, required = true)]
    pub(crate) detect: bool,
    /// Its tests
    #[arg(long)]
    pub(crate) tests: bool,
    /// Its build
    #[arg(long)]
    pub(crate) build: bool,
    /// Its linter
    #[arg(long)]
    pub(crate) lint: bool,
    /// Its types
    #[arg(long)]
    pub(crate) typecheck: bool,
    /// A folder in the project; the nearest project around it is meant
    #[arg(long, default_value = ".", value_name = "DIR")]
    pub(crate) dir: PathBuf,
}

impl QaArgs {
    /// The slot that was asked for.
    pub(crate) fn slot(&self) -> Option<Slot> {
        let flags = [
            (self.tests, Slot::Tests),
            (self.build, Slot::Build),
            (self.lint, Slot::Lint),
            (self.typecheck, Slot::Typecheck),
        ];
        flags.into_iter().find_map(|(is_set, slot)| is_set.then_some(slot))
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum QaCommand {
    /// Print what makes the failure in a check's output the same one as another
    Signature {
        /// What the check printed, standard output and standard error
        file: PathBuf,
        /// The exit status that it ended with
        #[arg(long, default_value_t = 1, value_name = "STATUS")]
        exit: i32,
        /// The absolute path of the folder it ran in; paths below it are shown as relative ones
        #[arg(long, default_value = "", value_name = "DIR", hide_default_value = true)]
        dir: String,
    },
}

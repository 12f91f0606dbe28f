//! The review loop by command line.

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum LoopCommand {
    /// Begin a loop on this work tree
    Start {
        /// What is reviewed: a path, a range of commits such as main..HEAD, or a description
        scope: String,
        /// A command that shows that the code works; Tribunal runs it, in bash, at the root
        #[arg(long, value_name = "COMMAND")]
        test_command: Option<String>,
        #[command(flatten)]
        limits: LimitOptions,
    },
    /// Record the verdict of a review
    Review {
        /// What the review comes to
        #[arg(value_enum)]
        verdict: VerdictWord,
        /// How many findings there are
        #[arg(long, value_name = "N", default_value_t = 0)]
        findings: u32,
        /// A file that findings are in; may be given again
        #[arg(long = "file", value_name = "FILE")]
        files: Vec<String>,
        /// What the verdict rests on: one claim for each hunk that was shown
        #[arg(long, value_name = "TEXT")]
        basis: Option<String>,
        #[command(flatten)]
        which: Which,
    },
    /// Record a simplify pass
    Simplify {
        /// Whether it changed anything
        #[arg(long, value_name = "true|false", value_parser = super::boolean, action = clap::ArgAction::Set)]
        changed: bool,
        /// A file that it changed; may be given again
        #[arg(long = "file", value_name = "FILE")]
        files: Vec<String>,
        #[command(flatten)]
        which: Which,
    },
    /// Show how the loop stands; ends as the loop has ended, with 0 while it goes on
    Status {
        #[command(flatten)]
        which: Which,
    },
    /// End the loop by hand
    Stop {
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
        #[command(flatten)]
        which: Which,
    },
    /// End with 2 and name the next step while a phase is open; for an agent's stop hook
    Gate {
        /// Read the event of a stop hook on stdin, and remind an agent once, not for ever
        #[arg(long)]
        hook: bool,
        #[command(flatten)]
        which: Which,
    },
}

/// Which loop is meant.
#[derive(Debug, Default, Args)]
pub(crate) struct Which {
    /// The run that `loop start` printed, or the beginning of it [default: the last loop of this work
    /// tree]
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,
}

/// What loops are held to.
#[derive(Debug, Default, Args)]
pub(crate) struct LimitOptions {
    /// How many simplify passes there may be [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_rounds: Option<u32>,
    /// The longest that the test command may run, in seconds [default: 600]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) test_timeout: Option<u64>,
}

/// What a review comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerdictWord {
    /// Nothing is to be changed.
    Clean,
    /// Something is.
    #[value(name = "changes_requested", alias = "changes-requested")]
    ChangesRequested,
}

//! What can be said on the command line.

use std::path::PathBuf;

use clap::{Args, Command, CommandFactory, Parser, Subcommand, ValueEnum};
use tribunal_finding::Severity;

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
    /// Look at runs and go on with them
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
    /// Trust this repository's own settings, recipes and steps as they are now
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

/// Options that every run understands.
#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// Set a variable of the recipe; may be given again
    #[arg(short = 'c', long = "context", value_name = "KEY=VALUE")]
    pub(crate) context: Vec<String>,
    /// Look without changing anything: findings are voted on and stay open
    #[arg(long)]
    pub(crate) no_fix: bool,
    /// Work without a git repository: content is compared by hashes
    #[arg(long)]
    pub(crate) no_git: bool,
    /// Never put the tree back, whatever an agent did to it
    #[arg(long)]
    pub(crate) keep_tree: bool,
    /// A program that reads a prompt on stdin and answers on stdout, for all roles
    #[arg(long, value_name = "PROGRAM ARGS")]
    pub(crate) agent_command: Option<String>,
    /// Who is asked: NAME for everybody, or KEY=NAME (KEY: a role, validator-N or a step)
    #[arg(long = "agent", value_name = "[KEY=]NAME")]
    pub(crate) agents: Vec<String>,
    /// The longest that one agent call may run, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) deadline: Option<u64>,
    /// Calls of the fixer in one cycle [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) fix_attempts: Option<u32>,
    /// How long each cycle's own work may take, in seconds; 0 for ever [default: 900]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) cycle_timeout: Option<u64>,
    /// Exit with 1 when findings of this severity or above stay open
    #[arg(long, value_name = "SEVERITY")]
    pub(crate) fail_on: Option<Severity>,
    /// Warn about keys that a recipe should not have, instead of refusing it
    #[arg(long)]
    pub(crate) lenient: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RecipeCommand {
    /// Run a recipe, by its name or from a file
    Run {
        /// A name (`tribunal recipe list`) or a path
        recipe: String,
        #[command(flatten)]
        options: RunOptions,
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
}

#[derive(Debug, Subcommand)]
pub(crate) enum VerdictCommand {
    /// Print {"class","tier","json","notes"} of the answer in FILE or on stdin
    Extract {
        /// The key that the answer should have
        #[arg(long, default_value = "validated")]
        key: String,
        /// The raw output; stdin when left out or `-`
        file: Option<PathBuf>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum VoteCommand {
    /// Merge raw validator outputs into a tally
    Merge {
        /// How many validators must agree
        #[arg(long, default_value_t = 2)]
        threshold: u32,
        /// The audit's findings; votes on others do not count
        #[arg(long, value_name = "FILE")]
        findings: Option<PathBuf>,
        /// The cycle
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        cycle: u32,
        /// Where unreadable outputs are kept
        #[arg(long, default_value = "./eval_results/quality_audit", value_name = "DIR")]
        output_dir: String,
        /// The raw outputs, by position
        #[arg(required = true, value_name = "OUTPUT")]
        outputs: Vec<PathBuf>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum FixesCommand {
    /// Keep the present state of a work tree and print its id
    Snapshot {
        /// The repository
        #[arg(long, default_value = ".", value_name = "DIR")]
        repo: PathBuf,
    },
    /// Verify a fix report against what changed since a snapshot
    Verify {
        /// The repository
        #[arg(long, default_value = ".", value_name = "DIR")]
        repo: PathBuf,
        /// The id that `fixes snapshot` printed
        #[arg(long, value_name = "ID")]
        before: String,
        /// The tally
        #[arg(long, value_name = "FILE")]
        tally: PathBuf,
        /// The fixer's raw answer
        #[arg(long, value_name = "FILE")]
        report: PathBuf,
        /// Whether every confirmed finding must be accounted for
        #[arg(long, default_value = "true", value_parser = boolean, action = clap::ArgAction::Set)]
        fix_all: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum CycleCommand {
    /// Print STOP or CONTINUE:n as the last line
    Decide {
        /// The cycle that has run
        #[arg(long, value_parser = limit)]
        cycle: u32,
        /// The least number of cycles
        #[arg(long, value_parser = limit)]
        min: u32,
        /// The most
        #[arg(long, value_parser = limit)]
        max: u32,
        /// The tally of the cycle
        #[arg(long, value_name = "FILE")]
        tally: PathBuf,
        /// Confirmed findings that nobody accounted for
        #[arg(long, default_value_t = 0)]
        unaccounted: u32,
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

/// `true` or `false` in any letter case (D14).
fn boolean(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("must be true or false".to_owned()),
    }
}

/// A decimal integer from 1, as people write one (D17).
fn limit(text: &str) -> Result<u32, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    match text.parse() {
        Ok(limit) if plain => Ok(limit),
        _ => Err("must be a decimal integer from 1".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        command_line().debug_assert();
    }

    #[test]
    fn limits_are_decimal_integers_from_one() {
        for (text, expected) in [("1", Some(1)), ("10", Some(10)), ("0", None), ("03", None)] {
            assert_eq!(limit(text).ok(), expected, "{text}");
        }
        for text in ["", "-1", "+1", "1.0", "three", " 1"] {
            assert!(limit(text).is_err(), "{text}");
        }
    }
}

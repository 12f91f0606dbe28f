//! Options that every run understands.

use clap::Args;
use tribunal_finding::Severity;

use super::RuleChoice;
use super::number::whole;

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
    /// Work in a linked work tree of the run's own; `tribunal runs apply` brings the fixes over
    #[arg(long, conflicts_with = "no_git")]
    pub(crate) isolate: bool,
    /// Never put the tree back, whatever an agent did to it
    #[arg(long)]
    pub(crate) keep_tree: bool,
    /// A program that reads a prompt on stdin and answers on stdout, for all roles
    #[arg(long, value_name = "PROGRAM ARGS")]
    pub(crate) agent_command: Option<String>,
    /// Who is asked: NAME for everybody, or KEY=NAME (KEY: a role, validator-N or a step)
    #[arg(long = "agent", value_name = "[KEY=]NAME")]
    pub(crate) agents: Vec<String>,
    #[command(flatten)]
    pub(crate) rules: RuleChoice,
    /// The longest that one agent call may run, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = whole::<1>, allow_negative_numbers = true)]
    pub(crate) deadline: Option<u32>,
    /// Calls of the fixer in one cycle [default: 2]
    #[arg(long, value_name = "N", value_parser = whole::<1>, allow_negative_numbers = true)]
    pub(crate) fix_attempts: Option<u32>,
    /// How long each cycle's own work may take, in seconds; 0 for ever [default: 900]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<0>, allow_negative_numbers = true)]
    pub(crate) cycle_timeout: Option<u32>,
    /// Run this before and after the fixes, in a scratch copy; by bash
    #[arg(long, value_name = "COMMAND")]
    pub(crate) check_command: Option<String>,
    /// How long one run of the check command may take, in seconds; 0 for ever [default: 600]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<0>, allow_negative_numbers = true)]
    pub(crate) check_timeout: Option<u32>,
    /// Take each fix back alone, in a scratch copy, and see the check command fail again
    #[arg(long)]
    pub(crate) prove: bool,
    /// The most runs of the check command that --prove may cost [default: 20]
    #[arg(long, value_name = "N", requires = "prove", value_parser = whole::<0>, allow_negative_numbers = true)]
    pub(crate) prove_limit: Option<u32>,
    /// Exit with 1 when findings of this severity or above stay open
    #[arg(long, value_name = "SEVERITY")]
    pub(crate) fail_on: Option<Severity>,
    /// Warn about keys that a recipe should not have, instead of refusing it
    #[arg(long)]
    pub(crate) lenient: bool,
}

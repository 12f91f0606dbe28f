//! The rules of the embedded inspector.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Which of the inspector's rules are meant.
#[derive(Debug, Default, Args)]
pub(crate) struct RuleChoice {
    /// Have the inspector use only this rule or category; may be given again
    #[arg(long, value_name = "RULE|CATEGORY")]
    pub(crate) only: Vec<String>,
    /// Have the inspector leave out this rule or category; may be given again
    #[arg(long, value_name = "RULE|CATEGORY")]
    pub(crate) skip: Vec<String>,
}

impl RuleChoice {
    /// The first flag that was given.
    pub(crate) fn flag(&self) -> Option<&'static str> {
        [("--only", &self.only), ("--skip", &self.skip)]
            .into_iter()
            .find_map(|(flag, words)| (!words.is_empty()).then_some(flag))
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// List the rules there are: built in, the user's, and those of this repository once trusted
    List {
        /// A folder of rules besides these
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
        #[command(flatten)]
        choice: RuleChoice,
    },
    /// Show one rule
    Show {
        /// Its id
        id: String,
        /// A folder of rules besides those that are listed
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
    /// Test rules against their examples
    Test {
        /// The folder of the rules, with their examples beside them; without it the built-in rules
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
        #[command(flatten)]
        choice: RuleChoice,
    },
}

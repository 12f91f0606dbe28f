//! Each rule alone, as a command.

use std::path::PathBuf;

use clap::Subcommand;

use super::number::whole;

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
        #[arg(long, default_value_t = 2, value_parser = whole::<0>, allow_negative_numbers = true)]
        threshold: u32,
        /// The audit's findings; votes on others do not count
        #[arg(long, value_name = "FILE")]
        findings: Option<PathBuf>,
        /// The cycle
        #[arg(long, default_value_t = 1, value_parser = whole::<1>, allow_negative_numbers = true)]
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
        #[arg(long, value_parser = whole::<1>, allow_negative_numbers = true)]
        cycle: u32,
        /// The least number of cycles
        #[arg(long, value_parser = whole::<1>, allow_negative_numbers = true)]
        min: u32,
        /// The most
        #[arg(long, value_parser = whole::<1>, allow_negative_numbers = true)]
        max: u32,
        /// The tally of the cycle
        #[arg(long, value_name = "FILE")]
        tally: PathBuf,
        /// Confirmed findings that nobody accounted for
        #[arg(long, default_value_t = 0, value_parser = whole::<0>, allow_negative_numbers = true)]
        unaccounted: u32,
    },
}

/// `true` or `false` in any letter case (D14).
pub(super) fn boolean(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("must be true or false".to_owned()),
    }
}

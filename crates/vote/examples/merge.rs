//! Counts the ballots in some files, one validator each, and prints the tally.
//!
//! `cargo run -p tribunal-vote --example merge -- THRESHOLD FILE...`; what did not count goes to
//! standard error.

use std::error::Error;
use std::io::{self, Write};

use tribunal_verdict::{Wanted, extract};
use tribunal_vote::{Standing, Threshold, is_vote_entry, merge};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let agree = arguments.next().ok_or("usage: merge THRESHOLD FILE...")?.parse()?;
    let outputs = arguments.map(std::fs::read).collect::<Result<Vec<_>, _>>()?;

    let wanted = Wanted { key: "validated", entry: is_vote_entry };
    let standings: Vec<Standing> =
        outputs.iter().map(|raw| Standing::of(&extract(raw, &wanted))).collect();
    let threshold = Threshold::new(agree, u32::try_from(standings.len())?)?;
    let merged = merge(1, threshold, None, &standings)?;

    for warning in &merged.warnings {
        writeln!(io::stderr(), "{warning}")?;
    }
    writeln!(io::stdout(), "{}", serde_json::to_string_pretty(&merged.tally)?)?;
    Ok(())
}

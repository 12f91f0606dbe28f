//! Counts the ballots in some files, one validator each, and prints the tally.
//!
//! `cargo run -p tribunal-vote --example merge -- THRESHOLD FILE...`; what did not count goes to
//! standard error.

use std::error::Error;
use std::io::{self, BufWriter, Write};

use tribunal_verdict::{Wanted, extract};
use tribunal_vote::{Standing, Threshold, is_vote_entry, merge};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let agree = arguments.next().ok_or("usage: merge THRESHOLD FILE...")?.parse()?;

    let wanted = Wanted { key: "validated", entry: is_vote_entry };
    // A standing has what it needs, so an output goes before the next one is read.
    let standing =
        |path: String| std::fs::read(path).map(|raw| Standing::of(&extract(&raw, &wanted)));
    let standings = arguments.map(standing).collect::<Result<Vec<_>, _>>()?;
    let threshold = Threshold::new(agree, u32::try_from(standings.len())?)?;
    let merged = merge(1, threshold, None, &standings)?;

    for warning in &merged.warnings {
        writeln!(io::stderr(), "{warning}")?;
    }
    let mut out = BufWriter::new(io::stdout().lock());
    serde_json::to_writer(&mut out, &merged.tally)?;
    writeln!(out)?;
    out.flush()?;
    Ok(())
}

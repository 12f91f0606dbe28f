//! Reads an agent's output from standard input and prints the object that was meant.
//!
//! `cargo run -p tribunal-verdict --example extract -- KEY < output.txt`; KEY is `validated`
//! unless given. The class and the notes go to standard error.

use std::error::Error;
use std::io::{self, Read, Write};

use tribunal_verdict::{Wanted, extract};

fn main() -> Result<(), Box<dyn Error>> {
    let key = std::env::args().nth(1).unwrap_or_else(|| "validated".to_owned());
    let mut raw = Vec::new();
    io::stdin().read_to_end(&mut raw)?;

    let found = extract(&raw, &Wanted::any_entry(&key));

    let mut log = io::stderr();
    match found.tier() {
        Some(tier) => writeln!(log, "{} by tier {}", found.class(), tier.number())?,
        None => writeln!(log, "{}", found.class())?,
    }
    for note in &found.notes {
        writeln!(log, "note: {note}")?;
    }
    writeln!(io::stdout(), "{}", found.json().unwrap_or("{}"))?;
    Ok(())
}

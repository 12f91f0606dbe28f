//! Keeps a snapshot, or asks which of some paths differ from one.
//!
//! `cargo run -p tribunal-worktree --example check -- ROOT NAME` prints the tree that was kept as
//! `single/NAME`; with paths behind the name, those that differ from that snapshot now.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use tribunal_verify::RepoPath;
use tribunal_worktree::{Excluded, Limits, SnapshotName, Worktree};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("usage: check ROOT NAME [PATH...]");
    let (root, name) = (next()?, SnapshotName::single(&next()?)?);
    let paths: Vec<RepoPath> = arguments.map(|path| RepoPath::new(path.into_bytes())).collect();

    let tree = Worktree::open(Path::new(&root))?;
    if paths.is_empty() {
        let snapshot = tree.snapshot(&name, &Excluded::default(), &Limits::default())?;
        writeln!(io::stdout(), "{}", snapshot.tree())?;
        return Ok(());
    }
    for path in tree.changed_among(&paths, &tree.load(&name)?, &Excluded::default())? {
        writeln!(io::stdout(), "{path}")?;
    }
    Ok(())
}

//! Where the workspace's own programs are.

use std::env;
use std::path::PathBuf;

/// Finds a program of this workspace in the profile folder that the running test was built into.
///
/// Cargo builds a package's own programs before its tests, but not those of other packages.
///
/// # Panics
///
/// When the program is not there; the message says how to build it.
#[must_use]
pub fn binary(name: &str) -> PathBuf {
    let test = env::current_exe().expect("the system names the running program");
    let folder = test
        .ancestors()
        .skip(1)
        .find(|folder| folder.file_name().is_none_or(|last| last != "deps"))
        .expect("a program has a folder");
    let program = folder.join(format!("{name}{}", env::consts::EXE_SUFFIX));
    assert!(
        program.is_file(),
        "{} is missing: run `cargo xtask test` or `cargo build --workspace --bins`",
        program.display()
    );
    program
}

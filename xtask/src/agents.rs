//! `cargo xtask agents`: real agent programs from npm, which tests ask with a scripted model behind
//! them.
//!
//! They are installed below the target folder as `agents`, without their install scripts. Nothing of them
//! is in the repository.

use std::path::Path;
use std::process::Command;

use crate::chore;
use crate::failure::Failure;
use crate::process;

/// The agents that the tests know, at the versions they were written with.
const PACKAGES: [&str; 2] = ["@openai/codex@0.171.0", "@earendil-works/pi-coding-agent@0.74.2"];

/// Installs them, where that has not been done.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    chore::takes_nothing("agents", arguments)?;
    let folder = process::target_folder(root)?.join("agents");
    let note = folder.join("installed");
    // What an earlier version of this chore installed is not what the tests know.
    if std::fs::read_to_string(&note).is_ok_and(|text| text == PACKAGES.join("\n")) {
        return Ok(());
    }
    if !is_possible() {
        return Err(Failure::Broken("npm is not installed; agents come from it".to_owned()));
    }
    std::fs::create_dir_all(&folder).map_err(Failure::at(&folder))?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--ignore-scripts", "--no-save", "--no-package-lock"]);
    npm.args(["--no-audit", "--no-fund", "--silent", "--prefix"]).arg(&folder).args(PACKAGES);
    process::run(&mut npm)?;
    std::fs::write(&note, PACKAGES.join("\n")).map_err(Failure::at(&note))
}

/// Whether what installs them is here.
pub(crate) fn is_possible() -> bool {
    process::installed("npm") && process::installed("node")
}

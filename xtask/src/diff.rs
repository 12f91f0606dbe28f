//! Differences for people, made by git.

use std::path::Path;
use std::process::Command;

use crate::failure::Failure;

/// The unified difference from `expected` to `actual`; empty when they are equal.
pub(crate) fn unified(expected: &str, actual: &str) -> Result<String, Failure> {
    if expected == actual {
        return Ok(String::new());
    }
    let folder = tempfile::tempdir().map_err(Failure::at("a temporary folder"))?;
    write(&folder.path().join("expected"), expected)?;
    write(&folder.path().join("actual"), actual)?;
    let output = Command::new("git")
        .current_dir(folder.path())
        .args(["diff", "--no-index", "--no-color", "--no-ext-diff", "expected", "actual"])
        .output()
        .map_err(Failure::at("git"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    // The header names temporary files: it says nothing.
    let hunks = text.find("\n@@").map_or(text.as_ref(), |start| &text[start + 1..]);
    Ok(hunks.to_owned())
}

fn write(place: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(place, text).map_err(Failure::at(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_hunks_are_shown() {
        let shown = unified("one\ntwo\n", "one\nthree\n").expect("git works");
        assert_eq!(shown, "@@ -1,2 +1,2 @@\n one\n-two\n+three\n");
        assert_eq!(unified("same\n", "same\n").expect("nothing to do"), "");
    }
}

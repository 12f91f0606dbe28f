//! The files of the project, as git sees them.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::failure::Failure;
use crate::process;

/// The text of every file that is tracked or could be: ignored files are left out, and bytes that
/// are no text too.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// Path relative to the root, with `/`, and text.
    files: BTreeMap<String, String>,
}

impl Tree {
    /// Reads the checkout at `root`.
    pub(crate) fn read(root: &Path) -> Result<Self, Failure> {
        let listing = process::read(Command::new("git").current_dir(root).args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ]))?;
        let mut tree = Self::default();
        for path in listing.split_terminator('\0') {
            let place = root.join(path);
            // A tracked file may be deleted in the checkout; a link may lead nowhere.
            if !place.is_file() {
                continue;
            }
            let bytes = std::fs::read(&place).map_err(Failure::at(&place))?;
            if let Ok(text) = String::from_utf8(bytes) {
                tree.files.insert(path.to_owned(), text);
            }
        }
        Ok(tree)
    }

    /// Every file with its text, in the order of the paths.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }
}

#[cfg(test)]
impl<const N: usize> From<[(&str, &str); N]> for Tree {
    fn from(files: [(&str, &str); N]) -> Self {
        Self { files: files.map(|(path, text)| (path.to_owned(), text.to_owned())).into() }
    }
}

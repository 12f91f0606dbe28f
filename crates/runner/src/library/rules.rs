//! Rules of users, read when a run begins.

use std::path::{Path, PathBuf};

use super::{LibraryError, text_of};
use crate::inspector::{RuleFile, RuleFolder};

/// Reads the rule files of a folder and of the folders in it: `*.yml` and `*.yaml`, examples apart.
///
/// A link to a file is followed, a link to a folder is not. Whether the folder is to be trusted is for
/// the caller to know.
///
/// # Errors
/// A folder or file cannot be read, or is no text.
pub fn read_rules(folder: &Path) -> Result<RuleFolder, LibraryError> {
    let mut paths = Vec::new();
    collect(folder, &mut paths)?;
    paths.sort_unstable();
    let files = paths.iter().map(|path| {
        let unreadable = |source| LibraryError::Unreadable { path: path.clone(), source };
        let below = path.strip_prefix(folder).unwrap_or(path);
        let text = text_of(path).map_err(unreadable)?;
        Ok(RuleFile { path: utf8(below)?, text })
    });
    let files = files.collect::<Result<_, _>>()?;
    Ok(RuleFolder { origin: utf8(folder)?, files })
}

fn utf8(path: &Path) -> Result<String, LibraryError> {
    path.to_str().map(str::to_owned).ok_or_else(|| LibraryError::Unreadable {
        path: path.to_owned(),
        source: std::io::Error::new(std::io::ErrorKind::InvalidData, "its name is not UTF-8"),
    })
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), LibraryError> {
    let unreadable = |source| LibraryError::Unreadable { path: folder.to_owned(), source };
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        if entry.file_type().map_err(unreadable)?.is_dir() {
            collect(&path, paths)?;
        } else if is_rule(&path) {
            paths.push(path);
        }
    }
    Ok(())
}

fn is_rule(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let ends = |ending: &str| name.ends_with(ending.as_bytes());
    (ends(".yml") || ends(".yaml"))
        && !(ends(".examples.yml") || ends(".examples.yaml"))
        && path.is_file()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn rule_files_are_read_in_the_order_of_their_paths_and_others_are_not() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path();
        fs::create_dir_all(root.join("python/old.yml")).expect("a fresh folder takes folders");
        for file in [
            "z.yml",
            "a.yaml",
            "python/b.yml",
            "a.examples.yml",
            "README.md",
            "python/old.yml/c.yml",
        ] {
            fs::write(root.join(file), format!("id: {file}\n")).expect("a fresh folder");
        }
        std::os::unix::fs::symlink(root, root.join("round.yml")).expect("a fresh folder");
        let read = read_rules(root).expect("it can be read");
        assert_eq!(Some(read.origin.as_str()), root.to_str());
        let found: Vec<_> = read.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(found, ["a.yaml", "python/b.yml", "python/old.yml/c.yml", "z.yml"]);
        assert_eq!(read.files[1].text, "id: python/b.yml\n");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let binary = folder.path().join("b.yml");
        fs::write(&binary, [0xff, 0xfe]).expect("a fresh folder takes files");
        for path in [folder.path(), &folder.path().join("absent")] {
            let error = read_rules(path).expect_err("unreadable");
            let named = if path == folder.path() { &binary } else { path };
            assert!(error.to_string().contains(&named.display().to_string()), "{error}");
        }
    }
}

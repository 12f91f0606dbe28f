//! A folder as it stands, to prove that nothing in it was changed.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Everything below a folder: files with their bytes, folders, links, permissions, times of last
/// modification. Of a repository that is work tree, index, refs, objects and hooks alike.
#[derive(Debug, PartialEq, Eq)]
pub struct Portrait {
    root: PathBuf,
    entries: BTreeMap<PathBuf, Entry>,
}

#[derive(Debug, PartialEq, Eq)]
struct Entry {
    mode: u32,
    /// Of a folder it tells of what was made in it and removed again.
    modified: (i64, i64),
    content: Vec<u8>,
}

impl Portrait {
    /// Takes it.
    ///
    /// # Panics
    ///
    /// When something below the folder cannot be read.
    #[must_use]
    pub fn of(root: &Path) -> Self {
        let mut entries = BTreeMap::new();
        collect(root, root, &mut entries);
        Self { root: root.to_owned(), entries }
    }

    /// Requires that the folder still is what it was.
    ///
    /// # Panics
    ///
    /// When it is not; the message names every path that differs.
    #[track_caller]
    pub fn expect_unchanged(&self) {
        let now = Self::of(&self.root);
        let paths = self.entries.keys().chain(now.entries.keys());
        let mut differing: Vec<&PathBuf> =
            paths.filter(|path| self.entries.get(*path) != now.entries.get(*path)).collect();
        differing.sort_unstable();
        differing.dedup();
        assert!(differing.is_empty(), "{} changed: {differing:?}", self.root.display());
    }
}

fn collect(root: &Path, path: &Path, entries: &mut BTreeMap<PathBuf, Entry>) {
    let failed = |error: std::io::Error| -> ! { panic!("{}: {error}", path.display()) };
    let found = fs::symlink_metadata(path).unwrap_or_else(|error| failed(error));
    let content = if found.is_symlink() {
        let target = fs::read_link(path).unwrap_or_else(|error| failed(error));
        target.as_os_str().as_bytes().to_vec()
    } else if found.is_file() {
        fs::read(path).unwrap_or_else(|error| failed(error))
    } else {
        Vec::new()
    };
    let modified = (found.mtime(), found.mtime_nsec());
    let below = path.strip_prefix(root).unwrap_or(path).to_owned();
    entries.insert(below, Entry { mode: found.mode(), modified, content });
    if found.is_dir() {
        for entry in fs::read_dir(path).unwrap_or_else(|error| failed(error)) {
            collect(root, &entry.unwrap_or_else(|error| failed(error)).path(), entries);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn whatever_changes_is_named() {
        type Change = fn(&Path);
        let changes: [(&str, Change); 6] = [
            ("a", |root| fs::write(root.join("a"), "new").expect("a file")),
            ("b/c", |root| fs::write(root.join("b/c"), "").expect("a file")),
            ("gone", |root| fs::remove_file(root.join("gone")).expect("a file")),
            ("link", |root| {
                fs::remove_file(root.join("link")).expect("a link");
                symlink("b", root.join("link")).expect("a link");
            }),
            ("a", |root| {
                fs::set_permissions(root.join("a"), fs::Permissions::from_mode(0o755)).expect("a");
            }),
            ("b", |root| {
                fs::write(root.join("b/d"), "").expect("a file");
                fs::remove_file(root.join("b/d")).expect("a file");
            }),
        ];
        for (named, change) in changes {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let root = folder.path();
            fs::create_dir(root.join("b")).expect("a fresh folder");
            for file in ["a", "gone"] {
                fs::write(root.join(file), "old").expect("a fresh folder");
            }
            symlink("a", root.join("link")).expect("a fresh folder");
            let before = Portrait::of(root);
            before.expect_unchanged();
            change(root);
            let panicked = catch_unwind(|| before.expect_unchanged()).expect_err(named);
            let said = panicked.downcast_ref::<String>().expect("a message");
            assert!(said.contains(&format!("{named:?}")), "{said}");
        }
    }
}

//! Which files of the repository are looked at, and which paths may be touched.

use std::path::{Component, Path, PathBuf};

use fs_err as fs;
use ignore::WalkBuilder;

use crate::fault::Fault;

/// The files below `root/target` that git would not ignore, as paths relative to the root, sorted.
///
/// Links are not followed; `.git` and the paths in `skip` are left out; files whose name is not
/// UTF-8 have no place in a contract and are left out too.
pub(crate) fn files(root: &Path, target: &Path, skip: &[PathBuf]) -> Result<Vec<String>, Fault> {
    let below = below(root, target)?;
    let start = root.join(&below);
    let skipped: Vec<PathBuf> = skip.iter().map(|path| root.join(plain(path))).collect();
    let walk = WalkBuilder::new(start)
        .hidden(false)
        .require_git(false)
        .git_global(false)
        .follow_links(false)
        .filter_entry(move |entry| {
            entry.file_name() != ".git" && !skipped.iter().any(|skip| skip == entry.path())
        })
        .build();
    let mut paths = Vec::new();
    for entry in walk {
        let entry = match entry {
            Ok(entry) => entry,
            // A folder that cannot be read is no fault of the audit; a missing target is.
            Err(error) if error.depth() == Some(0) => return Err(error.into()),
            Err(_) => continue,
        };
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        let relative = entry.path().strip_prefix(root).ok().and_then(slashed);
        if let (true, Some(path)) = (is_file, relative) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The target relative to the root, without `.` parts.
fn below(root: &Path, target: &Path) -> Result<PathBuf, Fault> {
    let outside = || Fault::TargetOutside { target: target.to_owned(), root: root.to_owned() };
    let relative = if target.is_absolute() {
        let root = fs::canonicalize(root)?;
        fs::canonicalize(target)?.strip_prefix(&root).map_err(|_| outside())?.to_path_buf()
    } else {
        target.to_path_buf()
    };
    if relative.components().any(|part| matches!(part, Component::ParentDir)) {
        return Err(outside());
    }
    Ok(plain(&relative))
}

fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| !matches!(part, Component::CurDir)).collect()
}

fn slashed(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> =
        path.components().map(|part| part.as_os_str().to_str()).collect();
    parts.map(|parts| parts.join("/"))
}

/// Why a path from a finding is not touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Untouchable {
    #[error("its path is absolute or leads out of the repository")]
    Outside,
    #[error("its path goes through a symbolic link")]
    Link,
    #[error("there is no file at its path")]
    Missing,
}

/// Takes a path that somebody else wrote; only a plain file below the root passes.
pub(crate) fn touchable(root: &Path, path: &str) -> Result<PathBuf, Untouchable> {
    let relative = Path::new(path);
    let mut place = root.to_path_buf();
    let mut named = false;
    for part in relative.components() {
        match part {
            Component::CurDir => continue,
            Component::Normal(name) if name != ".git" => place.push(name),
            Component::Normal(_)
            | Component::ParentDir
            | Component::RootDir
            | Component::Prefix(_) => return Err(Untouchable::Outside),
        }
        named = true;
        let kind = fs::symlink_metadata(&place).map_err(|_| Untouchable::Missing)?.file_type();
        if kind.is_symlink() {
            return Err(Untouchable::Link);
        }
    }
    let is_file = named && fs::symlink_metadata(&place).is_ok_and(|found| found.is_file());
    if is_file { Ok(place) } else { Err(Untouchable::Missing) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        for (path, text) in [
            ("src/a.rs", ""),
            ("src/sub/b.rs", ""),
            (".github/ci.py", ""),
            (".git/config", ""),
            (".gitignore", "ignored/\n"),
            ("ignored/c.rs", ""),
            ("eval_results/quality_audit/report.md", ""),
        ] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("created");
            fs::write(path, text).expect("written");
        }
        folder
    }

    fn walked(target: &str) -> Vec<String> {
        let folder = tree();
        let skip = [PathBuf::from("./eval_results/quality_audit")];
        files(folder.path(), Path::new(target), &skip).expect("walked")
    }

    #[test]
    fn the_walk_honours_gitignore_and_leaves_git_and_output_out() {
        assert_eq!(walked("."), [".github/ci.py", ".gitignore", "src/a.rs", "src/sub/b.rs"]);
        assert_eq!(walked("./src/sub/"), ["src/sub/b.rs"]);
        assert_eq!(walked("src/a.rs"), ["src/a.rs"]);
    }

    #[test]
    fn a_target_that_is_missing_or_outside_is_a_fault() {
        let folder = tree();
        for target in ["none", "../", "/"] {
            assert!(files(folder.path(), Path::new(target), &[]).is_err(), "{target}");
        }
    }

    #[test]
    fn a_path_from_a_finding_is_taken_only_below_the_root() {
        let folder = tree();
        let root = folder.path();
        assert_eq!(touchable(root, "src/a.rs"), Ok(root.join("src/a.rs")));
        assert_eq!(touchable(root, "./src/a.rs"), Ok(root.join("src/a.rs")));
        for path in ["../x", "/etc/hostname", "src/../../x", ".git/config"] {
            assert_eq!(touchable(root, path), Err(Untouchable::Outside), "{path}");
        }
        for path in ["", ".", "src", "src/none.rs"] {
            assert_eq!(touchable(root, path), Err(Untouchable::Missing), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_neither_walked_nor_touched() {
        let folder = tree();
        let root = folder.path();
        std::os::unix::fs::symlink("a.rs", root.join("src/link.rs")).expect("linked");
        std::os::unix::fs::symlink("src", root.join("linked")).expect("linked");
        assert_eq!(touchable(root, "src/link.rs"), Err(Untouchable::Link));
        assert_eq!(touchable(root, "linked/a.rs"), Err(Untouchable::Link));
        let walked = files(root, Path::new("."), &[]).expect("walked");
        assert!(walked.iter().all(|path| !path.contains("link")), "{walked:?}");
    }
}

//! Folders of ours are left out of every snapshot, so nothing of the user's may lie in them (D12).

use std::path::{Component, Path, PathBuf};

use tribunal_worktree::Worktree;

use crate::definition::Loaded;
use crate::error::RunError;
use crate::place_fault::PlaceFault;
use crate::surroundings::Surroundings;
use crate::tree::Tree;

/// Checks the folder of results before anything is written.
///
/// # Errors
/// It is the repository itself, leads out of it by `..`, lies in `.git`, or holds files that git tracks.
pub(crate) fn check_output_dir(loaded: &Loaded, tree: &Tree) -> Result<(), RunError> {
    let values = loaded.definition.values.as_map();
    let Some(value) = values.and_then(|values| values.get("output_dir")) else { return Ok(()) };
    let path = value.render();
    let root = Path::new(&loaded.definition.root);
    match output_dir_fault(&path, root, tree) {
        Ok(None) => Ok(()),
        Ok(Some(fault)) => Err(RunError::OwnFolder { setting: "output_dir", path, fault }),
        Err(error) => Err(error),
    }
}

fn output_dir_fault(given: &str, root: &Path, tree: &Tree) -> Result<Option<PlaceFault>, RunError> {
    let path = Path::new(given);
    let below = if path.is_absolute() {
        // Only a person can have named a place outside, and may; on the way there links are followed.
        let real = with_parents_resolved(path);
        if tree.git_folders()?.iter().any(|folder| real.starts_with(folder)) {
            return Ok(Some(PlaceFault::InGit));
        }
        match real.strip_prefix(root) {
            Ok(below) => below.to_owned(),
            Err(_) => return Ok(None),
        }
    } else {
        match plain(path) {
            Some(below) => below,
            None => return Ok(Some(PlaceFault::LeadsOut { root: root.to_owned() })),
        }
    };
    if below.components().any(|part| part.as_os_str() == ".git") {
        return Ok(Some(PlaceFault::InGit));
    }
    if below.as_os_str().is_empty() {
        return Ok(Some(PlaceFault::IsRoot));
    }
    Ok(tree.tracks_below(&below)?.then_some(PlaceFault::HoldsTracked))
}

/// Checks the folder of runs before it is made.
///
/// # Errors
/// It is the repository itself, or holds files that git tracks: their changes would be no evidence.
pub(crate) fn check_state_dir(
    loaded: &Loaded,
    surroundings: &Surroundings,
) -> Result<(), RunError> {
    let root = Path::new(&loaded.definition.root);
    let folder = with_parents_resolved(&surroundings.state_dir);
    let Ok(below) = folder.strip_prefix(root) else { return Ok(()) };
    let fault = if below.as_os_str().is_empty() {
        PlaceFault::IsRoot
    } else if !loaded.definition.options.no_git && Worktree::open(root)?.tracks_below(below)? {
        PlaceFault::HoldsTracked
    } else {
        return Ok(());
    };
    let path = surroundings.state_dir.display().to_string();
    Err(RunError::OwnFolder { setting: "--state-dir", path, fault })
}

/// Without `.` and `..`; `None` where it leads out.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut below = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir | Component::Prefix(_) | Component::RootDir => {}
            Component::ParentDir => {
                if !below.pop() {
                    return None;
                }
            }
            Component::Normal(name) => below.push(name),
        }
    }
    Some(below)
}

/// An absolute path with the links on the way to its last name resolved, as far as it exists.
fn with_parents_resolved(path: &Path) -> PathBuf {
    let Some(name) = path.file_name() else {
        // It ends in `..`, or is `/`.
        return path.canonicalize().unwrap_or_else(|_| path.to_owned());
    };
    let above = path.parent().unwrap_or(path);
    let existing = above.ancestors().find_map(|place| Some((place, place.canonicalize().ok()?)));
    match existing {
        Some((place, real)) => real.join(above.strip_prefix(place).unwrap_or(above)).join(name),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_folder_is_walked_without_leaving() {
        for (given, expected) in [
            ("a/b", Some("a/b")),
            ("./a/../b/.", Some("b")),
            ("", Some("")),
            ("a/..", Some("")),
            ("..", None),
            ("a/../../b", None),
        ] {
            assert_eq!(plain(Path::new(given)).as_deref(), expected.map(Path::new), "{given}");
        }
    }

    #[test]
    fn links_on_the_way_are_resolved_and_what_is_missing_stays() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().canonicalize().expect("it is there");
        std::fs::create_dir(root.join("real")).expect("a fresh folder");
        std::os::unix::fs::symlink(root.join("real"), root.join("link")).expect("a fresh folder");
        for (given, expected) in [
            ("link/x", "real/x"),
            ("link/x/y/z", "real/x/y/z"),
            ("link", "link"),
            ("link/..", ""),
            ("none/x", "none/x"),
        ] {
            let expected = if expected.is_empty() { root.clone() } else { root.join(expected) };
            assert_eq!(with_parents_resolved(&root.join(given)), expected, "{given}");
        }
    }
}

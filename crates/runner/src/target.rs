//! The repository and what is audited in it.

use std::path::{Path, PathBuf};

use tribunal_worktree::Worktree;

use crate::error::RunError;
use crate::place_fault::PlaceFault;
use crate::surroundings::Surroundings;

/// What is audited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The repository root, absolute; without git the audited folder itself.
    pub root: PathBuf,
    /// What is audited, relative to the root, `.` for all of it.
    pub path: String,
}

/// Finds the repository that a path lies in (D48a).
///
/// # Errors
/// The path is empty or does not exist, lies outside of every repository or in `.git`, or leads out of
/// the repository that it was named in by a link.
pub fn locate(path: &str, no_git: bool, surroundings: &Surroundings) -> Result<Target, RunError> {
    let given = surroundings.current_dir.join(path);
    let real = real(path, &given)?;
    if no_git {
        let (root, file) = if real.is_dir() { (real, None) } else { split(&real) };
        return Ok(Target { root, path: file.unwrap_or_else(|| ".".to_owned()) });
    }
    stays_inside(path, &given, &real)?;
    let worktree = Worktree::open(&real)?;
    let root = worktree.root().to_owned();
    let path = relative(path, &real, &root)?;
    Ok(Target { root, path })
}

/// Checks the variables `repo_path` and `target_path` of a recipe.
pub(crate) fn check(
    repo_path: &str,
    target_path: &str,
    no_git: bool,
    surroundings: &Surroundings,
) -> Result<Target, RunError> {
    let root = real(repo_path, &surroundings.current_dir.join(repo_path))?;
    if !no_git {
        let found = Worktree::open(&root)?.root().to_owned();
        if found != root {
            return Err(fault(repo_path, PlaceFault::BelowRoot { root: found }));
        }
    }
    let real_target = real(target_path, &root.join(target_path))?;
    let path = relative(target_path, &real_target, &root)?;
    Ok(Target { root, path })
}

fn fault(path: &str, fault: PlaceFault) -> RunError {
    RunError::Target { path: path.to_owned(), fault }
}

fn real(given: &str, path: &Path) -> Result<PathBuf, RunError> {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    if given.is_empty() {
        return Err(fault(given, PlaceFault::Empty));
    }
    let real = path.canonicalize().and_then(|real| Ok((real.metadata()?.file_type(), real)));
    match real {
        Ok((kind, real)) if kind.is_dir() || kind.is_file() => Ok(real),
        Ok(_) => Err(fault(given, PlaceFault::Special)),
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => {
            Err(fault(given, PlaceFault::Missing))
        }
        Err(error) => Err(fault(given, PlaceFault::Unreadable(error))),
    }
}

/// A link that lies in a repository does not lead the audit to another place.
fn stays_inside(path: &str, given: &Path, real: &Path) -> Result<(), RunError> {
    for place in given.ancestors() {
        let is_link = place.symlink_metadata().is_ok_and(|found| found.is_symlink());
        let Some(folder) = place.parent().filter(|_| is_link) else { continue };
        let Ok(root) = Worktree::open(folder).map(|worktree| worktree.root().to_owned()) else {
            continue;
        };
        if !real.starts_with(&root) {
            let (link, to) = (place.to_owned(), real.to_owned());
            return Err(fault(path, PlaceFault::LinkOut { link, root, to }));
        }
    }
    Ok(())
}

fn relative(given: &str, real: &Path, root: &Path) -> Result<String, RunError> {
    let below = real
        .strip_prefix(root)
        .map_err(|_| fault(given, PlaceFault::LeadsOut { root: root.to_owned() }))?;
    if below.components().any(|part| part.as_os_str() == ".git") {
        return Err(fault(given, PlaceFault::InGit));
    }
    match below.to_str() {
        Some("") => Ok(".".to_owned()),
        Some(path) => Ok(path.to_owned()),
        None => Err(fault(given, PlaceFault::NotUtf8)),
    }
}

fn split(file: &Path) -> (PathBuf, Option<String>) {
    let folder = file.parent().unwrap_or(file).to_owned();
    (folder, file.file_name().and_then(|name| name.to_str()).map(str::to_owned))
}

//! The repository and what is audited in it.

use std::path::{Path, PathBuf};

use tribunal_worktree::Worktree;

use crate::error::RunError;
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
/// The path does not exist, lies outside of every repository, or leads out of its own by a link.
pub fn locate(path: &str, no_git: bool, surroundings: &Surroundings) -> Result<Target, RunError> {
    let given = surroundings.current_dir.join(path);
    let real = real(path, &given)?;
    if no_git {
        let (root, file) = if real.is_dir() { (real, None) } else { split(&real) };
        return Ok(Target { root, path: file.unwrap_or_else(|| ".".to_owned()) });
    }
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
            return Err(RunError::Target {
                path: repo_path.to_owned(),
                why: format!("lies below the root of its repository, {}", found.display()),
            });
        }
    }
    let real_target = real(target_path, &root.join(target_path))?;
    let path = relative(target_path, &real_target, &root)?;
    Ok(Target { root, path })
}

fn real(given: &str, path: &Path) -> Result<PathBuf, RunError> {
    path.canonicalize().map_err(|error| RunError::Target {
        path: given.to_owned(),
        why: match error.kind() {
            std::io::ErrorKind::NotFound => "does not exist".to_owned(),
            _ => error.to_string(),
        },
    })
}

fn relative(given: &str, real: &Path, root: &Path) -> Result<String, RunError> {
    let fault = |why: String| RunError::Target { path: given.to_owned(), why };
    let below = real
        .strip_prefix(root)
        .map_err(|_| fault(format!("leads out of the repository {}", root.display())))?;
    match below.to_str() {
        Some("") => Ok(".".to_owned()),
        Some(path) => Ok(path.to_owned()),
        None => Err(fault("is not UTF-8, which prompts need".to_owned())),
    }
}

fn split(file: &Path) -> (PathBuf, Option<String>) {
    let folder = file.parent().unwrap_or(file).to_owned();
    (folder, file.file_name().and_then(|name| name.to_str()).map(str::to_owned))
}

//! Paths that snapshots never look at.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use crate::WorktreeError;

/// Paths that are never walked, compared or restored: `output_dir` and Tribunal's own state (D12).
///
/// Absolute, or relative to the root; one outside of the work tree excludes nothing. The same
/// list belongs to all snapshots that are compared with one another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excluded {
    /// The files and folders.
    pub paths: Vec<PathBuf>,
}

/// The same, as byte paths relative to the root.
#[derive(Debug)]
pub(crate) struct ExcludedBelow(Vec<Vec<u8>>);

impl ExcludedBelow {
    /// # Errors
    ///
    /// [`WorktreeError::Outside`] when a path is the root itself, which would leave nothing.
    pub(crate) fn new(
        root: &Path,
        excluded: &Excluded,
        own: &[PathBuf],
    ) -> Result<Self, WorktreeError> {
        let mut below = Vec::new();
        for path in excluded.paths.iter().chain(own) {
            let Some(relative) = relative_to(root, path) else { continue };
            if relative.is_empty() {
                return Err(WorktreeError::Outside { path: path.clone(), root: root.to_owned() });
            }
            below.push(relative);
        }
        Ok(Self(below))
    }

    /// Whether the path is one of them or lies below one.
    pub(crate) fn covers(&self, path: &[u8]) -> bool {
        self.0.iter().any(|excluded| {
            path.strip_prefix(excluded.as_slice())
                .is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
        })
    }
}

/// `None` for a path outside of the root.
pub(crate) fn relative_to(root: &Path, path: &Path) -> Option<Vec<u8>> {
    let absolute = lexically_plain(&root.join(path));
    if let Ok(below) = absolute.strip_prefix(root) {
        return Some(below.as_os_str().as_bytes().to_vec());
    }
    // The root has its links resolved; a path that was given otherwise may still lie below it.
    let existing = absolute.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    let (above, resolved) = existing?;
    let rest = absolute.strip_prefix(above).ok()?;
    let below = resolved.join(rest);
    below.strip_prefix(root).ok().map(|below| below.as_os_str().as_bytes().to_vec())
}

fn lexically_plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}

/// A byte path as the operating system's.
pub(crate) fn os_path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_covers_what_lies_below_it_and_nothing_beside_it() {
        let excluded = Excluded {
            paths: ["./eval/out/", "/r/state", "/elsewhere", "a/../b"].map(PathBuf::from).to_vec(),
        };
        let below = ExcludedBelow::new(Path::new("/r"), &excluded, &[]).unwrap();
        for path in ["eval/out", "eval/out/x", "state/y", "b"] {
            assert!(below.covers(path.as_bytes()), "{path}");
        }
        for path in ["eval", "eval/outer", "a", "bb", "elsewhere"] {
            assert!(!below.covers(path.as_bytes()), "{path}");
        }
    }

    #[test]
    fn the_root_cannot_be_excluded() {
        let excluded = Excluded { paths: vec![PathBuf::from(".")] };
        assert!(ExcludedBelow::new(Path::new("/r"), &excluded, &[]).is_err());
    }
}

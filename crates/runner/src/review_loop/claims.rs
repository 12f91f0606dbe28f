//! Files that a call names, held against what changed (D28).

use tribunal_phase::{SnapshotId, What};

use super::session::Session;
use crate::error::RunError;

impl Session<'_> {
    /// Holds the files that the open call names against what changed.
    pub(super) fn compare(
        &mut self,
        before: SnapshotId,
        after: SnapshotId,
    ) -> Result<(), RunError> {
        let changes = self.tree.unified(before, after, &self.trees)?;
        let root = &self.definition.root;
        let is_changed = |file: &String| {
            let file = relative(file, root);
            changes.iter().any(|change| {
                let same = |path: &[u8]| path == file.as_bytes();
                same(change.path.as_bytes())
                    || change.was.as_ref().is_some_and(|was| same(was.as_bytes()))
            })
        };
        let files = self.open.as_ref().map_or(&[][..], |(call, _)| call.files());
        let unfounded = files.iter().filter(|file| !is_changed(file)).count();
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let (changed, unfounded) = (number(changes.len()), number(unfounded));
        self.ready.push_back(What::Compared { before, after, changed, unfounded });
        Ok(())
    }
}

/// A path as agents write it, relative to the root.
fn relative<'p>(path: &'p str, root: &str) -> &'p str {
    let below = path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/'));
    let mut path = below.unwrap_or(path).trim();
    while let Some(rest) = path.strip_prefix("./") {
        path = rest;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_from_the_root() {
        for (given, expected) in [
            ("a.rs", "a.rs"),
            ("./a.rs", "a.rs"),
            ("././src/a.rs", "src/a.rs"),
            ("/r/src/a.rs", "src/a.rs"),
            ("/r2/a.rs", "/r2/a.rs"),
            (" a.rs ", "a.rs"),
        ] {
            assert_eq!(relative(given, "/r"), expected);
        }
    }
}

//! A difference as a patch that git can apply.

use std::collections::BTreeSet;

use git2::{DiffFormat, DiffOptions};
use tribunal_verify::RepoPath;

use crate::open::Session;
use crate::{TreeId, Worktree, WorktreeError};

impl Worktree {
    /// The way from one tree of raw files to another as a unified diff with three lines of context;
    /// `git apply` takes it, and with `-R` the way back. Modes, links, binary files and paths that
    /// are no UTF-8 are in it; a rename is a removal and an addition; empty folders are not in it.
    ///
    /// Only these paths are looked at.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Git`].
    pub fn patch(
        &self,
        from: TreeId,
        to: TreeId,
        only: &BTreeSet<RepoPath>,
    ) -> Result<Vec<u8>, WorktreeError> {
        if only.is_empty() {
            return Ok(Vec::new());
        }
        let session = self.session()?;
        session.patch(from, to, only).map_err(|error| session.refused(&error))
    }
}

impl Session<'_> {
    fn patch(
        &self,
        from: TreeId,
        to: TreeId,
        only: &BTreeSet<RepoPath>,
    ) -> Result<Vec<u8>, git2::Error> {
        let mut options = DiffOptions::new();
        options.show_binary(true).id_abbrev(40).disable_pathspec_match(true);
        for path in only {
            options.pathspec(path.as_bytes());
        }
        let (from, to) = (self.repository.find_tree(from.0)?, self.repository.find_tree(to.0)?);
        let diff = self.repository.diff_tree_to_tree(Some(&from), Some(&to), Some(&mut options))?;
        let mut text = Vec::new();
        diff.print(DiffFormat::Patch, |_, _, line| {
            if let origin @ ('+' | '-' | ' ') = line.origin() {
                text.extend_from_slice(origin.encode_utf8(&mut [0; 4]).as_bytes());
            }
            text.extend_from_slice(line.content());
            true
        })?;
        Ok(text)
    }
}

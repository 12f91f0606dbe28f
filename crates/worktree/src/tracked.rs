//! Whether git tracks anything at a place.

use std::path::Path;

use crate::excluded::relative_to;
use crate::index_file::IndexFile;
use crate::nested::read_index;
use crate::open::Kind;
use crate::{Worktree, WorktreeError};

impl Worktree {
    /// Whether the index has an entry at a path or below it: what is excluded there would hide
    /// changes of tracked files (D12).
    ///
    /// The path need not exist; it is absolute or relative to the root, and taken both as written
    /// and with its links resolved. Outside of the work tree, and without a repository, nothing is
    /// tracked; the indexes of submodules and nested repositories are not asked.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::UnsupportedFormat`] for a split index, [`WorktreeError::Io`] and
    /// [`WorktreeError::Git`] when the index cannot be read.
    pub fn tracks_below(&self, path: &Path) -> Result<bool, WorktreeError> {
        let session = self.session()?;
        let Kind::Git(_) = session.kind else { return Ok(false) };
        let Some(read) = read_index(&session.repository)? else { return Ok(false) };
        let written = self.root().join(path);
        let existing =
            written.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
        let resolved = existing
            .and_then(|(above, resolved)| Some(resolved.join(written.strip_prefix(above).ok()?)));
        Ok([Some(written.clone()), resolved]
            .into_iter()
            .flatten()
            .filter_map(|place| relative_to(self.root(), &place))
            .any(|place| has_entries(&read.file, &place)))
    }
}

fn has_entries(index: &IndexFile, place: &[u8]) -> bool {
    let all = 0..index.entries().len();
    if place.is_empty() {
        return !all.is_empty();
    }
    let folder = [place, b"/"].concat();
    index.find(place).is_some()
        || !index.below(all, &folder).is_empty()
        || index.sparse_folder_of(&folder).is_some()
}

//! Which repository a path belongs to: the work tree's own, or one that lies inside of it.

use std::path::Path;

use git2::{Repository, RepositoryOpenFlags};

use crate::WorktreeError;
use crate::excluded::os_path;
use crate::index_file::{BadIndex, IndexFile};

/// The ground that one repository's index and ignore rules hold for.
#[derive(Clone, Copy)]
pub(crate) struct Territory<'t> {
    pub(crate) repository: &'t Repository,
    pub(crate) index: &'t IndexFile,
    /// Length of the path from the root of the walk to this repository's root, with its `/`.
    pub(crate) prefix: usize,
}

impl Territory<'_> {
    pub(crate) fn is_outer(&self) -> bool {
        self.prefix == 0
    }

    /// The place of a path in the index.
    pub(crate) fn position(&self, path: &[u8]) -> Option<usize> {
        self.index.position(&path[self.prefix..])
    }

    /// Whether git tracks a folder as a submodule, or anything below it.
    pub(crate) fn tracks_folder(&self, path: &[u8]) -> bool {
        let below = [&path[self.prefix..], b"/"].concat();
        self.position(path).is_some() || self.index.has_below(&below)
    }

    /// Whether the ignore rules cover a path that is not tracked; a folder has its closing `/`.
    pub(crate) fn ignores(&self, path: &[u8]) -> Result<bool, WorktreeError> {
        self.repository
            .is_path_ignored(os_path(&path[self.prefix..]))
            .map_err(|error| WorktreeError::git(os_path(path), &error))
    }
}

/// A submodule, or a repository that was cloned into the work tree.
pub(crate) struct Nested {
    pub(crate) repository: Repository,
    pub(crate) index: IndexFile,
}

impl Nested {
    /// `None` when it cannot be read as a repository; its files are then the outer one's.
    pub(crate) fn open(folder: &Path) -> Option<Self> {
        let nothing: [&Path; 0] = [];
        let repository =
            Repository::open_ext(folder, RepositoryOpenFlags::NO_SEARCH, nothing).ok()?;
        let index = read_index(&repository).ok()?.map_or_else(IndexFile::default, |read| read.0);
        Some(Self { repository, index })
    }
}

/// Reads a repository's index file, with its bytes; `None` when there is none.
pub(crate) fn read_index(
    repository: &Repository,
) -> Result<Option<(IndexFile, Vec<u8>)>, WorktreeError> {
    use std::io::Read;
    use std::os::unix::fs::MetadataExt;

    let path = repository.path().join("index");
    let failed = |error| WorktreeError::io(&path, "reading", error);
    let mut file = match std::fs::File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let metadata = file.metadata().map_err(failed)?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0) + 1);
    file.read_to_end(&mut bytes).map_err(failed)?;
    let nanoseconds = u32::try_from(metadata.mtime_nsec()).unwrap_or(0);
    let index = IndexFile::read(&bytes, (metadata.mtime(), nanoseconds))
        .map_err(|bad| bad_index(&path, bad))?;
    Ok(Some((index, bytes)))
}

pub(crate) fn bad_index(path: &Path, bad: BadIndex) -> WorktreeError {
    match bad {
        BadIndex::Broken(why) => {
            WorktreeError::Git { path: path.to_owned(), why: format!("index file: {why}") }
        }
        BadIndex::Unsupported(format) => {
            WorktreeError::UnsupportedFormat { path: path.to_owned(), format }
        }
    }
}

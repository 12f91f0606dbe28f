//! Which repository a path belongs to: the work tree's own, or one that lies inside of it.

use std::io::Read;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use git2::{Repository, RepositoryOpenFlags};

use crate::WorktreeError;
use crate::excluded::os_path;
use crate::index_file::IndexFile;
use crate::index_reader::BadIndex;

/// The ground that one repository's index and ignore rules hold for.
#[derive(Clone)]
pub(crate) struct Territory<'t> {
    pub(crate) repository: &'t Repository,
    pub(crate) index: &'t IndexFile,
    /// Length of the path from the root of the walk to this repository's root, with its `/`.
    pub(crate) prefix: usize,
    /// The index entries below the folder that the walk is in.
    among: Range<usize>,
}

impl<'t> Territory<'t> {
    pub(crate) fn new(repository: &'t Repository, index: &'t IndexFile, prefix: usize) -> Self {
        Self { repository, index, prefix, among: 0..index.entries().len() }
    }

    pub(crate) fn is_outer(&self) -> bool {
        self.prefix == 0
    }

    /// The place in the index of a path in the folder that the walk is in.
    pub(crate) fn position(&self, path: &[u8]) -> Option<usize> {
        self.index.position(self.among.clone(), &path[self.prefix..])
    }

    /// The same ground, seen from a folder in the present one; `path` has its closing `/`.
    pub(crate) fn inside(&self, path: &[u8]) -> Self {
        let among = self.index.below(self.among.clone(), &path[self.prefix..]);
        Self { among, ..self.clone() }
    }

    /// Whether git tracks anything below the folder that the walk is in.
    pub(crate) fn has_tracked(&self) -> bool {
        !self.among.is_empty()
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
        let index = read_index(&repository).ok()?.map_or_else(IndexFile::default, |it| it.file);
        Some(Self { repository, index })
    }
}

/// An index file with its bytes.
pub(crate) struct ReadIndex {
    pub(crate) file: IndexFile,
    pub(crate) bytes: Vec<u8>,
}

/// Reads a repository's index file; `None` when there is none.
pub(crate) fn read_index(repository: &Repository) -> Result<Option<ReadIndex>, WorktreeError> {
    let path = repository.path().join("index");
    match read_bytes(&path)? {
        Some((bytes, mtime)) => {
            let file = IndexFile::read(&bytes, mtime).map_err(|bad| bad_index(&path, bad))?;
            Ok(Some(ReadIndex { file, bytes }))
        }
        None => Ok(None),
    }
}

type BytesAndTime = (Vec<u8>, (i64, u32));

fn read_bytes(path: &Path) -> Result<Option<BytesAndTime>, WorktreeError> {
    let failed = |error| WorktreeError::io(path, "reading", error);
    let mut file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let metadata = file.metadata().map_err(failed)?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0) + 1);
    file.read_to_end(&mut bytes).map_err(failed)?;
    let nanoseconds = u32::try_from(metadata.mtime_nsec()).unwrap_or(0);
    Ok(Some((bytes, (metadata.mtime(), nanoseconds))))
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

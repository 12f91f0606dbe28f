//! Which blob the bytes of a file are, with as little reading as can be trusted.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CStr;
use std::io::{self, Read, Write};
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use git2::{ObjectType, Oid};
use rustix::fs::Stat;
use rustix::io::Errno;

use crate::excluded::os_path;
use crate::objects::Objects;
use crate::{WorktreeError, folder};

/// Files that were read by an earlier snapshot of the same [`crate::Worktree`].
pub(crate) type Remembered = RefCell<HashMap<Vec<u8>, Seen>>;

pub(crate) struct Seen {
    stat: StatKey,
    id: Oid,
}

type StatKey = (u64, i64, i64, i64, i64, i64);

/// A file is remembered only if its last change lies this many seconds before the walk began, so
/// that no later change can fall into the same tick of the file system's clock.
const SETTLED: i64 = 2;

/// Larger files are streamed into the store instead of being held in memory.
const STREAMED: u64 = 16 << 20;

/// Gives blob ids for one walk.
pub(crate) struct BlobIds<'w> {
    pub(crate) objects: &'w Objects<'w>,
    root: &'w Path,
    remembered: &'w Remembered,
    began: i64,
}

impl<'w> BlobIds<'w> {
    pub(crate) fn new(
        root: &'w Path,
        objects: &'w Objects<'w>,
        remembered: &'w Remembered,
    ) -> Self {
        // A clock before 1970 only means that nothing is remembered.
        let began = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self { objects, root, remembered, began: i64::try_from(began).unwrap_or(i64::MAX) }
    }

    /// What an earlier walk read, if the file has not changed since.
    pub(crate) fn remembered(&self, path: &[u8], stat: &Stat) -> Option<Oid> {
        let remembered = self.remembered.borrow();
        let seen = remembered.get(path)?;
        (seen.stat == key(stat)).then_some(seen.id)
    }

    /// Reads a regular file into the store; `None` when it is gone.
    pub(crate) fn read(
        &self,
        above: BorrowedFd<'_>,
        name: &CStr,
        path: &[u8],
        stat: &Stat,
    ) -> Result<Option<Oid>, WorktreeError> {
        let file = match folder::open_file(above, name) {
            Ok(file) => std::fs::File::from(file),
            Err(Errno::NOENT | Errno::LOOP) => return Ok(None),
            Err(error) => return Err(WorktreeError::io(&self.full(path), "opening", error)),
        };
        let id = self.store(file, path, stat)?;
        if key(stat).2.max(key(stat).4) + SETTLED <= self.began {
            let seen = Seen { stat: key(stat), id };
            self.remembered.borrow_mut().insert(path.to_vec(), seen);
        }
        Ok(Some(id))
    }

    fn store(
        &self,
        mut file: std::fs::File,
        path: &[u8],
        stat: &Stat,
    ) -> Result<Oid, WorktreeError> {
        let size = u64::try_from(stat.st_size).unwrap_or(0);
        match usize::try_from(size) {
            Ok(size) if size as u64 > STREAMED => {
                let fill = |sink: &mut dyn Write| copy_exactly(&mut file, sink, size as u64);
                self.objects.write_stream(size, fill, &self.full(path))
            }
            _ => {
                let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
                file.read_to_end(&mut bytes)
                    .map_err(|error| WorktreeError::io(&self.full(path), "reading", error))?;
                self.objects.write(ObjectType::Blob, &bytes)
            }
        }
    }

    fn full(&self, path: &[u8]) -> PathBuf {
        self.root.join(os_path(path))
    }
}

fn copy_exactly(file: &mut impl Read, sink: &mut dyn Write, size: u64) -> io::Result<()> {
    let copied = io::copy(&mut file.take(size), sink)?;
    if copied == size { Ok(()) } else { Err(io::Error::other("the file shrank while it was read")) }
}

#[expect(
    clippy::unnecessary_cast,
    reason = "the widths of these fields differ between operating systems"
)]
fn key(stat: &Stat) -> StatKey {
    (
        stat.st_ino as u64,
        stat.st_size as i64,
        stat.st_mtime as i64,
        stat.st_mtime_nsec as i64,
        stat.st_ctime as i64,
        stat.st_ctime_nsec as i64,
    )
}

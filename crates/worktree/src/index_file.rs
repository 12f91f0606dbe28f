//! Reads git's index file, versions 2 to 4, from its bytes.
//!
//! libgit2's own reader refuses sparse indexes and hides what a snapshot needs (D12): the exact
//! bytes and the stat data of every entry.

use std::ops::Range;

use git2::Oid;
use rustix::fs::Stat;

use crate::index_reader::{BadIndex, Reader};

/// An index file: its bytes and the entries in them, in path order.
#[derive(Debug, Default)]
pub(crate) struct IndexFile {
    paths: Vec<u8>,
    entries: Vec<IndexEntry>,
    /// Seconds and nanoseconds of the file's last modification.
    pub(crate) mtime: (i64, u32),
    /// Whether any entry is a `.gitattributes`.
    pub(crate) has_attributes: bool,
}

/// One entry.
#[derive(Debug)]
pub(crate) struct IndexEntry {
    path: Range<usize>,
    pub(crate) id: Oid,
    pub(crate) mode: u32,
    pub(crate) stage: u8,
    pub(crate) intent_to_add: bool,
    pub(crate) skip_worktree: bool,
    stat: EntryStat,
}

#[derive(Debug, PartialEq, Eq)]
struct EntryStat {
    ctime: (u32, u32),
    mtime: (u32, u32),
    ino: u32,
    uid: u32,
    gid: u32,
    size: u32,
}

/// An entry without its stat data.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Staged {
    id: Oid,
    mode: u32,
    stage: u8,
    intent_to_add: bool,
}

pub(crate) const GITLINK: u32 = 0o160_000;

impl IndexFile {
    /// Reads the bytes of an index file.
    pub(crate) fn read(bytes: &[u8], mtime: (i64, u32)) -> Result<Self, BadIndex> {
        let mut reader = Reader::new(bytes);
        if reader.take(4)? != b"DIRC" {
            return Err(BadIndex::Broken("no index file"));
        }
        let version = reader.word()?;
        if !(2..=4).contains(&version) {
            return Err(BadIndex::Unsupported(format!("index version {version}")));
        }
        let count = reader.word()? as usize;
        let mut index = Self { mtime, ..Self::default() };
        // An entry has at least 62 bytes, so a made-up count cannot ask for more than there is.
        index.entries.reserve(count.min(bytes.len() / 62));
        let mut previous = 0..0;
        for _ in 0..count {
            let entry = index.entry(&mut reader, version, &previous)?;
            previous = entry.path.clone();
            index.has_attributes |= index.paths[entry.path.clone()].ends_with(b".gitattributes");
            index.entries.push(entry);
        }
        reader.extensions()?;
        Ok(index)
    }

    fn entry(
        &mut self,
        reader: &mut Reader<'_>,
        version: u32,
        previous: &Range<usize>,
    ) -> Result<IndexEntry, BadIndex> {
        let start = reader.at;
        let ctime = (reader.word()?, reader.word()?);
        let mtime = (reader.word()?, reader.word()?);
        let _device = reader.word()?;
        let (ino, mode) = (reader.word()?, reader.word()?);
        let (uid, gid, size) = (reader.word()?, reader.word()?, reader.word()?);
        let id = Oid::from_bytes(reader.take(20)?).map_err(|_| BadIndex::Broken("no object id"))?;
        let flags = reader.half()?;
        let extended = if flags & 0x4000 != 0 { reader.half()? } else { 0 };
        let path = self.path(reader, version, previous)?;
        if version < 4 {
            // Padded with 1 to 8 NULs to a multiple of eight; one was taken with the path.
            let length = reader.at - 1 - start;
            reader.at = start + (length + 8) / 8 * 8;
        }
        Ok(IndexEntry {
            path,
            id,
            mode,
            stage: ((flags >> 12) & 3) as u8,
            intent_to_add: extended & 0x2000 != 0,
            skip_worktree: extended & 0x4000 != 0,
            stat: EntryStat { ctime, mtime, ino, uid, gid, size },
        })
    }

    fn path(
        &mut self,
        reader: &mut Reader<'_>,
        version: u32,
        previous: &Range<usize>,
    ) -> Result<Range<usize>, BadIndex> {
        let start = self.paths.len();
        if version == 4 {
            let dropped = reader.varint()?;
            let kept = previous.len().checked_sub(dropped).ok_or(BadIndex::Broken("bad prefix"))?;
            self.paths.extend_from_within(previous.start..previous.start + kept);
        }
        let rest = reader.until_nul()?;
        self.paths.extend_from_slice(rest);
        Ok(start..self.paths.len())
    }

    /// The entries, in order.
    pub(crate) fn entries(&self) -> &[IndexEntry] {
        &self.entries
    }

    /// An entry's path.
    pub(crate) fn path_of(&self, entry: &IndexEntry) -> &[u8] {
        &self.paths[entry.path.clone()]
    }

    /// The place of the first entry of a path, any stage, among some of the entries.
    pub(crate) fn position(&self, among: Range<usize>, path: &[u8]) -> Option<usize> {
        let at = self.first_from(among.clone(), path);
        let found = at < among.end && self.path_of(&self.entries[at]) == path;
        found.then_some(at)
    }

    /// The entry of a path.
    pub(crate) fn find(&self, path: &[u8]) -> Option<&IndexEntry> {
        self.position(0..self.entries.len(), path).map(|at| &self.entries[at])
    }

    /// The entry of a sparse index that stands for a folder above a path, and the length of that
    /// folder's path with its closing `/`.
    pub(crate) fn sparse_folder_of(&self, path: &[u8]) -> Option<(&IndexEntry, usize)> {
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let mut ends = slashes.map(|(at, _)| at + 1);
        ends.find_map(|end| Some((self.find(&path[..end])?, end)))
    }

    /// The entries below a folder, given with its closing `/`, among those of the one above.
    pub(crate) fn below(&self, among: Range<usize>, folder: &[u8]) -> Range<usize> {
        let start = self.first_from(among.clone(), folder);
        let rest = &self.entries[start..among.end];
        let count = rest.partition_point(|entry| self.path_of(entry).starts_with(folder));
        start..start + count
    }

    fn first_from(&self, among: Range<usize>, path: &[u8]) -> usize {
        let entries = &self.entries[among.clone()];
        among.start + entries.partition_point(|entry| self.path_of(entry) < path)
    }

    /// Whether a file still is what the entry says, by its stat data alone.
    ///
    /// An entry as young as the index file proves nothing: the file may have been written again in
    /// the same tick (git's "racy" rule). Empty files prove nothing either, since git marks racy
    /// entries by size 0.
    pub(crate) fn still_holds(&self, entry: &IndexEntry, stat: &Stat) -> bool {
        let recorded = &entry.stat;
        let older = (i64::from(recorded.mtime.0), recorded.mtime.1) < self.mtime;
        older
            && stat.st_size != 0
            && entry.stage == 0
            && !entry.intent_to_add
            && entry.mode & 0o170_000 == 0o100_000
            && *recorded == EntryStat::of(stat)
    }
}

impl EntryStat {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the index holds the low 32 bits of each number, and so does git"
    )]
    fn of(stat: &Stat) -> Self {
        Self {
            ctime: (stat.st_ctime as u32, stat.st_ctime_nsec as u32),
            mtime: (stat.st_mtime as u32, stat.st_mtime_nsec as u32),
            ino: stat.st_ino as u32,
            uid: stat.st_uid,
            gid: stat.st_gid,
            size: stat.st_size as u32,
        }
    }
}

impl IndexEntry {
    /// What a commit would take of it; stat data aside.
    pub(crate) fn staged(&self) -> Staged {
        let (id, mode, stage) = (self.id, self.mode, self.stage);
        Staged { id, mode, stage, intent_to_add: self.intent_to_add }
    }
}

#[cfg(test)]
mod tests {
    use rustix::fs::{AtFlags, CWD, statat};

    use super::*;

    /// An index of one entry, `a`, staged with the given stat data.
    #[expect(clippy::cast_possible_truncation, reason = "as git does it")]
    #[expect(clippy::cast_sign_loss, reason = "as git does it")]
    fn index_of(stat: &Stat, size: u32, flags: u16, extended: Option<u16>) -> Vec<u8> {
        let words = [
            stat.st_ctime as u32,
            stat.st_ctime_nsec as u32,
            stat.st_mtime as u32,
            stat.st_mtime_nsec as u32,
            0,
            stat.st_ino as u32,
            0o100_644,
            stat.st_uid,
            stat.st_gid,
            size,
        ];
        let mut bytes = b"DIRC\0\0\0\x03\0\0\0\x01".to_vec();
        bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
        bytes.extend([7; 20]);
        bytes.extend(flags.to_be_bytes());
        bytes.extend(extended.iter().flat_map(|more| more.to_be_bytes()));
        bytes.extend(b"a\0\0\0\0\0\0\0\0");
        bytes.extend([0; 20]);
        bytes
    }

    #[test]
    fn an_entry_proves_its_file_only_when_it_is_older_than_the_index() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        std::fs::write(&file, "12345").unwrap();
        let stat = statat(CWD, &file, AtFlags::SYMLINK_NOFOLLOW).unwrap();
        let mtime = (stat.st_mtime, u32::try_from(stat.st_mtime_nsec).unwrap());
        let check = |bytes: Vec<u8>, written: (i64, u32), expected: bool| {
            let index = IndexFile::read(&bytes, written).unwrap();
            assert_eq!(
                index.still_holds(index.find(b"a").unwrap(), &stat),
                expected,
                "{written:?}"
            );
        };
        let same = || index_of(&stat, 5, 1, None);
        check(same(), (mtime.0 + 1, 0), true);
        check(same(), (mtime.0, mtime.1 + 1), true);
        check(same(), mtime, false);
        check(same(), (mtime.0 - 1, 0), false);
        let later = (mtime.0 + 1, 0);
        check(index_of(&stat, 0, 1, None), later, false);
        check(index_of(&stat, 6, 1, None), later, false);
        check(index_of(&stat, 5, 0x1001, None), later, false);
        check(index_of(&stat, 5, 0x4001, Some(0x2000)), later, false);
        check(index_of(&stat, 5, 0x4001, Some(0x4000)), later, true);
        check(index_of(&stat, 5, 0x8001, None), later, true);
    }
}

//! The file of records: reading it, and adding to its end.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use tribunal_phase::RunId;
use tribunal_record::{Hash, Header, Record, RecordError, decode, encode, must_sync};

use crate::error::{JournalError, JournalErrorKind};
use crate::private;

/// The records of a journal, as far as they are complete.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) records: Vec<Record>,
    /// What the next record follows.
    last: Hash,
    /// Bytes up to the end of the last complete line.
    length: u64,
    /// Bytes after it: a line that was being written when its writer was killed.
    pub(crate) torn: u64,
}

/// Reads a journal; see [`Log`].
pub(crate) fn load(path: &Path, run: &RunId) -> Result<Loaded, JournalError> {
    let mut bytes = Vec::new();
    private::open_regular(path)?.read_to_end(&mut bytes).map_err(JournalError::io("read", path))?;
    parse(&bytes, run).map_err(|kind| JournalError::new(kind, path))
}

fn parse(bytes: &[u8], run: &RunId) -> Result<Loaded, JournalErrorKind> {
    let length = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut lines = bytes[..length].split_inclusive(|byte| *byte == b'\n').zip(1_u64..);
    let (first, _) = lines.next().ok_or(JournalErrorKind::NoHeader)?;
    let at = |line| move |fault: RecordError| JournalErrorKind::Record { line, fault };
    let (header, mut last) = Header::decode(text(first, 1)?).map_err(at(1))?;
    if header.run != *run {
        return Err(JournalErrorKind::OtherRun(header.run));
    }
    let mut records = Vec::new();
    for (bytes, line) in lines {
        let (record, hash) = decode(text(bytes, line)?, line - 1, &last).map_err(at(line))?;
        records.push(record);
        last = hash;
    }
    Ok(Loaded { records, last, length: length as u64, torn: (bytes.len() - length) as u64 })
}

fn text(line: &[u8], number: u64) -> Result<&str, JournalErrorKind> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    str::from_utf8(line).map_err(|_| JournalErrorKind::NotText { line: number })
}

/// The end of a journal, where records are added.
#[derive(Debug)]
pub(crate) struct Log {
    file: File,
    path: PathBuf,
    last: Hash,
    length: u64,
    /// Whether something was added that must be on the disk before the run acts on it.
    owes_sync: bool,
    is_broken: bool,
}

impl Log {
    /// Puts a journal with a header alone in its place, complete or not at all.
    pub(crate) fn create(path: &Path, run: &RunId) -> Result<(), JournalError> {
        let (mut line, _) = Header::new(run.clone()).encode();
        line.push('\n');
        private::put_file(path, &path.with_extension("part"), line.as_bytes())
    }

    /// Opens a journal for writing and cuts off a torn last line.
    pub(crate) fn open(path: &Path, loaded: &Loaded) -> Result<Self, JournalError> {
        let file = private::open_file(path, OFlags::WRONLY | OFlags::APPEND)
            .map_err(JournalError::io("open", path))?;
        if loaded.torn > 0 {
            // The next record that is synced takes this with it.
            file.set_len(loaded.length).map_err(JournalError::io("cut the torn end of", path))?;
        }
        let (last, length) = (loaded.last, loaded.length);
        let path = path.to_owned();
        Ok(Self { file, path, last, length, owes_sync: false, is_broken: false })
    }

    /// Writes one record as a whole line; [`Log::sync`] brings it to the disk.
    ///
    /// After a failed write the end is cut back, so that the journal stays whole; where that fails
    /// too, or a sync failed, the log is broken and takes nothing more.
    pub(crate) fn append(&mut self, record: &Record) -> Result<(), JournalError> {
        if self.is_broken {
            return Err(JournalError::new(JournalErrorKind::Broken, &self.path));
        }
        let (mut line, hash) = encode(record, &self.last);
        line.push('\n');
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            self.is_broken = self.file.set_len(self.length).is_err();
            return Err(JournalError::io("append to", &self.path)(error));
        }
        self.length += line.len() as u64;
        self.last = hash;
        self.owes_sync |= must_sync(&record.body);
        Ok(())
    }

    /// Whether something was added that [`must_sync`] names.
    pub(crate) fn owes_sync(&self) -> bool {
        self.owes_sync
    }

    pub(crate) fn sync(&mut self) -> Result<(), JournalError> {
        self.owes_sync = false;
        self.file.sync_data().map_err(|error| {
            // What of it reached the disk is unknown, and a second sync would not tell.
            self.is_broken = true;
            JournalError::io("sync", &self.path)(error)
        })
    }
}

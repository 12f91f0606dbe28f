//! A run and its lock.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use rustix::fs::OFlags;
use tribunal_phase::{ArtifactId, CallId, Millis, RunId};
use tribunal_record::{Body, Note, Record};

use crate::artifacts::Artifacts;
use crate::call_name;
use crate::error::{JournalError, JournalErrorKind};
use crate::lock::Lock;
use crate::log::{self, Log};
use crate::{private, tmp};

pub(crate) const JOURNAL: &str = "journal.jsonl";
pub(crate) const ARTIFACTS: &str = "artifacts";
const SPOOL: &str = "spool";
const VALUES: &str = "values";

/// What a child writes that is spooled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Its standard output.
    Stdout,
    /// Its standard error.
    Stderr,
}

/// A run that this process alone may write.
///
/// Holds the run's lock until it is closed or dropped. Its temporary files go then too; after a kill
/// they go when the run is opened next, or with
/// [`StateDir::clear_leftovers`](crate::StateDir::clear_leftovers).
#[derive(Debug)]
pub struct Run {
    id: RunId,
    folder: PathBuf,
    log: Log,
    records: Vec<Record>,
    artifacts: Artifacts,
    tmp: PathBuf,
    is_cleared: bool,
    _lock: Lock,
}

impl Run {
    /// Makes what a new run needs; the journal appears last, so that a folder with one is complete.
    pub(crate) fn create(folder: &Path, id: &RunId) -> Result<Lock, JournalError> {
        private::ensure_folder(folder)?;
        let lock = Lock::take(folder, id)?;
        let journal = folder.join(JOURNAL);
        if fs::symlink_metadata(&journal).is_ok() {
            return Err(JournalError::new(JournalErrorKind::RunExists(id.clone()), folder));
        }
        private::ensure_folder(&folder.join(ARTIFACTS))?;
        // Left by one who was killed before the run was complete.
        let _ = fs::remove_file(journal.with_extension("part"));
        Log::create(&journal, id)?;
        private::sync_folder_of(folder)?;
        Ok(lock)
    }

    pub(crate) fn open(
        folder: PathBuf,
        id: &RunId,
        lock: Lock,
        tmp_parent: Option<&Path>,
    ) -> Result<Self, JournalError> {
        let journal = folder.join(JOURNAL);
        let loaded = log::load(&journal, id)?;
        let torn = loaded.torn;
        let log = Log::open(&journal, &loaded)?;
        let artifacts = Artifacts::new(folder.join(ARTIFACTS));
        artifacts.clear_parts()?;
        clear(&folder)?;
        for own in [SPOOL, VALUES] {
            private::fresh_folder(&folder.join(own))?;
        }
        let tmp = tmp::make(&folder, tmp_parent.unwrap_or(&folder))?;
        let records = loaded.records;
        let mut run = Self {
            id: id.clone(),
            folder,
            log,
            records,
            artifacts,
            tmp,
            is_cleared: false,
            _lock: lock,
        };
        if torn > 0 {
            // Nobody has given a time yet; the note stands with the record before it.
            let time = run.records.last().map_or(0, |record| record.time);
            run.append(Body::Note(Note::TornLine { dropped: torn }), time)?;
        }
        Ok(run)
    }

    /// The run.
    pub fn id(&self) -> &RunId {
        &self.id
    }

    /// All records, in order.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Adds a record and gives its number; `time` is in milliseconds since 1970.
    ///
    /// The line is written whole: it survives a kill of this process, and [`Run::sync`] makes it survive
    /// a loss of power.
    ///
    /// # Errors
    /// What the system refused; the record is then not part of the run. After a failed sync the run
    /// takes nothing more until it is opened again ([`JournalErrorKind::Broken`]).
    pub fn append(&mut self, body: Body, time: Millis) -> Result<u64, JournalError> {
        let seq = self.records.last().map_or(1, |record| record.seq + 1);
        let record = Record { seq, time, body };
        self.log.append(&record)?;
        self.records.push(record);
        Ok(seq)
    }

    /// Brings to the disk what [`must_sync`](tribunal_record::must_sync) names, artifacts before the
    /// records that name them; costs nothing when nothing is owed.
    ///
    /// Called before anything is done that a lost record would let happen twice: before a child starts,
    /// before the tree is put back, before the run waits.
    ///
    /// # Errors
    /// What the system refused.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        if !self.log.owes_sync() {
            return Ok(());
        }
        self.artifacts.sync()?;
        self.log.sync()
    }

    /// The bytes of an artifact, checked against its name.
    ///
    /// # Errors
    /// [`JournalErrorKind::NoArtifact`], [`JournalErrorKind::DamagedArtifact`], or what the system
    /// refused.
    pub fn artifact(&self, id: &ArtifactId) -> Result<Vec<u8>, JournalError> {
        self.artifacts.read(id)
    }

    /// Keeps bytes under their SHA-256; equal bytes are kept once. They survive a kill of this process,
    /// and a loss of power after [`Run::sync`].
    ///
    /// # Errors
    /// What the system refused.
    pub fn keep(&mut self, bytes: &[u8]) -> Result<ArtifactId, JournalError> {
        self.artifacts.keep(bytes)
    }

    /// Keeps a regular file's content as [`Run::keep`] does, read in pieces; the file is gone from its
    /// place afterwards. Nobody may still be writing to it.
    ///
    /// # Errors
    /// [`JournalErrorKind::Link`], [`JournalErrorKind::NotAFile`], or what the system refused.
    pub fn keep_file(&mut self, path: &Path) -> Result<ArtifactId, JournalError> {
        self.artifacts.keep_file(path)
    }

    /// Opens an empty file for what a child writes to standard output; [`Run::keep_file`] takes it in
    /// when the child has ended.
    ///
    /// # Errors
    /// What the system refused.
    pub fn spool(&self, call: &CallId, attempt: u32) -> Result<(File, PathBuf), JournalError> {
        self.spool_stream(call, attempt, Stream::Stdout)
    }

    /// Like [`Run::spool`], for the stream that is named.
    ///
    /// # Errors
    /// What the system refused.
    pub fn spool_stream(
        &self,
        call: &CallId,
        attempt: u32,
        stream: Stream,
    ) -> Result<(File, PathBuf), JournalError> {
        let stream = match stream {
            Stream::Stdout => "out",
            Stream::Stderr => "err",
        };
        let name = format!("{}.{attempt}.{stream}", call_name::file_name(call));
        let path = self.folder.join(SPOOL).join(name);
        let file = private::open_file(&path, OFlags::RDWR | OFlags::TRUNC)
            .map_err(JournalError::io("open", &path))?;
        Ok((file, path))
    }

    /// Puts the files that a call's command is given, its text and its values, into a fresh private
    /// folder and gives that folder. They are gone when the run is closed.
    ///
    /// # Errors
    /// What the system refused.
    pub fn command_files(
        &self,
        call: &CallId,
        files: &[(String, Vec<u8>)],
    ) -> Result<PathBuf, JournalError> {
        let folder = self.folder.join(VALUES).join(call_name::file_name(call));
        private::fresh_folder(&folder)?;
        for (name, bytes) in files {
            write_new(&folder.join(name), bytes)?;
        }
        Ok(folder)
    }

    /// Puts files that several calls are given into a fresh private folder and gives that folder; their
    /// names may have folders in them. They are gone when the run is closed.
    ///
    /// # Errors
    /// [`JournalErrorKind::BadFileName`] for a name that leads out of the folder, or what the system
    /// refused.
    pub fn shared_files<'f>(
        &self,
        name: &str,
        files: impl IntoIterator<Item = (&'f str, &'f [u8])>,
    ) -> Result<PathBuf, JournalError> {
        let folder = self.folder.join(VALUES).join(name);
        let stays_inside = |file: &str| {
            let mut parts = Path::new(file).components();
            !file.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
        };
        private::fresh_folder(&folder)?;
        for (file, bytes) in files {
            let path = folder.join(file);
            if !stays_inside(file) {
                let kind = JournalErrorKind::BadFileName(file.to_owned());
                return Err(JournalError::new(kind, &folder));
            }
            private::ensure_folder(path.parent().unwrap_or(&folder))?;
            write_new(&path, bytes)?;
        }
        Ok(folder)
    }

    /// Makes a fresh private folder in the run's temporary one; gone when the run is closed.
    ///
    /// # Errors
    /// What the system refused.
    pub fn scratch_folder(&self, name: &str) -> Result<PathBuf, JournalError> {
        let folder = self.tmp.join(name);
        private::fresh_folder(&folder)?;
        Ok(folder)
    }

    /// The run's own temporary folder, for the children's `TMPDIR`.
    pub fn tmp(&self) -> &Path {
        &self.tmp
    }

    /// Syncs all records, removes the temporary files and frees the lock.
    ///
    /// # Errors
    /// What the system refused; the lock is free all the same.
    pub fn close(mut self) -> Result<(), JournalError> {
        self.is_cleared = true;
        let synced = self.artifacts.sync().and(self.log.sync());
        let cleared = clear(&self.folder);
        synced.and(cleared)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if !self.is_cleared {
            // Nobody is there to be told; what stays is removed when the run is opened next.
            let _ = clear(&self.folder);
        }
    }
}

fn write_new(path: &Path, bytes: &[u8]) -> Result<(), JournalError> {
    private::open_file(path, OFlags::WRONLY | OFlags::EXCL)
        .and_then(|mut file| file.write_all(bytes))
        .map_err(JournalError::io("write", path))
}

/// Removes a run's temporary files; for the holder of its lock alone.
pub(crate) fn clear(folder: &Path) -> Result<(), JournalError> {
    let spool = private::remove_folder(&folder.join(SPOOL));
    let values = private::remove_folder(&folder.join(VALUES));
    let tmp = tmp::clear(folder);
    spool.and(values).and(tmp)
}

/// Whether the folder holds a complete run.
pub(crate) fn is_run(folder: &Path) -> bool {
    fs::symlink_metadata(folder.join(JOURNAL)).is_ok_and(|found| found.is_file())
}

/// Removes a folder that one left who was killed before the run was complete.
pub(crate) fn remove_incomplete(folder: &Path) -> Result<(), JournalError> {
    match fs::symlink_metadata(folder) {
        Ok(found) if found.is_dir() => private::remove_folder(folder),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(JournalError::io("look at", folder)(error)),
    }
}

//! Bytes named by their SHA-256.

use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use tribunal_phase::ArtifactId;
use tribunal_record::{Hash, Hasher};
use uuid::Uuid;

use crate::error::{JournalError, JournalErrorKind};
use crate::private;

const PART: &str = ".part-";

/// The folder of a run's artifacts. Equal content is kept once; what is kept never changes.
#[derive(Debug)]
pub(crate) struct Artifacts {
    folder: PathBuf,
    /// Kept and not known to be on the disk yet.
    unsynced: Vec<PathBuf>,
}

impl Artifacts {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, unsynced: Vec::new() }
    }

    /// Removes what a killed writer left half written; for the holder of the run's lock alone.
    pub(crate) fn clear_parts(&self) -> Result<(), JournalError> {
        let entries = fs::read_dir(&self.folder).map_err(JournalError::io("list", &self.folder))?;
        for entry in entries {
            let entry = entry.map_err(JournalError::io("list", &self.folder))?;
            if entry.file_name().as_encoded_bytes().starts_with(PART.as_bytes()) {
                let path = entry.path();
                fs::remove_file(&path).map_err(JournalError::io("remove", &path))?;
            }
        }
        Ok(())
    }

    pub(crate) fn read(&self, id: &ArtifactId) -> Result<Vec<u8>, JournalError> {
        let missing = || JournalErrorKind::NoArtifact(id.clone());
        let hash: Hash =
            id.as_str().parse().map_err(|_| JournalError::new(missing(), &self.folder))?;
        let path = self.folder.join(hash.to_string());
        let mut bytes = Vec::new();
        let read = private::open_regular(&path).and_then(|mut file| {
            file.read_to_end(&mut bytes).map_err(JournalError::io("read", &path))
        });
        match read {
            Ok(_) => {}
            Err(JournalError { kind: JournalErrorKind::Io { source, .. }, .. })
                if source.kind() == io::ErrorKind::NotFound =>
            {
                return Err(JournalError::new(missing(), &path));
            }
            Err(error) => return Err(error),
        }
        if Hash::of(&bytes) != hash {
            let kind = JournalErrorKind::DamagedArtifact(id.clone());
            return Err(JournalError::new(kind, &path));
        }
        Ok(bytes)
    }

    pub(crate) fn keep(&mut self, bytes: &[u8]) -> Result<ArtifactId, JournalError> {
        let hash = Hash::of(bytes);
        let path = self.folder.join(hash.to_string());
        if !is_there(&path, bytes.len() as u64) {
            private::put_unsynced(&path, &self.part(), bytes)?;
            self.unsynced.push(path);
        }
        Ok(hash.artifact())
    }

    /// Brings everything that was kept to the disk, and then the names.
    pub(crate) fn sync(&mut self) -> Result<(), JournalError> {
        if self.unsynced.is_empty() {
            return Ok(());
        }
        for path in &self.unsynced {
            private::open_regular(path)?.sync_all().map_err(JournalError::io("sync", path))?;
        }
        private::sync_folder(&self.folder)?;
        self.unsynced.clear();
        Ok(())
    }

    /// Moves a regular file in; it is read in pieces and is gone from its old place afterwards.
    pub(crate) fn keep_file(&mut self, source: &Path) -> Result<ArtifactId, JournalError> {
        let mut file = private::open_regular(source)?;
        let (hash, length) =
            hash_of(&mut file, io::sink()).map_err(JournalError::io("read", source))?;
        let path = self.folder.join(hash.to_string());
        if is_there(&path, length) {
            fs::remove_file(source).map_err(JournalError::io("remove", source))?;
            return Ok(hash.artifact());
        }
        file.set_permissions(Permissions::from_mode(0o600))
            .map_err(JournalError::io("set the mode of", source))?;
        match fs::rename(source, &path) {
            Ok(()) => {
                self.unsynced.push(path);
                Ok(hash.artifact())
            }
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => self.copy_in(source),
            Err(error) => Err(JournalError::io("rename to", &path)(error)),
        }
    }

    fn copy_in(&mut self, source: &Path) -> Result<ArtifactId, JournalError> {
        let mut from = private::open_regular(source)?;
        let part = self.part();
        let copied = private::open_file(&part, OFlags::WRONLY | OFlags::EXCL).and_then(|mut to| {
            let (hash, _) = hash_of(&mut from, &mut to)?;
            let path = self.folder.join(hash.to_string());
            fs::rename(&part, &path)?;
            Ok((hash, path))
        });
        let (hash, path) = copied.map_err(|error| {
            // The first error is the one to tell; a part that stays is cleared when the run is opened.
            let _ = fs::remove_file(&part);
            JournalError::io("copy", source)(error)
        })?;
        self.unsynced.push(path);
        fs::remove_file(source).map_err(JournalError::io("remove", source))?;
        Ok(hash.artifact())
    }

    fn part(&self) -> PathBuf {
        self.folder.join(format!("{PART}{}", Uuid::new_v4().simple()))
    }
}

/// A file of the right name and length is taken for the right one: none appears before it is whole, and
/// whoever reads it checks it against its name.
fn is_there(path: &Path, length: u64) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() == length)
}

fn hash_of(file: &mut File, mut copy: impl Write) -> io::Result<(Hash, u64)> {
    let mut hasher = Hasher::default();
    let mut piece = vec![0; 64 * 1024];
    let mut length = 0;
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok((hasher.finish(), length)),
            Ok(n) => {
                hasher.update(&piece[..n]);
                copy.write_all(&piece[..n])?;
                length += n as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

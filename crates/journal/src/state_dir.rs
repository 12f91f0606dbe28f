//! The folder of all runs.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use tribunal_phase::RunId;
use uuid::Uuid;

use crate::error::{JournalError, JournalErrorKind};
use crate::lock::{Lock, TreeLock};
use crate::near_run::near_run;
use crate::past::Past;
use crate::private;
use crate::run::{self, Run};

const RUNS: &str = "runs";
const TREES: &str = "trees";
const LONGEST_ID: usize = 64;

/// The folder of all runs, one folder each (D45).
#[derive(Debug, Clone)]
pub struct StateDir {
    runs: PathBuf,
    tmp_parent: Option<PathBuf>,
}

impl StateDir {
    /// Opens the folder, and makes it with mode 0700 where it is missing.
    ///
    /// # Errors
    /// [`JournalErrorKind::Link`] when it is a link, [`JournalErrorKind::NotAFolder`], or what the
    /// system refused.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        private::ensure_folder(path)?;
        // The paths of temporary folders are given to children that work elsewhere.
        let path = fs::canonicalize(path).map_err(JournalError::io("find", path))?;
        let runs = path.join(RUNS);
        private::ensure_folder(&runs)?;
        Ok(Self { runs, tmp_parent: None })
    }

    /// Has runs make their temporary folders below `parent`, instead of in the run's own folder.
    /// `parent` is an absolute path and exists.
    #[must_use]
    pub fn with_tmp_below(mut self, parent: &Path) -> Self {
        self.tmp_parent = Some(parent.to_owned());
        self
    }

    /// A name that no run has; such names sort by the time they were made.
    pub fn new_id() -> RunId {
        RunId::new(Uuid::now_v7().to_string())
    }

    /// A folder of ours beside the one of all runs.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.runs.with_file_name(name)
    }

    /// Takes the lock of a work tree, so that no other run of this state folder works on it.
    ///
    /// # Errors
    /// [`JournalErrorKind::TreeLocked`], or what the system refused.
    pub fn lock_tree(&self, root: &Path) -> Result<TreeLock, JournalError> {
        TreeLock::take(&self.beside(TREES), root)
    }

    /// Makes a run and takes its lock.
    ///
    /// # Errors
    /// [`JournalErrorKind::RunExists`], [`JournalErrorKind::BadRunId`], or what the system refused.
    pub fn create(&self, id: &RunId) -> Result<Run, JournalError> {
        let folder = self.folder(id)?;
        // Held while the run is incomplete, so that nobody takes it for one that was left.
        let guard = self.guard()?;
        guard.lock_shared().map_err(JournalError::io("lock", &self.runs))?;
        let lock = Run::create(&folder, id)?;
        drop(guard);
        Run::open(folder, id, lock, self.tmp_parent.as_deref())
    }

    /// Takes a run's lock and reads its records; a torn last line is cut off and noted.
    ///
    /// # Errors
    /// [`JournalErrorKind::NoSuchRun`], [`JournalErrorKind::Locked`], a line in the middle that is no
    /// record ([`JournalErrorKind::Record`], [`JournalErrorKind::NotText`]), or what the system refused.
    pub fn open_run(&self, id: &RunId) -> Result<Run, JournalError> {
        let folder = self.existing(id)?;
        let lock = Lock::take(&folder, id)?;
        Run::open(folder, id, lock, self.tmp_parent.as_deref())
    }

    /// Reads a run's records without its lock; another process may be adding to them.
    ///
    /// # Errors
    /// As [`StateDir::open_run`], without [`JournalErrorKind::Locked`].
    pub fn read(&self, id: &RunId) -> Result<Past, JournalError> {
        Past::read(&self.existing(id)?, id)
    }

    /// All runs, newest first.
    ///
    /// # Errors
    /// What the system refused.
    pub fn list(&self) -> Result<Vec<RunId>, JournalError> {
        let mut runs = self.folders()?;
        runs.retain(|id| run::is_run(&self.runs.join(id.as_str())));
        Ok(runs)
    }

    /// The one run whose name is, or begins with, `prefix`.
    ///
    /// # Errors
    /// [`JournalErrorKind::NoSuchRun`] or [`JournalErrorKind::Ambiguous`], or what the system refused.
    pub fn resolve(&self, prefix: &str) -> Result<RunId, JournalError> {
        let fault = |kind| Err(JournalError::new(kind, &self.runs));
        let all = self.list()?;
        let mut runs = all.clone();
        if let Some(same) = runs.iter().find(|id| id.as_str() == prefix) {
            return Ok(same.clone());
        }
        runs.retain(|id| !prefix.is_empty() && id.as_str().starts_with(prefix));
        match runs.len() {
            0 => {
                let near = near_run(prefix, &all).cloned();
                fault(JournalErrorKind::NoSuchRun { name: prefix.to_owned(), near })
            }
            1 => Ok(runs.remove(0)),
            _ => fault(JournalErrorKind::Ambiguous { prefix: prefix.to_owned(), runs }),
        }
    }

    /// Removes temporary files that killed processes left. Runs at work are left alone.
    ///
    /// `end` is given each of the others, newest first, while nobody else can begin to work on it:
    /// children of a killed process may still live.
    ///
    /// # Errors
    /// What the system refused.
    pub fn clear_leftovers(&self, mut end: impl FnMut(&RunId)) -> Result<(), JournalError> {
        self.remove_incomplete()?;
        for id in self.list()? {
            let folder = self.runs.join(id.as_str());
            match Lock::take(&folder, &id) {
                Ok(_lock) => {
                    end(&id);
                    run::clear(&folder)?;
                }
                Err(JournalError { kind: JournalErrorKind::Locked(_), .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Folders without a journal, when nobody is just making one.
    fn remove_incomplete(&self) -> Result<(), JournalError> {
        let guard = self.guard()?;
        match guard.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(()),
            Err(TryLockError::Error(error)) => {
                return Err(JournalError::io("lock", &self.runs)(error));
            }
        }
        for id in self.folders()? {
            let folder = self.runs.join(id.as_str());
            if !run::is_run(&folder) {
                run::remove_incomplete(&folder)?;
            }
        }
        Ok(())
    }

    /// The folder of runs itself, to be locked while runs appear in it or incomplete ones go.
    fn guard(&self) -> Result<File, JournalError> {
        File::open(&self.runs).map_err(JournalError::io("open", &self.runs))
    }

    /// Everything that is named like a run, newest first.
    fn folders(&self) -> Result<Vec<RunId>, JournalError> {
        let entries = fs::read_dir(&self.runs).map_err(JournalError::io("list", &self.runs))?;
        let mut runs = Vec::new();
        for entry in entries {
            let entry = entry.map_err(JournalError::io("list", &self.runs))?;
            if let Some(name) = entry.file_name().to_str().filter(|name| can_name_a_run(name)) {
                runs.push(RunId::new(name));
            }
        }
        runs.sort_unstable_by(|one, other| other.cmp(one));
        Ok(runs)
    }

    fn folder(&self, id: &RunId) -> Result<PathBuf, JournalError> {
        if can_name_a_run(id.as_str()) {
            return Ok(self.runs.join(id.as_str()));
        }
        let kind = JournalErrorKind::BadRunId(id.as_str().to_owned());
        Err(JournalError::new(kind, &self.runs))
    }

    fn existing(&self, id: &RunId) -> Result<PathBuf, JournalError> {
        let folder = self.folder(id)?;
        let found = fs::symlink_metadata(&folder);
        if found.is_ok_and(|found| found.is_dir()) && run::is_run(&folder) {
            return Ok(folder);
        }
        let name = id.as_str().to_owned();
        let kind = JournalErrorKind::NoSuchRun { name, near: None };
        Err(JournalError::new(kind, &self.runs))
    }
}

fn can_name_a_run(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= LONGEST_ID
        && !text.starts_with('-')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

//! A run, read without its lock.

use std::path::Path;

use tribunal_phase::{ArtifactId, RunId};
use tribunal_record::Record;

use crate::artifacts::Artifacts;
use crate::error::JournalError;
use crate::log;
use crate::run::{ARTIFACTS, JOURNAL};

/// What a run has recorded so far; another process may be adding to it.
#[derive(Debug)]
pub struct Past {
    id: RunId,
    records: Vec<Record>,
    artifacts: Artifacts,
}

impl Past {
    pub(crate) fn read(folder: &Path, id: &RunId) -> Result<Self, JournalError> {
        let loaded = log::load(&folder.join(JOURNAL), id)?;
        let artifacts = Artifacts::new(folder.join(ARTIFACTS));
        Ok(Self { id: id.clone(), records: loaded.records, artifacts })
    }

    /// The run.
    pub fn id(&self) -> &RunId {
        &self.id
    }

    /// The complete records, in order; one that is just being written is left out.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The bytes of an artifact.
    ///
    /// # Errors
    /// [`NoArtifact`](crate::JournalErrorKind::NoArtifact),
    /// [`DamagedArtifact`](crate::JournalErrorKind::DamagedArtifact), or what the system refused.
    pub fn artifact(&self, id: &ArtifactId) -> Result<Vec<u8>, JournalError> {
        self.artifacts.read(id)
    }
}

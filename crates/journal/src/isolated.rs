//! Where isolated runs work.

use std::path::PathBuf;

use tribunal_phase::RunId;

use crate::StateDir;
use crate::error::JournalError;
use crate::private;

const ISOLATED: &str = "isolated";
const TREE: &str = "tree";

impl StateDir {
    /// Where a run's own work tree and its results are, if it is isolated.
    pub fn isolated_folder(&self, id: &RunId) -> PathBuf {
        self.beside(ISOLATED).join(id.as_str())
    }

    /// The folder in it that the work tree is made in.
    pub fn isolated_tree_folder(&self, id: &RunId) -> PathBuf {
        self.isolated_folder(id).join(TREE)
    }

    /// Makes these folders, private.
    ///
    /// # Errors
    /// What the system refused.
    pub fn make_isolated_folder(&self, id: &RunId) -> Result<(), JournalError> {
        for folder in
            [self.beside(ISOLATED), self.isolated_folder(id), self.isolated_tree_folder(id)]
        {
            private::ensure_folder(&folder)?;
        }
        Ok(())
    }
}

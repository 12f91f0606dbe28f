//! As a commit of the run's branch that is merged.

use std::path::{Path, PathBuf};

use tribunal_phase::{RunId, SnapshotId};
use tribunal_record::{Body, Note, Way};
use tribunal_report::ApplyResult;
use tribunal_verify::RepoPath;

use super::Bringing;
use crate::definition::Loaded;
use crate::drive::wall_clock;
use crate::error::RunError;
use crate::git_program::{git, git_or_fail};
use crate::isolation::isolated;
use crate::prepare::tree;
use crate::surroundings::Surroundings;
use crate::tree::{Tree, place};

impl Bringing<'_> {
    pub(super) async fn merge(
        &mut self,
        tree: &Tree,
        broken_off: Option<SnapshotId>,
    ) -> Result<ApplyResult, RunError> {
        if isolated(self.run.records()) != Some(true) {
            return Err(RunError::NotClean(self.id.to_string()));
        }
        let own = tree_of_run(&self.loaded, &self.id, self.surroundings)?;
        let message = format!("tribunal: fixes of run {}", self.id);
        self.git(&own, &["add", "--all"]).await?;
        let staged = git(&own, &["diff", "--cached", "--quiet"], &self.id, self.surroundings);
        if !staged.await?.succeeded {
            self.git(&own, &["commit", "--quiet", "--no-gpg-sign", "-m", &message]).await?;
        }
        let ours = if let Some(replaced) = broken_off {
            // Killed in the midst of it; what it had begun is taken back and done again.
            let _ =
                git(&self.users_root, &["merge", "--abort"], &self.id, self.surroundings).await?;
            replaced
        } else {
            let present = self.snapshot(tree)?;
            self.begin(present, Way::Merge)?;
            present
        };
        let theirs = self.commit(&own).await?;
        let arguments = ["merge", "--quiet", "--no-ff", "--no-gpg-sign", "-m", &message, &theirs];
        let merged = git(&self.users_root, &arguments, &self.id, self.surroundings).await?;
        if !merged.succeeded {
            return Err(self.not_merged(merged.stderr).await?);
        }
        self.end(tree)?;
        let commit = self.commit(&self.users_root).await?;
        Ok(ApplyResult::Merged { commit, kept: place(self.id.as_str(), ours) })
    }

    /// Takes a merge back that did not come to its end, and says why it did not.
    async fn not_merged(&mut self, stderr: String) -> Result<RunError, RunError> {
        let listed = self.git(&self.users_root, &["diff", "--name-only", "--diff-filter=U", "-z"]);
        let listed = listed.await?;
        let paths = listed.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        let paths: Vec<RepoPath> = paths.map(RepoPath::new).collect();
        let _ = git(&self.users_root, &["merge", "--abort"], &self.id, self.surroundings).await?;
        // Nothing is half done: the next call begins anew.
        self.run.append(Body::Note(Note::NotApplied), wall_clock())?;
        if paths.is_empty() {
            return Ok(RunError::Git { what: "merge".to_owned(), why: stderr });
        }
        Ok(self.conflicts(&paths))
    }

    /// The commit that HEAD names.
    async fn commit(&self, folder: &Path) -> Result<String, RunError> {
        let head = self.git(folder, &["rev-parse", "HEAD"]).await?;
        Ok(String::from_utf8_lossy(&head).trim().to_owned())
    }

    async fn git(&self, folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, RunError> {
        Ok(git_or_fail(folder, arguments, &self.id, self.surroundings).await?.stdout)
    }
}

/// The root of the run's own work tree, which must still be there.
fn tree_of_run(
    loaded: &Loaded,
    id: &RunId,
    surroundings: &Surroundings,
) -> Result<PathBuf, RunError> {
    tree(loaded, id, surroundings)?;
    Ok(PathBuf::from(&loaded.definition.root))
}

//! What people can do about an error.

use tribunal_runner::{JournalTrouble, LibraryError, RunError, WorktreeTrouble};

/// What to do about it, where that can be said.
pub(crate) fn remedy(error: &RunError) -> Option<&str> {
    match error {
        RunError::Library(LibraryError::NotFound { .. }) => {
            Some("`tribunal recipe list` names the recipes there are")
        }
        RunError::Worktree(error) => worktree_remedy(WorktreeTrouble::of(error)),
        RunError::Agent { .. } => {
            Some("check --agent-command, `agents:` in the settings, and PATH")
        }
        RunError::Journal(error) => match JournalTrouble::of(error) {
            JournalTrouble::NoSuchRun => Some("`tribunal runs list` names the runs there are"),
            JournalTrouble::Locked => Some("wait for the other process, or end it"),
            JournalTrouble::Other => None,
        },
        RunError::Rules(_) => {
            Some("check --only and --skip, `inspector:` in the settings, and the rule files")
        }
        RunError::Expression { error, .. } => error.remedy.as_deref(),
        RunError::NotRestored { .. } => Some(
            "mend what stands in the way, then put the files back by hand: git restore \
             --source=THAT_REF:files -- .",
        ),
        RunError::LaterEdits { .. } => Some(
            "--force undoes them too and keeps them as a snapshot; to take back the run's changes alone: \
             tribunal runs diff RUN | git apply -R",
        ),
        RunError::HeadMoved { .. } => Some(
            "move it back (git switch, git reset --soft); to take back the run's changes alone: tribunal \
             runs diff RUN | git apply -R",
        ),
        RunError::NotEnded(_) => Some("resume it (`tribunal runs resume`), or undo it"),
        RunError::Conflicts { .. } => Some(
            "commit or move your changes of these paths away, or take what you want: tribunal runs \
             diff RUN --finding ID",
        ),
        RunError::NotClean(_) => Some("apply it without --merge"),
        RunError::Disagrees { .. } => Some(
            "the run was made by another version, or its records were changed; begin a new run",
        ),
        RunError::Library(LibraryError::Unreadable { .. })
        | RunError::Recipe { .. }
        | RunError::Compile { .. }
        | RunError::Variables(_)
        | RunError::Target { .. }
        | RunError::AgentKey { .. }
        | RunError::Inspector(_)
        | RunError::Interrupted { .. }
        | RunError::Ended(_)
        | RunError::NoSuchFinding { .. }
        | RunError::Undone(_)
        | RunError::Input { .. }
        | RunError::NotIsolated(_)
        | RunError::Git { .. }
        | RunError::Refused(_)
        | RunError::Lost(_)
        | RunError::Child(_)
        | RunError::Io { .. } => None,
    }
}

fn worktree_remedy(trouble: WorktreeTrouble) -> Option<&'static str> {
    match trouble {
        WorktreeTrouble::NotARepository => Some(
            "fixes are verified against git: run `git init`, or pass --no-git to compare content \
             hashes",
        ),
        WorktreeTrouble::ForeignOwner => {
            Some("git config --global --add safe.directory PATH, if you trust its owner")
        }
        WorktreeTrouble::TooLarge => {
            Some("ignore large untracked files (.gitignore), so that snapshots leave them out")
        }
        WorktreeTrouble::SplitIndex => Some(
            "git update-index --no-split-index, and git config core.splitIndex false, then again",
        ),
        WorktreeTrouble::UnsupportedFormat => Some(
            "work in a clone with sha1 objects and refs as files, or pass --no-git to compare \
             content hashes",
        ),
        WorktreeTrouble::IndexLocked => {
            Some("wait for the other git; if none runs, remove the lock that is named")
        }
        WorktreeTrouble::Other => None,
    }
}

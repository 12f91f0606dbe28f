//! What to do about an error.

use tribunal_finding::Category;
use tribunal_recipe::ContextNameError;
use tribunal_runner::{
    JournalTrouble, LibraryError, PlaceFault, RunError, VariableError, VariableFault,
    WorktreeTrouble,
};

/// What to do about an error; `None` where its message says it, or nobody knows.
pub(crate) fn remedy(error: &RunError) -> Option<String> {
    let text = match error {
        RunError::Variables(errors) => return of_variables(errors),
        RunError::Worktree(error) => return of_work_tree(&WorktreeTrouble::of(error)),
        RunError::Target { fault, .. } | RunError::OwnFolder { fault, .. } => of_place(fault)?,
        RunError::Library(LibraryError::NotFound { .. }) => {
            "`tribunal recipe list` names the recipes there are"
        }
        RunError::Library(LibraryError::Unreadable { .. }) => {
            "look at the file and its permissions"
        }
        RunError::Agent { .. } => "check --agent-command, `agents:` in the settings, and PATH",
        RunError::Journal(error) => match JournalTrouble::of(error) {
            JournalTrouble::NoSuchRun => "`tribunal runs list` names the runs there are",
            JournalTrouble::Locked => "wait for the other process, or end it",
            JournalTrouble::System => ROOM,
            JournalTrouble::Other => return None,
        },
        RunError::Io { .. } => ROOM,
        RunError::Rules(_) => {
            "check --only and --skip, `inspector:` in the settings, and the rule files"
        }
        RunError::Expression { error, .. } => return error.remedy.clone(),
        RunError::NotRestored { .. } => {
            "mend what stands in the way, then put the files back by hand: git restore \
             --source=THAT_REF:files -- ."
        }
        RunError::LaterEdits { .. } => {
            "--force undoes them too and keeps them as a snapshot; to take back the run's changes alone: \
             tribunal runs diff RUN | git apply -R"
        }
        RunError::HeadMoved { .. } => {
            "move it back (git switch, git reset --soft); to take back the run's changes alone: tribunal \
             runs diff RUN | git apply -R"
        }
        RunError::NotEnded(_) => "resume it (`tribunal runs resume`), or undo it",
        RunError::Conflicts { .. } => {
            "commit or move your changes of these paths away, or take what you want: tribunal runs \
             diff RUN --finding ID"
        }
        RunError::NotClean(_) => "apply it without --merge",
        RunError::Disagrees { .. } => {
            "the run was made by another version, or its records were changed; begin a new run"
        }
        RunError::Recipe { .. }
        | RunError::Compile { .. }
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
        | RunError::Child(_) => return None,
    };
    Some(text.to_owned())
}

const ROOM: &str = "see that the folder can be written and its disk has room; --state-dir names \
                    another for runs, TMPDIR another for temporary files";

/// The remedies of several variables, each once.
fn of_variables(errors: &[VariableError]) -> Option<String> {
    let mut remedies: Vec<String> = Vec::new();
    for remedy in errors.iter().filter_map(of_variable) {
        if !remedies.contains(&remedy) {
            remedies.push(remedy);
        }
    }
    (!remedies.is_empty()).then(|| remedies.join("; "))
}

fn of_variable(error: &VariableError) -> Option<String> {
    let text = match &error.fault {
        VariableFault::Name(ContextNameError::Managed(_)) => "leave it out, a step sets it",
        VariableFault::Name(ContextNameError::Unknown { nearest: None, .. }) => {
            "`tribunal recipe show` prints a recipe; what stands under `context:` may be set"
        }
        VariableFault::Category(unknown) if unknown.nearest.is_none() => {
            let words = Category::ALL.map(|category| category.to_string());
            return Some(format!("write `all`, or some of {}", words.join(", ")));
        }
        VariableFault::Kind { expected, .. } if expected.contains("integer") => {
            "write digits alone, without sign, leading zero or separators"
        }
        VariableFault::Name(ContextNameError::Unknown { .. })
        | VariableFault::Category(_)
        | VariableFault::Kind { .. }
        | VariableFault::Policy(_)
        | VariableFault::Threshold(_)
        | VariableFault::Severity(_)
        | VariableFault::Zero => return None,
    };
    Some(text.to_owned())
}

fn of_work_tree(trouble: &WorktreeTrouble) -> Option<String> {
    let text = match trouble {
        WorktreeTrouble::NotARepository => {
            "fixes are verified against git: run `git init`, or pass --no-git to compare content hashes"
        }
        WorktreeTrouble::Bare => "audit a work tree of it: `git worktree add DIR`",
        WorktreeTrouble::ForeignOwner { path } => {
            return Some(format!(
                "if you trust its owner: git config --global --add safe.directory '{}'",
                path.display()
            ));
        }
        WorktreeTrouble::UnsupportedFormat => {
            "work in a clone with sha1 objects and refs as files, or pass --no-git to compare content \
             hashes"
        }
        WorktreeTrouble::SplitIndex => {
            "git update-index --no-split-index, and git config core.splitIndex false, then again"
        }
        WorktreeTrouble::IndexLocked => {
            "wait for the other git; if none runs, remove the lock that is named"
        }
        WorktreeTrouble::TooLarge => {
            "ignore large untracked files (.gitignore), so that snapshots leave them out"
        }
        WorktreeTrouble::Refused => {
            "see that the repository can be written and its disk has room; `git fsck` names what is \
             broken"
        }
        WorktreeTrouble::Other => return None,
    };
    Some(text.to_owned())
}

fn of_place(fault: &PlaceFault) -> Option<&'static str> {
    match fault {
        PlaceFault::Empty => Some("write `.` for all of it"),
        PlaceFault::LeadsOut { .. } => {
            Some("name a place inside, or an absolute path where one may be")
        }
        PlaceFault::LinkOut { .. } => Some("name the place itself, if it is meant"),
        PlaceFault::BelowRoot { .. } => {
            Some("name the root as repo_path, and the folder as target_path")
        }
        PlaceFault::InGit | PlaceFault::IsRoot | PlaceFault::HoldsTracked => {
            Some("name a folder of its own, which git does not track")
        }
        PlaceFault::Missing
        | PlaceFault::Unreadable(_)
        | PlaceFault::NoFolder
        | PlaceFault::Special
        | PlaceFault::NotUtf8
        | PlaceFault::Moved { .. } => None,
    }
}

//! What keeps a run from starting or going on.

use std::path::PathBuf;

use tribunal_journal::JournalError;
use tribunal_recipe::Problem;
use tribunal_worktree::WorktreeError;

use crate::compile::CompileError;
use crate::library::{LibraryError, RecipeText};
use crate::place_fault::PlaceFault;
use crate::saying::listed;
use crate::variables::VariableError;

/// Why a run could not be started, gone on with, or looked at.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The recipe could not be found or read.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The recipe's text has faults.
    #[error("recipe {} has {} problem(s)", text.origin, problems.len())]
    Recipe {
        /// The recipe.
        text: Box<RecipeText>,
        /// All of its faults, with their places.
        problems: Vec<Problem>,
    },
    /// The recipe cannot be run as it stands.
    #[error("recipe `{recipe}` cannot be run: {}", join(errors))]
    Compile {
        /// The recipe.
        recipe: String,
        /// Why, all of it.
        errors: Vec<CompileError>,
    },
    /// Variables that cannot be used as they were given.
    #[error("{}", join(.0))]
    Variables(Vec<VariableError>),
    /// A path that cannot be audited.
    #[error("{path}: {fault}")]
    Target {
        /// The path as it was given.
        path: String,
        /// What is wrong with it.
        fault: PlaceFault,
    },
    /// A folder of ours that must not lie there: what is in it is left out of every snapshot.
    #[error("{setting} `{path}`: {fault}")]
    OwnFolder {
        /// The variable or option that names it.
        setting: &'static str,
        /// The folder as it was given.
        path: String,
        /// What is wrong with it.
        fault: PlaceFault,
    },
    /// The repository cannot be used.
    #[error(transparent)]
    Worktree(#[from] WorktreeError),
    /// The tree could not be put back to a snapshot; it stands as the agent left it, or half way.
    #[error("the tree could not be put back to {place}: {error}")]
    NotRestored {
        /// Where the snapshot lives.
        place: String,
        /// Why.
        error: WorktreeError,
    },
    /// An agent that the run needs cannot be started.
    #[error("agent `{name}` ({role}): {why}")]
    Agent {
        /// Its name in the settings.
        name: String,
        /// What it would be asked as.
        role: tribunal_phase::Role,
        /// What is wrong.
        why: String,
    },
    /// The embedded inspector cannot use the rules of the run, or does not know those that are named.
    #[error("{0}")]
    Rules(String),
    /// The embedded inspector cannot be started.
    #[error("the embedded inspector: {0}")]
    Inspector(String),
    /// An agent was named for something that the recipe does not ask.
    #[error("no step or role is called `{key}` here; there are {}", known.join(", "))]
    AgentKey {
        /// The key.
        key: String,
        /// The keys that mean something.
        known: Vec<String>,
    },
    /// The run's state cannot be written or read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// An expression or template of the recipe could not be evaluated.
    #[error("{place}: {error}")]
    Expression {
        /// Where it stands.
        place: String,
        /// What is wrong with it.
        error: tribunal_recipe::ExprError,
    },
    /// The machine refused an event: the run stops where it is and can be resumed.
    #[error("out of order: {0}")]
    Refused(tribunal_phase::Refusal),
    /// Something that the loader had checked is not there.
    #[error("{0} is not there although the recipe was checked")]
    Lost(String),
    /// A task of ours that waits for a child broke off.
    #[error("waiting for a child broke off: {0}")]
    Child(String),
    /// A record does not agree with what is computed from the records before it.
    #[error("run {run}: record {record} does not agree with what the run computes: {why}")]
    Disagrees {
        /// The run.
        run: String,
        /// The number of the record.
        record: u64,
        /// How.
        why: String,
    },
    /// A signal ended the call; it was not answered, and can be made again.
    #[error("interrupted by signal {signal}; the call was not answered")]
    Interrupted {
        /// Its number.
        signal: i32,
    },
    /// The run has ended; there is nothing to resume.
    #[error("run {0} has ended; there is nothing to resume")]
    Ended(String),
    /// The run judged no such finding.
    #[error("no finding `{finding}` was to be fixed in this run{}", names(known))]
    NoSuchFinding {
        /// What was asked for.
        finding: String,
        /// The findings that were.
        known: Vec<String>,
    },
    /// The run worked in the user's own work tree.
    #[error("run {0} is not isolated; what it changed is in the tree already")]
    NotIsolated(String),
    /// The run can be gone on with, and would then change more.
    #[error("run {0} has not ended")]
    NotEnded(String),
    /// Both sides changed the same.
    #[error("run {run} is not applied, these paths changed on both sides: {}", listed(paths))]
    Conflicts {
        /// The run.
        run: String,
        /// The paths.
        paths: Vec<String>,
    },
    /// A merge would commit what the user had not.
    #[error("run {0} is not merged, it began with uncommitted changes, which would be committed")]
    NotClean(String),
    /// The git program refused.
    #[error("git {what}: {why}")]
    Git {
        /// What it was asked for.
        what: String,
        /// Its message.
        why: String,
    },
    /// The run was undone; what it came to is no longer in the tree.
    #[error("run {0} was undone; it cannot be gone on with")]
    Undone(String),
    /// The tree holds edits that are not the run's, and undoing it would lose them.
    #[error("run {run} is not undone, edits that are not its own would be lost: {}", listed(edits))]
    LaterEdits {
        /// The run.
        run: String,
        /// Paths that changed, and `the index`.
        edits: Vec<String>,
    },
    /// HEAD or its branch is not where the run left it.
    #[error("run {run} is not undone, {name} is not where the run left it")]
    HeadMoved {
        /// The run.
        run: String,
        /// `HEAD`, or the branch by its full name.
        name: String,
    },
    /// The operating system refused something.
    #[error("{what} {}: {source}", path.display())]
    Io {
        /// What was being done.
        what: &'static str,
        /// With what.
        path: PathBuf,
        /// Its answer.
        source: std::io::Error,
    },
    /// A single-rule command was given something that it cannot use.
    #[error("{place}: {why}")]
    Input {
        /// The file or option.
        place: String,
        /// What is wrong with it.
        why: String,
    },
}

impl RunError {
    pub(crate) fn child(error: &tokio::task::JoinError) -> Self {
        Self::Child(error.to_string())
    }
}

fn join<E: std::fmt::Display>(errors: &[E]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn names(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!("; there are {}", listed(known)) }
}

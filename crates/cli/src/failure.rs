//! Errors as people see them: message, remedy, exit status.

use std::path::Path;

use tribunal_runner::RunError;

use crate::exit_status::ExitStatus;
use crate::problems::{Level, render};
use crate::remedy::remedy;
use crate::settings::Guarded;

/// A command that could not do what was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: ExitStatus,
    /// What is printed, complete.
    pub(crate) text: String,
}

impl Failure {
    fn new(status: ExitStatus, message: impl std::fmt::Display, remedy: Option<&str>) -> Self {
        let mut text = format!("error: {message}");
        if let Some(remedy) = remedy {
            text += "\n  remedy: ";
            text += remedy;
        }
        Self { status, text }
    }

    pub(crate) fn usage(message: String) -> Self {
        Self::new(ExitStatus::Usage, message, None)
    }

    pub(crate) fn environment(message: String) -> Self {
        Self::new(ExitStatus::Environment, message, None)
    }

    pub(crate) fn setting(path: &Path, why: &str) -> Self {
        let path = path.display().to_string();
        // Errors of the file system name their path themselves.
        let message = if why.contains(&path) { why.to_owned() } else { format!("{path}: {why}") };
        Self::new(ExitStatus::Usage, message, None)
    }

    pub(crate) fn untrusted(path: &Path, guarded: Guarded) -> Self {
        let Guarded { key, does } = guarded;
        Self::new(
            ExitStatus::Usage,
            format!("{}: `{key}` {does}, and this repository is not trusted", path.display()),
            Some("look at the file, then run `tribunal trust`"),
        )
    }

    pub(crate) fn not_to_be_trusted(path: &Path) -> Self {
        Self::new(
            ExitStatus::Usage,
            format!("{}: is no regular file, and trust is kept by content", path.display()),
            Some("put the file itself in the place of the link"),
        )
    }

    pub(crate) fn untrusted_recipe(name: &str) -> Self {
        Self::new(
            ExitStatus::Usage,
            format!(
                ".tribunal/recipes/{name}.yaml would be run, and this repository is not trusted"
            ),
            Some(
                "look at the file, then run `tribunal trust`; a recipe can also be given by its path",
            ),
        )
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        if let RunError::Recipe { text, problems } = &error {
            return Self { status: ExitStatus::Usage, text: render(text, problems, Level::Error) };
        }
        Self::new(status(&error), &error, remedy(&error))
    }
}

fn status(error: &RunError) -> ExitStatus {
    use tribunal_runner::JournalTrouble;
    match error {
        RunError::Interrupted { signal } => ExitStatus::Signal(u8::try_from(*signal).unwrap_or(0)),
        RunError::Library(_)
        | RunError::Recipe { .. }
        | RunError::Compile { .. }
        | RunError::Variables(_)
        | RunError::Target { .. }
        | RunError::Expression { .. }
        | RunError::AgentKey { .. }
        | RunError::Rules(_)
        | RunError::Ended(_)
        | RunError::NoSuchFinding { .. }
        | RunError::Undone(_)
        | RunError::NotIsolated(_)
        | RunError::NotEnded(_)
        | RunError::Input { .. } => ExitStatus::Usage,
        RunError::LaterEdits { .. }
        | RunError::HeadMoved { .. }
        | RunError::Conflicts { .. }
        | RunError::NotClean(_) => ExitStatus::Failed,
        RunError::Journal(error) => match JournalTrouble::of(error) {
            JournalTrouble::NoSuchRun => ExitStatus::Usage,
            JournalTrouble::Locked | JournalTrouble::Other => ExitStatus::Environment,
        },
        RunError::Worktree(_)
        | RunError::Git { .. }
        | RunError::NotRestored { .. }
        | RunError::Agent { .. }
        | RunError::Inspector(_)
        | RunError::Refused(_)
        | RunError::Lost(_)
        | RunError::Child(_)
        | RunError::Disagrees { .. }
        | RunError::Io { .. } => ExitStatus::Environment,
    }
}

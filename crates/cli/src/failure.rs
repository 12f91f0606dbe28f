//! Errors as people see them: message, remedy, exit status.

use std::path::Path;

use tribunal_recipe::Problem;
use tribunal_report::inert_lines;
use tribunal_runner::{JournalTrouble, RunError};

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
        // Names of files, git's words and values are anybody's.
        let mut text = format!("error: {}", inert_lines(&message.to_string()));
        if let Some(remedy) = remedy {
            text += "\n  remedy: ";
            text += remedy;
        }
        Self { status, text }
    }

    pub(crate) fn usage(message: String) -> Self {
        Self::new(ExitStatus::Usage, message, None)
    }

    /// What stopped a run that had begun; where nothing but its surroundings failed, it can go on.
    pub(crate) fn of_run(error: RunError, run: Option<&str>) -> Self {
        let goes_on = match &error {
            RunError::Worktree(_) | RunError::Io { .. } => true,
            RunError::Journal(error) => JournalTrouble::of(error) == JournalTrouble::System,
            _ => false,
        };
        let mut failure = Self::from(error);
        if let Some(run) = run.filter(|_| goes_on) {
            failure.text += &format!("\n  go on later: tribunal runs resume {run}");
        }
        failure
    }

    /// A `-c` that is no `KEY=VALUE`.
    pub(crate) fn pair(said: &str, why: &str) -> Self {
        let message = format!("`-c {}`: {why}", said.escape_debug());
        Self::new(ExitStatus::Usage, message, Some("write -c KEY=VALUE"))
    }

    pub(crate) fn environment(message: String) -> Self {
        Self::new(ExitStatus::Environment, message, None)
    }

    /// A folder of the machine's that cannot be used.
    pub(crate) fn folder(message: String, remedy: &str) -> Self {
        Self::new(ExitStatus::Environment, message, Some(remedy))
    }

    pub(crate) fn no_home() -> Self {
        let message = "no home folder is known, so there is no place for runs".to_owned();
        Self::folder(message, "set HOME, or name a folder with --state-dir")
    }

    pub(crate) fn setting(path: &Path, why: &str) -> Self {
        let path = path.display().to_string();
        // Errors of the file system name their path themselves.
        let message = if why.contains(&path) { why.to_owned() } else { format!("{path}: {why}") };
        Self::new(ExitStatus::Usage, message, None)
    }

    /// A fault in the text of a settings file, shown at its place.
    pub(crate) fn settings(path: &Path, text: &str, problem: &Problem) -> Self {
        let origin = path.display().to_string();
        let text = render(&origin, text, std::slice::from_ref(problem), Level::Error);
        Self { status: ExitStatus::Usage, text }
    }

    /// Settings of a repository that lie elsewhere.
    pub(crate) fn settings_link(path: &Path) -> Self {
        Self::new(
            ExitStatus::Usage,
            format!("{}: is a link, and the settings of a repository are its own", path.display()),
            Some("put the file itself in the place of the link"),
        )
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
            let text = render(&text.origin, &text.text, problems, Level::Error);
            return Self { status: ExitStatus::Usage, text };
        }
        Self::new(status(&error), &error, remedy(&error).as_deref())
    }
}

fn status(error: &RunError) -> ExitStatus {
    match error {
        RunError::Interrupted { signal } => ExitStatus::Signal(u8::try_from(*signal).unwrap_or(0)),
        RunError::Library(_)
        | RunError::Recipe { .. }
        | RunError::Compile { .. }
        | RunError::Variables(_)
        | RunError::Target { .. }
        | RunError::OwnFolder { .. }
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
            JournalTrouble::Locked | JournalTrouble::System | JournalTrouble::Other => {
                ExitStatus::Environment
            }
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

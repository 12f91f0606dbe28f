//! Errors as people see them: message, remedy, exit status.

use std::fmt::Write as _;
use std::path::Path;

use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};
use tribunal_recipe::Problem;
use tribunal_runner::{LibraryError, RecipeText, RunError};

use crate::exit_status::ExitStatus;
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
        | RunError::Input { .. } => ExitStatus::Usage,
        RunError::Journal(error) => match JournalTrouble::of(error) {
            JournalTrouble::NoSuchRun => ExitStatus::Usage,
            JournalTrouble::Locked | JournalTrouble::Other => ExitStatus::Environment,
        },
        RunError::Worktree(_)
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

fn remedy(error: &RunError) -> Option<&str> {
    use tribunal_runner::{JournalTrouble, WorktreeTrouble};
    match error {
        RunError::Library(LibraryError::NotFound { .. }) => {
            Some("`tribunal recipe list` names the recipes there are")
        }
        RunError::Worktree(error) => match WorktreeTrouble::of(error) {
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
            WorktreeTrouble::Other => None,
        },
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
        | RunError::Input { .. }
        | RunError::Refused(_)
        | RunError::Lost(_)
        | RunError::Child(_)
        | RunError::Io { .. } => None,
    }
}

/// How bad the problems of a recipe are.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Level {
    Error,
    Warning,
}

/// All problems of a recipe with their places in its text.
pub(crate) fn render(text: &RecipeText, problems: &[Problem], level: Level) -> String {
    // Lines stay whole: an id that was broken at its hyphen could not be searched for. A program that
    // uses this crate may have set its own handler; that one stays.
    let _ = miette::set_hook(Box::new(|_| {
        Box::new(miette::MietteHandlerOpts::new().wrap_lines(false).build())
    }));
    let mut rendered = String::new();
    for problem in problems {
        let message = match &problem.step {
            Some(step) => format!("step `{step}`: {}", problem.message),
            None => problem.message.clone(),
        };
        let mut diagnostic = MietteDiagnostic::new(message).with_severity(match level {
            Level::Error => miette::Severity::Error,
            Level::Warning => miette::Severity::Warning,
        });
        if let Some(remedy) = &problem.remedy {
            diagnostic = diagnostic.with_help(remedy.clone());
        }
        if let Some(span) = &problem.span {
            diagnostic = diagnostic.with_label(LabeledSpan::at(span.clone(), "here"));
        }
        let source = NamedSource::new(&text.origin, text.text.clone());
        let report = Report::from(diagnostic).with_source_code(source);
        // Writing into a String cannot fail.
        let _ = write!(rendered, "{report:?}");
    }
    rendered.trim_end().to_owned()
}

//! Why a linter said less than it could have.

use super::Linter;

/// How much of what a linter says on standard error is passed on.
const SAID: usize = 300;

/// A reason why a linter, or a part of its work, gave no report.
#[derive(Debug, thiserror::Error)]
#[error("{linter}{}: {why}", if folder.is_empty() { String::new() } else { format!(" in {folder}") })]
pub(crate) struct Trouble {
    pub(crate) linter: Linter,
    /// Where it was started, relative to the root; empty for the root itself.
    pub(crate) folder: String,
    pub(crate) why: Why,
}

/// What went wrong, in the words of the note.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Why {
    /// There is no such program.
    #[error("not installed, so nothing was asked of it")]
    Absent,
    /// No configuration or manifest governs these files.
    #[error("{files} files are below no {what}, so it was not asked about them")]
    Ungoverned { files: usize, what: &'static str },
    /// It ended with a status that stands for no report.
    #[error("failed with status {status}, so its report is not whole{}", after(": ", said))]
    Failed { status: i32, said: String },
    #[error("was ended by signal {0}, so its report is not whole")]
    Signalled(i32),
    #[error("did not end within {0} s and was stopped; what it would have found is not known")]
    Hung(u64),
    #[error("printed {0} bytes, more than are read; its report was left out")]
    Flooded(u64),
    #[error("printed what is no report of its format: {0}{said}", said = after("; ", .1))]
    Unreadable(serde_json::Error, String),
    #[error("could not be started: {0}")]
    Launch(tribunal_dispatch::LaunchError),
    #[error("no place to work in: {0}")]
    Place(#[from] std::io::Error),
}

fn after(separator: &str, said: &str) -> String {
    if said.is_empty() { String::new() } else { format!("{separator}{said}") }
}

/// The line of standard error that says most: the first with `error`, else the first at all.
pub(super) fn gist(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.clone().next();
    let line = lines.find(|line| line.to_ascii_lowercase().contains("error")).or(first);
    crate::hit::shortened(line.unwrap_or_default(), SAID)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_names_linter_place_and_reason() {
        let failed =
            Why::Failed { status: 2, said: gist(b"\nwarning: x\nerror: no config\n  at y\n") };
        let trouble = Trouble { linter: Linter::Ruff, folder: "web".to_owned(), why: failed };
        assert_eq!(
            trouble.to_string(),
            "ruff in web: failed with status 2, so its report is not whole: error: no config"
        );
        let absent = Trouble { linter: Linter::Clippy, folder: String::new(), why: Why::Absent };
        assert_eq!(absent.to_string(), "clippy: not installed, so nothing was asked of it");
    }

    #[test]
    fn the_gist_is_one_line() {
        assert_eq!(gist(b"first\nsecond"), "first");
        assert_eq!(gist(b" \n\n"), "");
    }
}

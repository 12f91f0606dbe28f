//! How a program ended and what it said.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{ExitStatus, Output};

/// The end of a program, with all it said.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The status as the system gave it.
    pub status: ExitStatus,
    /// Everything it wrote to standard output.
    pub stdout: String,
    /// Everything it wrote to standard error.
    pub stderr: String,
}

impl Outcome {
    /// The exit code; `None` when a signal ended it.
    #[must_use]
    pub fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// The number of the signal that ended it.
    #[must_use]
    pub fn signal(&self) -> Option<i32> {
        self.status.signal()
    }

    /// Requires an exit code and gives the outcome back.
    ///
    /// # Panics
    ///
    /// When it ended otherwise; the message shows both outputs.
    #[track_caller]
    pub fn expect_code(&self, code: i32) -> &Self {
        assert_eq!(
            self.code(),
            Some(code),
            "{}\n--- stdout\n{}\n--- stderr\n{}",
            self.status,
            self.stdout,
            self.stderr
        );
        self
    }
}

impl From<Output> for Outcome {
    fn from(output: Output) -> Self {
        Self {
            status: output.status,
            stdout: text("standard output", output.stdout),
            stderr: text("standard error", output.stderr),
        }
    }
}

fn text(stream: &str, bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        panic!("{stream} is not UTF-8: {}", error.as_bytes().escape_ascii())
    })
}

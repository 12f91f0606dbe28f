//! What is to be started, as an owned description.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::Marker;

/// A process that is to be started, with everything it will see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// A path, or a name that is looked for in the `PATH` of `env`; a relative path is taken from
    /// `cwd`.
    pub program: OsString,
    /// Its arguments; a prompt is never one of them.
    pub args: Vec<OsString>,
    /// The complete environment but for the marker; nothing is inherited.
    pub env: Vec<(OsString, OsString)>,
    /// The working directory, absolute.
    pub cwd: PathBuf,
    /// What it reads.
    pub stdin: Stdin,
    /// How long it may run and how much of what it says is kept in memory.
    pub limits: Limits,
    /// Put into its environment, so that whatever it starts can be found again.
    pub marker: Marker,
}

/// What a child reads from standard input; never what we would read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stdin {
    /// These bytes, then the end. A child that stops reading early is no fault.
    Bytes(Vec<u8>),
    /// Nothing.
    Null,
}

/// The limits of one invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest it may run; without one it may run for ever.
    pub deadline: Option<Duration>,
    /// The longest it may say nothing on either pipe.
    pub idle: Option<Duration>,
    /// How long its process group has between TERM and KILL.
    pub grace: Duration,
    /// How many bytes of standard output are kept in memory, from its start; the spool has all.
    pub stdout_cap: u64,
    /// How many bytes of standard error are kept, from its end; the rest is drained and dropped.
    pub stderr_cap: usize,
}

impl Default for Limits {
    /// No deadlines, a grace of 3 s (D42), 1 MiB of output and 64 KiB of errors.
    fn default() -> Self {
        Self {
            deadline: None,
            idle: None,
            grace: Duration::from_secs(3),
            stdout_cap: 1 << 20,
            stderr_cap: 64 << 10,
        }
    }
}

//! Starting a child.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Instant;

use rustix::process::{Pid, Signal};
use tokio::process::{Child, Command};

use crate::leaders::Leader;
use crate::{
    Cancel, Captured, Ended, Invocation, Marker, Reply, Stdin, find_program, supervision, sweep,
};

/// An invocation that came to nothing, named by its program.
#[derive(Debug, thiserror::Error)]
#[error("`{}`: {kind}", program.display())]
pub struct LaunchError {
    program: OsString,
    kind: LaunchErrorKind,
}

/// Why there is no reply.
#[derive(Debug, thiserror::Error)]
pub enum LaunchErrorKind {
    /// There is no such program; a shell would exit with 127.
    #[error("not found (127)")]
    NotFound,
    /// It is there and cannot be executed; a shell would exit with 126.
    #[error("not executable (126): {0}")]
    NotExecutable(io::Error),
    /// The working directory cannot be used.
    #[error("working directory: {0}")]
    Cwd(io::Error),
    /// What it said could not be kept; it was ended.
    #[error("its output could not be kept: {0}")]
    Spool(io::Error),
    /// The system refused something else.
    #[error("{0}")]
    Io(io::Error),
}

impl LaunchError {
    pub(crate) fn new(program: impl Into<OsString>, kind: LaunchErrorKind) -> Self {
        Self { program: program.into(), kind }
    }

    /// Why there is no reply.
    #[must_use]
    pub fn kind(&self) -> &LaunchErrorKind {
        &self.kind
    }

    /// The system's answer where what the child said could not be kept, which is no fault of the
    /// child's; else the error itself.
    pub fn into_unkept(self) -> Result<io::Error, Self> {
        match self.kind {
            LaunchErrorKind::Spool(error) => Ok(error),
            kind => Err(Self { kind, ..self }),
        }
    }

    /// The program as the invocation names it.
    #[must_use]
    pub fn program(&self) -> &OsStr {
        &self.program
    }
}

/// Runs an invocation to its end; all of its standard output goes to `spool`.
///
/// Returns within milliseconds of the child's end, unless something it started holds its pipes: then
/// after half a second at most. A call that is cancelled before it began starts nothing. Needs a
/// tokio runtime with I/O and time.
///
/// # Errors
///
/// When the child could not start, or its output could not be kept.
pub async fn run(
    invocation: &Invocation,
    spool: File,
    cancel: Cancel,
) -> Result<Reply, LaunchError> {
    if cancel.times() > 0 {
        return Ok(Reply {
            ended: Ended::Cancelled,
            rung: None,
            stdout: Captured::default(),
            stderr: Vec::new(),
            wall: std::time::Duration::ZERO,
        });
    }
    start(invocation, spool)?.finish(cancel).await
}

/// Like [`run`], for an answer that its caller alone reads: nothing of the output is left but what the
/// limits of the invocation keep in memory.
///
/// # Errors
///
/// When the child could not start.
pub async fn run_unspooled(invocation: &Invocation, cancel: Cancel) -> Result<Reply, LaunchError> {
    let nowhere = File::options().write(true).open("/dev/null");
    let nowhere = nowhere
        .map_err(|error| LaunchError::new(&invocation.program, LaunchErrorKind::Spool(error)))?;
    run(invocation, nowhere, cancel).await
}

/// Starts an invocation; it runs when this returns, and [`Running::finish`] sees it through.
///
/// # Errors
///
/// When it cannot be started: the program or the working directory is not there or not usable.
///
/// # Panics
///
/// Outside of a tokio runtime.
pub fn start(invocation: &Invocation, spool: File) -> Result<Running<'_>, LaunchError> {
    let fail = |kind| LaunchError::new(&invocation.program, kind);
    let folder = invocation.cwd.metadata().map_err(|error| fail(LaunchErrorKind::Cwd(error)))?;
    if !folder.is_dir() {
        return Err(fail(LaunchErrorKind::Cwd(io::ErrorKind::NotADirectory.into())));
    }
    let program = resolve(invocation)?;
    let mut command = Command::new(program);
    command
        .args(&invocation.args)
        .env_clear()
        .envs(invocation.env.iter().map(|(name, value)| (name, value)))
        .env(Marker::VARIABLE, invocation.marker.as_str())
        .current_dir(&invocation.cwd)
        .process_group(0)
        .stdin(match invocation.stdin {
            Stdin::Bytes(_) => Stdio::piped(),
            Stdin::Null => Stdio::null(),
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let started = Instant::now();
    let (child, leader) = Leader::spawn(&mut command, &invocation.marker).map_err(|error| {
        fail(match error.kind() {
            // It was found a moment ago: its interpreter is missing or its format unknown.
            io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => {
                LaunchErrorKind::NotExecutable(error)
            }
            _ if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
                LaunchErrorKind::NotExecutable(error)
            }
            _ => LaunchErrorKind::Io(error),
        })
    })?;
    tracing::debug!(program = %invocation.program.display(), pid = leader.pid(), "started");
    Ok(Running { invocation, spool, child, leader: Some(leader), started, over: false })
}

fn resolve(invocation: &Invocation) -> Result<PathBuf, LaunchError> {
    let name = &invocation.program;
    if name.as_encoded_bytes().contains(&b'/') {
        return find_program(invocation.cwd.join(name), OsStr::new(""))
            .map_err(|error| LaunchError::new(name, error.kind));
    }
    let path = invocation.env.iter().find(|(variable, _)| variable == "PATH");
    find_program(name, path.map_or(OsStr::new(""), |(_, path)| path))
}

/// A child at work. Dropping it kills the child and everything it started.
#[derive(Debug)]
pub struct Running<'i> {
    pub(crate) invocation: &'i Invocation,
    pub(crate) spool: File,
    pub(crate) child: Child,
    // Gone as soon as the child is reaped: from then on its number may be another process's.
    pub(crate) leader: Option<Leader>,
    pub(crate) started: Instant,
    pub(crate) over: bool,
}

impl Running<'_> {
    /// Its process id, which is its process group's too; `None` once it was reaped.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Feeds it, drains it, holds it to its limits, and clears away what it leaves behind.
    ///
    /// # Errors
    ///
    /// When its output could not be kept or the system cannot say how it ended; it is dead then.
    pub async fn finish(self, cancel: Cancel) -> Result<Reply, LaunchError> {
        supervision::see_through(self, cancel).await
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if self.over {
            return;
        }
        if let Some(leader) = self.leader.take() {
            leader.signal_group(Signal::KILL);
            leader.wait_for_end();
            // Reaped here where possible; else tokio reaps it at the next child's end.
            if let Err(error) = self.child.try_wait() {
                tracing::warn!(pid = leader.pid(), %error, "a killed child could not be reaped");
            }
        }
        sweep(&self.invocation.marker).report();
    }
}

pub(crate) fn pid_of(child: &Child) -> Option<Pid> {
    child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw)
}

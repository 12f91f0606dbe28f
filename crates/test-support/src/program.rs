//! Running a program with a stated environment.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::{self, JoinHandle};

use rustix::process::{Pid, Signal, kill_process};

use crate::Outcome;

/// A program that is about to run, with nothing inherited but its working directory.
#[derive(Debug)]
pub struct Program {
    command: Command,
    stdin: Vec<u8>,
}

impl Program {
    /// Names a program and its whole environment.
    #[must_use]
    pub fn new(program: impl AsRef<OsStr>, environment: &[(OsString, OsString)]) -> Self {
        let mut command = Command::new(program);
        command.env_clear().envs(environment.iter().map(|(name, value)| (name, value)));
        Self { command, stdin: Vec::new() }
    }

    /// Adds one argument.
    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(mut self, arguments: &[&str]) -> Self {
        self.command.args(arguments);
        self
    }

    /// Sets one variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Takes one variable away.
    #[must_use]
    pub fn env_remove(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Sets the working directory.
    #[must_use]
    pub fn dir(mut self, folder: impl AsRef<Path>) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Gives what the program reads from standard input; without it, it reads nothing.
    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Runs it to its end.
    ///
    /// # Panics
    ///
    /// When it cannot start.
    #[track_caller]
    #[must_use]
    pub fn run(self) -> Outcome {
        self.spawn().wait()
    }

    /// Starts it.
    ///
    /// # Panics
    ///
    /// When it cannot start.
    #[track_caller]
    #[must_use]
    pub fn spawn(mut self) -> Running {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self
            .command
            .spawn()
            .unwrap_or_else(|error| panic!("{:?} did not start: {error}", self.command));
        let mut input = child.stdin.take().expect("its input was asked for");
        let bytes = self.stdin;
        thread::spawn(move || {
            // A program that ends before it has read all is no fault of the test.
            input.write_all(&bytes).ok();
        });
        let stdout = drain(child.stdout.take().expect("its output was asked for"));
        let stderr = drain(child.stderr.take().expect("its errors were asked for"));
        Running { child, stdout: Some(stdout), stderr: Some(stderr) }
    }
}

fn drain(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("a pipe can be read");
        bytes
    })
}

/// A program at work; killed when dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdout: Option<JoinHandle<Vec<u8>>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
}

impl Running {
    /// Its process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal; nothing happens when it has ended.
    pub fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        // It may end between the test's last look and this call.
        kill_process(pid.expect("a process id is positive"), signal).ok();
    }

    /// Waits for its end.
    ///
    /// # Panics
    ///
    /// When it said something that is not UTF-8.
    #[must_use]
    pub fn wait(mut self) -> Outcome {
        let status = self.child.wait().expect("a child of ours can be waited for");
        let collect = |pipe: Option<JoinHandle<Vec<u8>>>| {
            pipe.map(|thread| thread.join().expect("a pipe was read")).unwrap_or_default()
        };
        let stdout = collect(self.stdout.take());
        let stderr = collect(self.stderr.take());
        Output { status, stdout, stderr }.into()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended already, or the test has: neither minds a failure here.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

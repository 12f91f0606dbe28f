//! One golden case: reading it, running it, writing what came out.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::normal::normal;
use crate::failure::Failure;

/// A case as its folder describes it.
#[derive(Debug)]
pub(super) struct Case<'a> {
    folder: &'a Path,
    arguments: Vec<String>,
    stdin: String,
    pub(super) expected: Outcome,
}

/// What a run shows, with the parts that differ between machines and runs replaced.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub stdout: String,
    pub stderr: String,
    /// The exit status as a line, or how a signal ended it.
    pub exit: String,
}

impl<'a> Case<'a> {
    pub(super) fn read(folder: &'a Path) -> Result<Self, Failure> {
        let text = |file: &str| optional(&folder.join(file));
        let exit = text("status")?;
        Ok(Self {
            folder,
            arguments: text("args")?.lines().map(str::to_owned).collect(),
            stdin: text("stdin")?,
            expected: Outcome {
                stdout: text("stdout")?,
                stderr: text("stderr")?,
                exit: if exit.is_empty() { "0\n".to_owned() } else { exit },
            },
        })
    }

    /// Runs the program in a fresh copy of the case's `in`, with an environment of its own.
    pub(super) fn run(&self, program: &Path) -> Result<Outcome, Failure> {
        let sandbox = tempfile::tempdir().map_err(Failure::at("a temporary folder"))?;
        let root = sandbox.path().canonicalize().map_err(Failure::at(sandbox.path()))?;
        for folder in ["in", "home", "state", "config", "tmp"] {
            std::fs::create_dir(root.join(folder)).map_err(Failure::at(&root))?;
        }
        let given = self.folder.join("in");
        if given.is_dir() {
            copy(&given, &root.join("in"))?;
        }
        let mut command = Command::new(program);
        command.args(&self.arguments).current_dir(root.join("in")).env_clear();
        hermetic(&mut command, &root);
        let output = feed(command, &self.stdin).map_err(Failure::at(program))?;
        let text = |bytes: &[u8]| normal(&String::from_utf8_lossy(bytes), &root);
        Ok(Outcome {
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
            exit: match output.status.code() {
                Some(code) => format!("{code}\n"),
                None => format!("{}\n", output.status),
            },
        })
    }
}

impl Outcome {
    /// The files of a case folder that hold it.
    pub(super) fn files(&self) -> [(&'static str, String); 3] {
        [
            ("stdout", self.stdout.clone()),
            ("stderr", self.stderr.clone()),
            ("status", self.exit.clone()),
        ]
    }

    /// Makes this outcome the expected one.
    pub(super) fn write(&self, folder: &Path) -> Result<(), Failure> {
        for (file, text) in self.files() {
            let place = folder.join(file);
            std::fs::write(&place, text).map_err(Failure::at(&place))?;
        }
        Ok(())
    }
}

/// The text of a file; empty when there is none.
fn optional(place: &Path) -> Result<String, Failure> {
    match std::fs::read_to_string(place) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        other => other.map_err(Failure::at(place)),
    }
}

/// Sets what a run may know: nothing of the user's settings, nothing of the machine but its programs.
fn hermetic(command: &mut Command, root: &Path) {
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    for (name, folder) in [
        ("HOME", "home"),
        ("XDG_STATE_HOME", "state"),
        ("XDG_CONFIG_HOME", "config"),
        ("TMPDIR", "tmp"),
    ] {
        command.env(name, root.join(folder));
    }
    command
        .env("LANG", "C.UTF-8")
        .env("NO_COLOR", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
}

fn feed(mut command: Command, stdin: &str) -> std::io::Result<Output> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let pipe = child.stdin.take();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if let Some(mut pipe) = pipe {
                // A program that does not read its stdin to the end closes the pipe: no fault.
                let _ = pipe.write_all(stdin.as_bytes());
            }
        });
        child.wait_with_output()
    })
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    for entry in std::fs::read_dir(from).map_err(Failure::at(from))? {
        let path = entry.map_err(Failure::at(from))?.path();
        let target = to.join(path.file_name().unwrap_or_default()); // an entry has a name
        if path.is_dir() {
            std::fs::create_dir(&target).map_err(Failure::at(&target))?;
            copy(&path, &target)?;
        } else {
            std::fs::copy(&path, &target).map_err(Failure::at(&path))?;
        }
    }
    Ok(())
}

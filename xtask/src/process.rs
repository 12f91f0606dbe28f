//! Programs that chores start.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::{Metadata, MetadataCommand};

use crate::failure::Failure;

/// The cargo that runs us, started in the workspace root.
pub(crate) fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root).args(arguments);
    command
}

/// What cargo knows of the workspace, without its dependencies' packages: needs no network.
pub(crate) fn metadata(root: &Path) -> Result<Metadata, Failure> {
    MetadataCommand::new()
        .current_dir(root)
        .no_deps()
        .exec()
        .map_err(|error| Failure::Broken(format!("cargo metadata: {error}")))
}

/// Where cargo puts what it builds.
pub(crate) fn target_folder(root: &Path) -> Result<PathBuf, Failure> {
    metadata(root).map(|metadata| metadata.target_directory.into_std_path_buf())
}

/// Runs a program with our own stdin, stdout and stderr.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(Failure::at(command.get_program()))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::Program { line: line(command), status })
}

/// Runs a program and gives its stdout as text; its stderr stays ours.
pub(crate) fn read(command: &mut Command) -> Result<String, Failure> {
    let output =
        command.stderr(Stdio::inherit()).output().map_err(Failure::at(command.get_program()))?;
    if !output.status.success() {
        return Err(Failure::Program { line: line(command), status: output.status });
    }
    String::from_utf8(output.stdout)
        .map_err(|_| Failure::Broken(format!("`{}` printed bytes that are no text", line(command))))
}

/// Whether a program starts and ends well; what it prints is dropped.
pub(crate) fn works(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Whether `PATH` has a program of that name.
pub(crate) fn installed(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default(); // no PATH: nothing is installed
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// The command line for people: words joined by blanks, the program by its file name.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    std::iter::once(program)
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_fails_keeps_its_exit_status_and_is_named() {
        let failure = run(Command::new("bash").args(["-c", "exit 7"])).expect_err("exits 7");
        let Failure::Program { line, status } = failure else { panic!("{failure:?}") };
        assert_eq!((line.as_str(), status.code()), ("bash -c exit 7", Some(7)));
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let failure = run(&mut Command::new("no-such-program")).expect_err("cannot start");
        assert!(failure.to_string().starts_with("no-such-program: "), "{failure}");
        assert!(!installed("no-such-program") && installed("bash"));
    }
}

//! Finding a program before anything depends on it.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use crate::{LaunchError, LaunchErrorKind};

/// Finds a program as a shell does: a name along `path`, anything with a `/` as it stands.
///
/// A missing agent is found out before a cycle begins, never as three empty answers (D42).
///
/// # Errors
///
/// `NotFound` when there is none; `NotExecutable` when all there is cannot be executed.
pub fn find_program(name: impl AsRef<OsStr>, path: &OsStr) -> Result<PathBuf, LaunchError> {
    let name = name.as_ref();
    if name.as_encoded_bytes().contains(&b'/') {
        return executable(Path::new(name)).map_err(|kind| LaunchError::new(name, kind));
    }
    let mut worst = LaunchErrorKind::NotFound;
    for folder in std::env::split_paths(path).filter(|_| !name.is_empty()) {
        match executable(&folder.join(name)) {
            Ok(program) => return Ok(program),
            Err(LaunchErrorKind::NotFound) => {}
            Err(kind) => worst = kind,
        }
    }
    Err(LaunchError::new(name, worst))
}

fn executable(program: &Path) -> Result<PathBuf, LaunchErrorKind> {
    match program.metadata() {
        Err(error) if is_absence(&error) => Err(LaunchErrorKind::NotFound),
        Err(error) => Err(LaunchErrorKind::NotExecutable(error)),
        // What the system says of a folder, too.
        Ok(metadata) if !metadata.is_file() => {
            Err(LaunchErrorKind::NotExecutable(io::ErrorKind::PermissionDenied.into()))
        }
        Ok(_) => match access(program, Access::EXEC_OK) {
            Ok(()) => Ok(program.to_owned()),
            Err(error) => Err(LaunchErrorKind::NotExecutable(error.into())),
        },
    }
}

fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_name_is_looked_for_and_a_path_is_taken() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (empty, full) = (folder.path().join("empty"), folder.path().join("full"));
        fs::create_dir_all(full.join("folder")).expect("a fresh folder takes folders");
        fs::create_dir(&empty).expect("a fresh folder takes folders");
        for (file, mode) in [("agent", 0o755), ("notes", 0o644)] {
            fs::write(full.join(file), "").expect("a fresh folder takes files");
            let mode = fs::Permissions::from_mode(mode);
            fs::set_permissions(full.join(file), mode).expect("our own file");
        }
        let path = std::env::join_paths([&empty, &full]).expect("plain names");
        let check = |name: &OsStr, expected: Result<PathBuf, u8>| {
            let found = find_program(name, &path).map_err(|error| match error.kind() {
                LaunchErrorKind::NotFound => 127,
                LaunchErrorKind::NotExecutable(_) => 126,
                LaunchErrorKind::Cwd(_) | LaunchErrorKind::Spool(_) | LaunchErrorKind::Io(_) => 1,
            });
            assert_eq!(found, expected, "{}", name.display());
        };
        check("agent".as_ref(), Ok(full.join("agent")));
        check(full.join("agent").as_ref(), Ok(full.join("agent")));
        check("absent".as_ref(), Err(127));
        check("".as_ref(), Err(127));
        check(full.join("absent").as_ref(), Err(127));
        check(full.join("agent/absent").as_ref(), Err(127));
        check("notes".as_ref(), Err(126));
        check("folder".as_ref(), Err(126));
        check(full.as_ref(), Err(126));
    }
}

//! Packages and workspaces, for a linter that is asked by package.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use fs_err as fs;
use serde::Deserialize;

use super::jobs::{Task, nearest};
use super::rows::Row;
use super::start::{Job, Workplace};
use super::trouble::{Trouble, Why};

const MANIFEST: &str = "Cargo.toml";
const LOCK: &str = "Cargo.lock";

/// What cargo builds into, and what is not to be met again in a shadow.
const LEFT_OUT: [&str; 2] = ["target", ".git"];

#[derive(Deserialize)]
struct Metadata {
    workspace_root: PathBuf,
    /// The members.
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    manifest_path: PathBuf,
}

impl Package {
    fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }
}

/// One start for each workspace that these files have packages in.
///
/// Nothing is written into the tree: what is built goes to the scratch folder, a lock file is used
/// as it is, and one that is missing is made in a shadow of the workspace.
pub(super) fn tasks(
    row: &Row,
    root: &Path,
    place: &Workplace,
    files: &[String],
) -> (Vec<Task>, Vec<Trouble>) {
    let trouble =
        |folder: &str, why| Trouble { linter: row.linter, folder: folder.to_owned(), why };
    let (mut tasks, mut troubles) = (Vec::new(), Vec::new());
    let owner = |file: &String| {
        nearest(root, file, |folder| folder.join(MANIFEST).is_file()).map(str::to_owned)
    };
    let mut folders: BTreeSet<String> = files.iter().filter_map(owner).collect();
    let ungoverned = files.iter().filter(|file| owner(file).is_none()).count();
    if ungoverned > 0 {
        troubles.push(trouble("", Why::Ungoverned { files: ungoverned, what: "Cargo.toml" }));
    }
    while let Some(folder) = folders.pop_first() {
        let metadata = match metadata(row, &root.join(&folder), place) {
            Ok(metadata) => metadata,
            Err(why) => {
                troubles.push(trouble(&folder, why));
                continue;
            }
        };
        // A member met later is done with this one; a folder that is no member has no package.
        let asked: Vec<&Package> = metadata
            .packages
            .iter()
            .filter(|package| {
                let relative = package.folder().strip_prefix(root).ok().and_then(Path::to_str);
                relative.is_some_and(|relative| relative == folder || folders.remove(relative))
            })
            .collect();
        if !asked.is_empty() {
            match task(row, root, place, &metadata.workspace_root, &asked) {
                Ok(task) => tasks.push(task),
                Err(error) => troubles.push(trouble(&folder, Why::Place(error))),
            }
        }
    }
    (tasks, troubles)
}

fn metadata(row: &Row, folder: &Path, place: &Workplace) -> Result<Metadata, Why> {
    let args = ["metadata", "--no-deps", "--offline", "--format-version=1"];
    let args = args.map(OsString::from).to_vec();
    let job = Job { program: row.program.into(), args, cwd: folder.to_owned() };
    let (status, stdout, said) = place.run(row, &job)?;
    if status != 0 {
        return Err(Why::Failed { status, said });
    }
    serde_json::from_slice(&stdout).map_err(|error| Why::Unreadable(error, said))
}

fn task(
    row: &Row,
    root: &Path,
    place: &Workplace,
    workspace: &Path,
    packages: &[&Package],
) -> std::io::Result<Task> {
    let mut args: Vec<OsString> = row.arguments.iter().map(OsString::from).collect();
    let cwd = if workspace.join(LOCK).is_file() {
        args.push("--locked".into());
        workspace.to_owned()
    } else {
        shadow(place.scratch(), workspace)?
    };
    args.extend(["--target-dir".into(), place.scratch().join("clippy").into()]);
    for package in packages {
        args.extend(["--package".into(), format!("{}@{}", package.name, package.version).into()]);
    }
    // A lint that the project denies would end the build, and what depends on it would go unseen.
    args.extend(["--", "--cap-lints=warn"].map(OsString::from));
    let folder = workspace.strip_prefix(root).unwrap_or(workspace).to_string_lossy().into_owned();
    let job = Job { program: row.program.into(), args, cwd };
    Ok(Task { job, folder, base: workspace.to_owned() })
}

/// A folder of links to all that a workspace has at its top, with room for a lock file of its own.
///
/// It is the same in every call of a run, so that what was built for it stays fresh.
fn shadow(scratch: &Path, workspace: &Path) -> std::io::Result<PathBuf> {
    let named = workspace.to_string_lossy().replace('%', "%25").replace('/', "%2F");
    let shadow = scratch.join("shadows").join(named);
    fs::create_dir_all(&shadow)?;
    for entry in fs::read_dir(workspace)? {
        let name = entry?.file_name();
        if LEFT_OUT.iter().any(|left_out| name == *left_out) {
            continue;
        }
        match std::os::unix::fs::symlink(workspace.join(&name), shadow.join(&name)) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(shadow)
}

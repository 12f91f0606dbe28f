//! The commands that check a project, and what one of them printed.

use std::io;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use serde::Serialize;
use tribunal_check::{Detection, End, Listing, Printed, Reading, Slot, detect, is_manifest, read};

use crate::error::RunError;
use crate::place_fault::PlaceFault;
use crate::surroundings::Surroundings;

/// What would check one slot of a project.
#[derive(Debug, Serialize)]
pub struct Detected {
    /// The slot.
    pub slot: Slot,
    /// The root of the tree that was looked at; the folders of proposals are relative to it.
    pub root: PathBuf,
    /// What was found.
    #[serde(flatten)]
    pub detection: Detection,
}

/// Folders that hold installed packages; they are nobody's project.
const INSTALLED: &[&str] = &[".git", "node_modules", ".venv", ".tox", ".nox"];

/// Finds the commands that check the project that a folder is in (D22). The tree is that of the
/// nearest folder upwards with a `.git`, else the current directory where the folder is in it, else
/// the folder itself. What git ignores is left out.
///
/// # Errors
/// The folder is none, or a file of the tree cannot be read.
pub fn detect_checks(
    folder: &Path,
    slots: &[Slot],
    surroundings: &Surroundings,
) -> Result<Vec<Detected>, RunError> {
    let given = surroundings.current_dir.join(folder);
    let unusable = |fault| RunError::Target { path: folder.display().to_string(), fault };
    let folder = given.canonicalize().map_err(|error| unusable(PlaceFault::Unreadable(error)))?;
    if !folder.is_dir() {
        return Err(unusable(PlaceFault::NoFolder));
    }
    let root = root_of(&folder, &surroundings.current_dir);
    let listing = listing(&root)?;
    let inside = folder.strip_prefix(&root).unwrap_or(Path::new("")).to_string_lossy().into_owned();
    Ok(slots
        .iter()
        .map(|&slot| Detected {
            slot,
            root: root.clone(),
            detection: detect(&listing, &inside, slot),
        })
        .collect())
}

fn root_of(folder: &Path, current_dir: &Path) -> PathBuf {
    let with_git = folder.ancestors().find(|folder| folder.join(".git").exists());
    let current_dir = || {
        let current_dir = current_dir.canonicalize().ok()?;
        folder.starts_with(&current_dir).then_some(current_dir)
    };
    with_git.map(Path::to_owned).or_else(current_dir).unwrap_or_else(|| folder.to_owned())
}

fn listing(root: &Path) -> Result<Listing, RunError> {
    let place = |path: &Path| path.display().to_string();
    let mut paths = Vec::new();
    let mut texts = Vec::new();
    let walk = WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        .filter_entry(|entry| !INSTALLED.iter().any(|name| entry.file_name() == *name))
        .build();
    for entry in walk {
        let entry = entry.map_err(|error| input(&place(root), error.to_string()))?;
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        let (true, Ok(inside)) = (is_file, entry.path().strip_prefix(root)) else { continue };
        let Some(path) = inside.to_str() else { continue };
        if is_manifest(path) {
            let bytes = read_file(entry.path())
                .map_err(|error| input(&place(entry.path()), error.to_string()))?;
            texts.push((path.to_owned(), String::from_utf8_lossy(&bytes).into_owned()));
        }
        paths.push(path.to_owned());
    }
    let listing = Listing::new(paths);
    Ok(texts.into_iter().fold(listing, |listing, (path, text)| listing.with_text(path, text)))
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    std::fs::read(path)
}

fn input(place: &str, why: String) -> RunError {
    RunError::Input { place: place.to_owned(), why }
}

/// Reads what a check printed, as the goal loop would (D21).
///
/// # Errors
/// The file cannot be read.
pub fn read_check(
    file: &Path,
    end: End,
    folder: &str,
    surroundings: &Surroundings,
) -> Result<Reading, RunError> {
    let path = surroundings.current_dir.join(file);
    let bytes =
        read_file(&path).map_err(|error| input(&file.display().to_string(), error.to_string()))?;
    Ok(read(&Printed { folder, ..Printed::new(&bytes, end) }))
}

//! The folder where people find raw replies and reports (D11).

use std::ffi::OsStr;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use tribunal_phase::RunId;
use uuid::Uuid;

use crate::error::{JournalError, JournalErrorKind};
use crate::folder::{Folder, Links};

/// The folder where people find raw replies and reports.
///
/// Links are never followed on the way from the repository into it, nor below it: an audited
/// repository may hold anything. Where it cannot be written, a fresh private folder below the
/// system's temporary folder takes its place; that one is kept.
#[derive(Debug)]
pub struct Output {
    configured: String,
    base: PathBuf,
    temp: PathBuf,
    fallback: Option<PathBuf>,
    /// The name of a file until it is whole.
    part: String,
}

/// A file that was put where people find it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its path as people are told: in the configured form, or the real path of the fallback.
    pub printed: String,
    /// Its real path.
    pub path: PathBuf,
    /// Why it is not in the configured folder; `None` when it is.
    pub fallback: Option<String>,
}

impl Output {
    /// The folder `configured`, which is relative to `base` unless it is absolute; `temp` is the
    /// system's temporary folder. Nothing is made before something is kept.
    pub fn new(configured: &str, base: &Path, temp: &Path) -> Self {
        let configured = if configured.is_empty() { "." } else { configured };
        Self {
            configured: configured.to_owned(),
            base: base.to_owned(),
            temp: temp.to_owned(),
            fallback: None,
            part: part(&Uuid::new_v4().simple().to_string()),
        }
    }

    /// The folder as the holder of a run's lock writes it: what was half written when the run was
    /// killed goes when the same file is written again, as it is when the run is gone on with.
    #[must_use]
    pub fn of_run(mut self, run: &RunId) -> Self {
        self.part = part(run.as_str());
        self
    }

    /// Keeps a validator's reply, the bytes as received, as `cycle_N/validator_vN_raw.txt`.
    ///
    /// The path is made of the configured folder and these numbers alone (seed 000, "raw artifact").
    ///
    /// # Errors
    /// What the system refused in the fallback; the configured folder's trouble is in
    /// [`Kept::fallback`].
    pub fn keep_raw(
        &mut self,
        cycle: u32,
        validator: u8,
        bytes: &[u8],
    ) -> Result<Kept, JournalError> {
        let folder = format!("cycle_{cycle}");
        let file = format!("validator_v{validator}_raw.txt");
        self.put(&[&folder], &file, bytes)
    }

    /// Keeps a result, such as `report.md`, in the folder itself.
    ///
    /// # Errors
    /// [`JournalErrorKind::BadFileName`] when `name` is not one plain name; else as
    /// [`Output::keep_raw`].
    pub fn write_result(&mut self, name: &str, bytes: &[u8]) -> Result<Kept, JournalError> {
        let mut parts = Path::new(name).components();
        match (parts.next(), parts.next()) {
            (Some(Component::Normal(only)), None) if only == OsStr::new(name) => {
                self.put(&[], name, bytes)
            }
            _ => {
                let kind = JournalErrorKind::BadFileName(name.to_owned());
                Err(JournalError::new(kind, &self.configured_path()))
            }
        }
    }

    fn put(&mut self, folders: &[&str], file: &str, bytes: &[u8]) -> Result<Kept, JournalError> {
        let below: PathBuf = folders.iter().chain([&file]).collect();
        let refused = match self
            .enter_configured()
            .and_then(|top| self.put_below(&top, folders, file, bytes))
        {
            Ok(()) => {
                let printed = Path::new(&self.configured).join(&below);
                return Ok(Kept {
                    printed: printed.to_string_lossy().into_owned(),
                    path: self.configured_path().join(&below),
                    fallback: None,
                });
            }
            Err(refused) => refused,
        };
        let top = self.fallback()?;
        let path = top.join(&below);
        Folder::open(&top)
            .and_then(|top| self.put_below(&top, folders, file, bytes))
            .map_err(JournalError::io("write", &path))?;
        let printed = path.to_string_lossy().into_owned();
        Ok(Kept { printed, path, fallback: Some(format!("{}: {refused}", self.configured)) })
    }

    fn put_below(
        &self,
        top: &Folder,
        folders: &[&str],
        file: &str,
        bytes: &[u8],
    ) -> io::Result<()> {
        let mut inner: Option<Folder> = None;
        for name in folders {
            inner = Some(enter(inner.as_ref().unwrap_or(top), OsStr::new(name), Links::Refuse)?);
        }
        let folder = inner.as_ref().unwrap_or(top);
        let (file, part) = (OsStr::new(file), OsStr::new(&self.part));
        folder.put(file, bytes, part).map_err(|error| named(file, &error))
    }

    fn configured_path(&self) -> PathBuf {
        self.base.join(&self.configured)
    }

    /// A relative folder may stand in the repository and follows no link at all; of an absolute one,
    /// which only a person can have named, the last name alone may not be a link.
    fn enter_configured(&self) -> io::Result<Folder> {
        let configured = Path::new(&self.configured);
        let (mut folder, links) = if configured.is_absolute() {
            (Folder::open(Path::new("/"))?, Links::Follow)
        } else {
            (Folder::open(&self.base)?, Links::Refuse)
        };
        let mut names = configured
            .components()
            .filter(|part| !matches!(part, Component::RootDir | Component::CurDir))
            .peekable();
        while let Some(name) = names.next() {
            let links = if names.peek().is_none() { Links::Refuse } else { links };
            folder = enter(&folder, name.as_os_str(), links)?;
        }
        Ok(folder)
    }

    /// The same for all files of this output, so that people look in one place.
    fn fallback(&mut self) -> Result<PathBuf, JournalError> {
        if let Some(folder) = &self.fallback {
            return Ok(folder.clone());
        }
        let folder = tempfile::Builder::new()
            .prefix("tribunal-output-")
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(&self.temp)
            .map_err(JournalError::io("create a folder in", &self.temp))?
            .keep();
        self.fallback = Some(folder.clone());
        Ok(folder)
    }
}

fn part(whose: &str) -> String {
    format!(".{whose}.part")
}

fn enter(folder: &Folder, name: &OsStr, links: Links) -> io::Result<Folder> {
    folder.enter(name, links).map_err(|error| named(name, &error))
}

fn named(name: &OsStr, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", name.display()))
}

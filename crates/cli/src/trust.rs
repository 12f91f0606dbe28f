//! Which repositories may name programs, recipes and steps (D48).

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::failure::Failure;
use crate::settings::{Places, REPOSITORY_FILE};

/// Trusted repositories by their root, with the hash of what they say.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Trust {
    repositories: BTreeMap<PathBuf, String>,
    #[serde(skip)]
    file: PathBuf,
}

/// How a repository stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// What it says is what was trusted.
    Trusted,
    /// It was never trusted, or says something else now.
    Untrusted,
}

impl Trust {
    pub(crate) fn read(places: &Places) -> Result<Self, Failure> {
        let file = places.config_dir.join("trusted.json");
        let mut trust: Self = match fs_err::read(&file) {
            Ok(text) => serde_json::from_slice(&text)
                .map_err(|error| Failure::setting(&file, &error.to_string()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Self::default(),
            Err(error) => return Err(Failure::setting(&file, &error.to_string())),
        };
        trust.file = file;
        Ok(trust)
    }

    pub(crate) fn standing(&self, root: &Path) -> Result<Standing, Failure> {
        let Some(trusted) = self.repositories.get(root) else { return Ok(Standing::Untrusted) };
        let now = fingerprint(root)?;
        Ok(if *trusted == now { Standing::Trusted } else { Standing::Untrusted })
    }

    pub(crate) fn grant(&mut self, root: &Path) -> Result<(), Failure> {
        self.repositories.insert(root.to_owned(), fingerprint(root)?);
        self.store()
    }

    pub(crate) fn revoke(&mut self, root: &Path) -> Result<bool, Failure> {
        let was = self.repositories.remove(root).is_some();
        self.store()?;
        Ok(was)
    }

    /// Written beside and renamed, so that a crash leaves the old file.
    fn store(&self) -> Result<(), Failure> {
        let failed = |error: std::io::Error| Failure::setting(&self.file, &error.to_string());
        let folder = self.file.parent().unwrap_or(Path::new("."));
        fs_err::create_dir_all(folder).map_err(failed)?;
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        let text = serde_json::to_vec_pretty(self).map_err(|error| failed(error.into()))?;
        file.write_all(&text).map_err(failed)?;
        file.as_file().sync_all().map_err(failed)?;
        file.persist(&self.file).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

/// A hash over everything that a repository says to Tribunal: paths and bytes.
///
/// A link would let what is read change without the hash, so there must be none.
fn fingerprint(root: &Path) -> Result<String, Failure> {
    let mut files = Vec::new();
    for own in [REPOSITORY_FILE, ".tribunal"] {
        collect(root.join(own), &mut files)?;
    }
    files.sort_unstable();
    let mut hash = Sha256::new();
    for file in files {
        let bytes =
            fs_err::read(&file).map_err(|error| Failure::setting(&file, &error.to_string()))?;
        let path = file.strip_prefix(root).unwrap_or(&file).as_os_str().as_encoded_bytes();
        for part in [path, &bytes] {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Adds a file, or the files of a folder; what is not there is left out.
fn collect(path: PathBuf, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::setting(&path, &error.to_string());
    let kind = match fs_err::symlink_metadata(&path) {
        Ok(found) => found.file_type(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(error)),
    };
    if kind.is_dir() {
        for entry in fs_err::read_dir(&path).map_err(failed)? {
            collect(entry.map_err(failed)?.path(), files)?;
        }
    } else if kind.is_file() {
        files.push(path);
    } else {
        return Err(Failure::not_to_be_trusted(&path));
    }
    Ok(())
}

//! Which review loop was begun last on a work tree.
//!
//! A name and no more: how the loop stands is told by its own journal.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use tribunal_phase::RunId;
use tribunal_record::Hash;

use crate::error::{JournalError, JournalErrorKind};
use crate::private;
use crate::state_dir::StateDir;

const LOOPS: &str = "loops";

impl StateDir {
    /// The review loop that was begun last on a work tree; it may have ended.
    ///
    /// # Errors
    /// What the system refused.
    pub fn last_loop(&self, root: &Path) -> Result<Option<RunId>, JournalError> {
        read(&self.beside(LOOPS), root)
    }

    /// Notes which review loop was begun last on a work tree; for the holder of the tree's lock.
    ///
    /// # Errors
    /// What the system refused.
    pub fn set_last_loop(&self, root: &Path, id: &RunId) -> Result<(), JournalError> {
        write(&self.beside(LOOPS), root, id)
    }
}

fn place(folder: &Path, root: &Path) -> PathBuf {
    folder.join(Hash::of(root.as_os_str().as_encoded_bytes()).to_string())
}

fn read(folder: &Path, root: &Path) -> Result<Option<RunId>, JournalError> {
    let path = place(folder, root);
    let mut name = String::new();
    let read = private::open_regular(&path).and_then(|mut file| {
        file.read_to_string(&mut name).map_err(JournalError::io("read", &path))
    });
    match read {
        Ok(_) => Ok(Some(RunId::new(name))),
        Err(JournalError { kind: JournalErrorKind::Io { source, .. }, .. })
            if source.kind() == io::ErrorKind::NotFound =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn write(folder: &Path, root: &Path, id: &RunId) -> Result<(), JournalError> {
    private::ensure_folder(folder)?;
    let path = place(folder, root);
    let part = path.with_extension("part");
    // Left by one who was killed; nobody else writes it now.
    let _ = fs::remove_file(&part);
    private::put_file(&path, &part, id.as_str().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tree_has_the_loop_that_was_noted_last() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let loops = folder.path().join("loops");
        let (shop, other) = (Path::new("/srv/shop"), Path::new("/srv/other"));
        assert_eq!(read(&loops, shop).expect("readable"), None);
        for id in ["r1", "r2"] {
            write(&loops, shop, &RunId::new(id)).expect("writable");
        }
        assert_eq!(read(&loops, shop).expect("readable"), Some(RunId::new("r2")));
        assert_eq!(read(&loops, other).expect("readable"), None);
    }
}

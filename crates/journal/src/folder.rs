//! Folders that are walked into step by step, without following links.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Whether a name may be a link on the way into a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    Follow,
    Refuse,
}

/// An open folder; what is done in it cannot be led elsewhere by renaming or linking the way to it.
#[derive(Debug)]
pub(crate) struct Folder(OwnedFd);

impl Folder {
    /// Opens a folder that the caller trusts.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::open(path, FOLDER, Mode::empty())?))
    }

    /// Goes into the folder `name`, and makes it with mode 0700 where it is missing.
    pub(crate) fn enter(&self, name: &OsStr, links: Links) -> io::Result<Self> {
        let flags = match links {
            Links::Follow => FOLDER,
            Links::Refuse => FOLDER | OFlags::NOFOLLOW,
        };
        let open = || rustix::fs::openat(&self.0, name, flags, Mode::empty());
        let opened = match open() {
            Err(Errno::NOENT) => match rustix::fs::mkdirat(&self.0, name, Mode::RWXU) {
                Ok(()) | Err(Errno::EXIST) => open(),
                Err(error) => Err(error),
            },
            opened => opened,
        };
        match opened {
            Ok(folder) => Ok(Self(folder)),
            Err(Errno::NOTDIR | Errno::LOOP) if self.has_link(name) => {
                Err(io::Error::new(io::ErrorKind::NotADirectory, "is a link"))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn has_link(&self, name: &OsStr) -> bool {
        rustix::fs::readlinkat(&self.0, name, Vec::new()).is_ok()
    }

    /// Puts a file with mode 0600 in the place of whatever has the name; a link is replaced, not
    /// followed. Whoever looks sees the old file or the whole new one.
    ///
    /// `part` is its name until it is whole; what has that name is what a killed writer left.
    pub(crate) fn put(&self, name: &OsStr, bytes: &[u8], part: &OsStr) -> io::Result<()> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = || rustix::fs::openat(&self.0, part, flags, Mode::RUSR | Mode::WUSR);
        let file = match open() {
            Err(Errno::EXIST) => {
                rustix::fs::unlinkat(&self.0, part, AtFlags::empty())?;
                open()?
            }
            opened => opened?,
        };
        let mut file = File::from(file);
        let done = file
            .write_all(bytes)
            .and_then(|()| file.sync_all())
            .and_then(|()| Ok(rustix::fs::renameat(&self.0, part, &self.0, name)?));
        if done.is_err() {
            // The first error is the one to tell.
            let _ = rustix::fs::unlinkat(&self.0, part, AtFlags::empty());
        }
        done?;
        Ok(rustix::fs::fsync(&self.0)?)
    }
}

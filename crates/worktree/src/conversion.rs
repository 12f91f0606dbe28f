//! Whether git converts files between work tree and index, so that an index id may be of other
//! bytes than those on disk.

use std::fs;
use std::path::{Path, PathBuf};

use git2::{AttrCheckFlags, AttrValue, Config, ObjectType, Repository};

use crate::WorktreeError;
use crate::excluded::os_path;
use crate::index_file::{IndexEntry, IndexFile};
use crate::objects::Objects;

/// What may be converted in a folder and below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Conversion {
    /// Nothing.
    None,
    /// Line ends. Every such conversion changes the size, so equal sizes prove equal bytes.
    LineEnds,
    /// Anything: filters, `$Id$`, encodings. Each path is asked for.
    Content,
}

const ATTRIBUTES: &str = ".gitattributes";

impl Conversion {
    /// What settings and attributes outside of the work tree may convert.
    pub(crate) fn of_repository(repository: &Repository) -> Result<Self, WorktreeError> {
        let config =
            repository.config().map_err(|error| WorktreeError::git(repository.path(), &error))?;
        // `core.autocrlf` may be `input`, which is no boolean and converts too.
        let autocrlf = match config.get_bool("core.autocrlf") {
            Ok(false) => Self::None,
            Ok(true) => Self::LineEnds,
            Err(_) => match config.get_string("core.autocrlf") {
                Ok(_) => Self::LineEnds,
                Err(_) => Self::None,
            },
        };
        let files = attribute_files(repository, &config);
        Ok(files.iter().fold(autocrlf, |so_far, file| so_far.max(Self::of_file(file))))
    }

    /// What the attribute file of a folder adds: the one on disk, else the one in the index.
    pub(crate) fn of_folder(
        folder: &Path,
        on_disk: bool,
        index: &IndexFile,
        path: &[u8],
        objects: &Objects<'_>,
    ) -> Result<Self, WorktreeError> {
        if on_disk {
            return Ok(Self::of_file(&folder.join(ATTRIBUTES)));
        }
        if !index.has_attributes {
            return Ok(Self::None);
        }
        let entry = index.find(&[path, ATTRIBUTES.as_bytes()].concat());
        match entry.filter(|entry| objects.has(entry.id)) {
            Some(entry) => Ok(Self::of_text(objects.read(entry.id, ObjectType::Blob)?.data())),
            None => Ok(Self::None),
        }
    }

    /// A file that cannot be read may say anything.
    fn of_file(file: &Path) -> Self {
        match fs::read(file) {
            Ok(text) => Self::of_text(&text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Self::None,
            Err(_) => Self::Content,
        }
    }

    fn of_text(text: &[u8]) -> Self {
        let mentions = |words: &[&str]| {
            words.iter().any(|word| text.windows(word.len()).any(|part| part == word.as_bytes()))
        };
        if mentions(&["filter", "ident", "working-tree-encoding"]) {
            Self::Content
        } else if mentions(&["text", "eol", "crlf"]) {
            Self::LineEnds
        } else {
            Self::None
        }
    }

    /// Whether the bytes on disk, `size` of them, are those of the index entry, given that the
    /// file has not changed since it was staged.
    pub(crate) fn leaves_alone(
        self,
        repository: &Repository,
        objects: &Objects<'_>,
        path: &[u8],
        entry: &IndexEntry,
        size: u64,
    ) -> bool {
        let same_size = || objects.size(entry.id).is_some_and(|stored| stored as u64 == size);
        match self {
            Self::None => true,
            Self::LineEnds => same_size(),
            Self::Content => same_size() && !is_filtered(repository, path),
        }
    }
}

fn is_filtered(repository: &Repository, path: &[u8]) -> bool {
    ["filter", "ident", "working-tree-encoding"].into_iter().any(|name| {
        let value = repository.get_attr_bytes(os_path(path), name, AttrCheckFlags::FILE_THEN_INDEX);
        match value.map(AttrValue::always_bytes) {
            Ok(AttrValue::Unspecified | AttrValue::False) => false,
            // What cannot be asked may be converted.
            Ok(AttrValue::True | AttrValue::String(_) | AttrValue::Bytes(_)) | Err(_) => true,
        }
    })
}

fn attribute_files(repository: &Repository, config: &Config) -> Vec<PathBuf> {
    let mut files =
        vec![repository.commondir().join("info/attributes"), PathBuf::from("/etc/gitattributes")];
    if let Ok(file) = config.get_path("core.attributesFile") {
        files.push(file);
    }
    if let Ok(Some(folder)) = Config::find_xdg().map(|file| file.parent().map(Path::to_owned)) {
        files.push(folder.join("attributes"));
    }
    if let Ok(Some(home)) = Config::find_global().map(|file| file.parent().map(Path::to_owned)) {
        files.push(home.join(".config/git/attributes"));
    }
    files
}

//! The commit that holds a snapshot.

use std::path::Path;

use git2::{ObjectType, Oid};

use crate::head::Refs;
use crate::index_file::IndexFile;
use crate::left_out::LeftOut;
use crate::modes::Modes;
use crate::nested::bad_index;
use crate::objects::Objects;
use crate::stored_tree::{self, FILE, FOLDER, TreeEntry};
use crate::{CommitId, Head, SnapshotName, WorktreeError};

/// What a snapshot's commit names.
///
/// Its tree has `files`, `index` (the index file's bytes), `kept` (staged blobs that nothing else
/// names), `modes`, `folders` (their permissions), `left-out` and `refs`; its parent is the commit of HEAD; its message says the rest. So one
/// ref keeps everything from being collected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) files: Oid,
    /// The index file's bytes and its last modification.
    pub(crate) index: Option<(Oid, (i64, u32))>,
    pub(crate) modes: Oid,
    /// Permissions of folders; snapshots of earlier versions have none.
    pub(crate) folders: Option<Oid>,
    /// Snapshots of earlier versions have none.
    pub(crate) left_out: Option<Oid>,
    pub(crate) refs: Oid,
    pub(crate) head: Head,
}

/// Raised when older snapshots can no longer be read.
const FORMAT: &str = "format: 1";

/// Equal states give equal commits: there is no time in them.
const PERSON: &str = "Tribunal <tribunal> 0 +0000";

impl Stored {
    pub(crate) fn write(
        &self,
        objects: &Objects<'_>,
        name: &SnapshotName,
        kept: Oid,
    ) -> Result<Oid, WorktreeError> {
        let mut entries = vec![
            entry("files", FOLDER, self.files),
            entry("kept", FOLDER, kept),
            entry("modes", FILE, self.modes),
            entry("refs", FILE, self.refs),
        ];
        entries.extend(self.folders.map(|blob| entry("folders", FILE, blob)));
        entries.extend(self.left_out.map(|blob| entry("left-out", FILE, blob)));
        entries.extend(self.index.map(|(blob, _)| entry("index", FILE, blob)));
        let tree = stored_tree::write(objects, &mut entries)?;
        let parent = match self.head.commit() {
            Some(commit) => format!("parent {commit}\n"),
            None => String::new(),
        };
        let head = match &self.head {
            Head::Branch { reference, .. } => format!("head: branch {reference}"),
            Head::Detached { .. } => "head: detached".to_owned(),
            Head::Absent => "head: absent".to_owned(),
        };
        let index = match self.index {
            Some((_, (seconds, nanoseconds))) => format!("index: {seconds} {nanoseconds}\n"),
            None => String::new(),
        };
        let commit = format!(
            "tree {tree}\n{parent}author {PERSON}\ncommitter {PERSON}\n\n\
             {}\n\n{FORMAT}\n{head}\n{index}",
            title(name)
        );
        objects.write(ObjectType::Commit, commit.as_bytes())
    }

    pub(crate) fn read(objects: &Objects<'_>, commit: Oid) -> Result<Self, WorktreeError> {
        let object = objects.read(commit, ObjectType::Commit)?;
        let broken = |why: &str| objects.broken(commit, why);
        let text = std::str::from_utf8(object.data()).map_err(|_| broken("no text"))?;
        let (header, message) = text.split_once("\n\n").ok_or_else(|| broken("no message"))?;
        if !message.lines().any(|line| line == FORMAT) {
            return Err(broken("made by another version"));
        }
        let tree = line_after(header, "tree ").and_then(|id| Oid::from_str(id).ok());
        let tree = stored_tree::read(objects, tree.ok_or_else(|| broken("no tree"))?)?;
        let find = |name: &str| {
            let entry = tree.iter().find(|entry| entry.name == name.as_bytes());
            entry.map(|entry| entry.id).ok_or_else(|| broken("an entry is missing"))
        };
        let index = match line_after(message, "index: ") {
            Some(mtime) => {
                let mtime = read_mtime(mtime).ok_or_else(|| broken("no index time"))?;
                Some((find("index")?, mtime))
            }
            None => None,
        };
        let parent = line_after(header, "parent ")
            .map(|id| Oid::from_str(id).map(CommitId).map_err(|_| broken("no parent")))
            .transpose()?;
        let head = line_after(message, "head: ").ok_or_else(|| broken("no head"))?;
        let head = read_head(head, parent).ok_or_else(|| broken("no head"))?;
        let (files, modes, refs) = (find("files")?, find("modes")?, find("refs")?);
        // Not every version had these entries.
        let (folders, left_out) = (find("folders").ok(), find("left-out").ok());
        Ok(Self { files, index, modes, folders, left_out, refs, head })
    }

    /// The same, of a commit that may be any.
    pub(crate) fn read_named(
        objects: &Objects<'_>,
        commit: Oid,
        name: &SnapshotName,
    ) -> Result<Self, WorktreeError> {
        let title = title(name);
        let object = objects.read(commit, ObjectType::Commit)?;
        let text = String::from_utf8_lossy(object.data());
        let message = text.split_once("\n\n").map(|(_, message)| message);
        if message.and_then(|it| it.lines().next()) != Some(title.as_str()) {
            return Err(objects.broken(commit, &format!("no {title}")));
        }
        Self::read(objects, commit)
    }

    /// The index as it was; empty when there was none.
    pub(crate) fn read_index(&self, objects: &Objects<'_>) -> Result<IndexFile, WorktreeError> {
        let Some((blob, mtime)) = self.index else { return Ok(IndexFile::default()) };
        let bytes = objects.read(blob, ObjectType::Blob)?;
        IndexFile::read(bytes.data(), mtime).map_err(|bad| bad_index(Path::new("index"), bad))
    }

    /// The permissions of its files.
    pub(crate) fn read_modes(&self, objects: &Objects<'_>) -> Result<Modes, WorktreeError> {
        let bytes = objects.read(self.modes, ObjectType::Blob)?;
        Modes::decode(bytes.data()).ok_or_else(|| objects.broken(self.modes, "no permissions"))
    }

    /// The permissions of its folders.
    pub(crate) fn read_folders(
        &self,
        objects: &Objects<'_>,
    ) -> Result<Option<Modes>, WorktreeError> {
        let Some(blob) = self.folders else { return Ok(None) };
        let bytes = objects.read(blob, ObjectType::Blob)?;
        let modes = Modes::decode(bytes.data());
        modes.map(Some).ok_or_else(|| objects.broken(blob, "no permissions"))
    }

    /// What stood beside its files.
    pub(crate) fn read_left_out(
        &self,
        objects: &Objects<'_>,
    ) -> Result<Option<LeftOut>, WorktreeError> {
        let Some(blob) = self.left_out else { return Ok(None) };
        let bytes = objects.read(blob, ObjectType::Blob)?;
        let left_out = LeftOut::decode(bytes.data());
        left_out.map(Some).ok_or_else(|| objects.broken(blob, "no list of paths"))
    }

    /// Where all refs stood.
    pub(crate) fn read_refs(&self, objects: &Objects<'_>) -> Result<Refs, WorktreeError> {
        let bytes = objects.read(self.refs, ObjectType::Blob)?;
        Refs::decode(bytes.data()).ok_or_else(|| objects.broken(self.refs, "no list of refs"))
    }
}

fn title(name: &SnapshotName) -> String {
    format!("tribunal snapshot {name}")
}

fn entry(name: &str, mode: u32, id: Oid) -> TreeEntry {
    TreeEntry { name: name.as_bytes().to_vec(), mode, id }
}

fn line_after<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix(start))
}

fn read_mtime(text: &str) -> Option<(i64, u32)> {
    let (seconds, nanoseconds) = text.split_once(' ')?;
    Some((seconds.parse().ok()?, nanoseconds.parse().ok()?))
}

fn read_head(text: &str, commit: Option<CommitId>) -> Option<Head> {
    match text.split_once(' ').unwrap_or((text, "")) {
        ("branch", reference) => Some(Head::Branch { reference: reference.to_owned(), commit }),
        ("detached", "") => Some(Head::Detached { commit: commit? }),
        ("absent", "") => Some(Head::Absent),
        _ => None,
    }
}

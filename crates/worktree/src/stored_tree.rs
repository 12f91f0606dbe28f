//! git trees of raw files, written and read without libgit2's checks on names.

use git2::{ObjectType, Oid};

use crate::WorktreeError;
use crate::objects::Objects;

pub(crate) const FILE: u32 = 0o100_644;
pub(crate) const PROGRAM: u32 = 0o100_755;
pub(crate) const LINK: u32 = 0o120_000;
pub(crate) const FOLDER: u32 = 0o40_000;

/// One entry of a stored tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeEntry {
    pub(crate) name: Vec<u8>,
    pub(crate) mode: u32,
    pub(crate) id: Oid,
}

impl TreeEntry {
    pub(crate) fn is_folder(&self) -> bool {
        self.mode == FOLDER
    }

    /// git sorts a folder as if its name ended in `/`.
    fn sort_key(&self) -> impl Iterator<Item = u8> + '_ {
        self.name.iter().copied().chain(self.is_folder().then_some(b'/'))
    }
}

/// Writes a tree; the entries may come in any order.
pub(crate) fn write(
    objects: &Objects<'_>,
    entries: &mut [TreeEntry],
) -> Result<Oid, WorktreeError> {
    entries.sort_unstable_by(|left, right| left.sort_key().cmp(right.sort_key()));
    let mut bytes = Vec::with_capacity(entries.len() * 48);
    for entry in entries.iter() {
        bytes.extend_from_slice(match entry.mode {
            FILE => b"100644 ",
            PROGRAM => b"100755 ",
            LINK => b"120000 ",
            _ => b"40000 ",
        });
        bytes.extend_from_slice(&entry.name);
        bytes.push(0);
        bytes.extend_from_slice(entry.id.as_bytes());
    }
    objects.write(ObjectType::Tree, &bytes)
}

/// Reads a tree, in git's order.
pub(crate) fn read(objects: &Objects<'_>, id: Oid) -> Result<Vec<TreeEntry>, WorktreeError> {
    let object = objects.read(id, ObjectType::Tree)?;
    parse(object.data()).ok_or_else(|| objects.broken(id, "no tree"))
}

/// Finds what stands at a path below a tree.
pub(crate) fn find(
    objects: &Objects<'_>,
    root: Oid,
    path: &[u8],
) -> Result<Option<TreeEntry>, WorktreeError> {
    let mut at = TreeEntry { name: Vec::new(), mode: FOLDER, id: root };
    for name in path.split(|byte| *byte == b'/') {
        if !at.is_folder() {
            return Ok(None);
        }
        match read(objects, at.id)?.into_iter().find(|entry| entry.name == name) {
            Some(entry) => at = entry,
            None => return Ok(None),
        }
    }
    Ok(Some(at))
}

fn parse(mut bytes: &[u8]) -> Option<Vec<TreeEntry>> {
    let mut entries = Vec::new();
    while !bytes.is_empty() {
        let blank = bytes.iter().position(|byte| *byte == b' ')?;
        let mode = u32::from_str_radix(std::str::from_utf8(&bytes[..blank]).ok()?, 8).ok()?;
        bytes = &bytes[blank + 1..];
        let nul = bytes.iter().position(|byte| *byte == 0)?;
        let id = Oid::from_bytes(bytes.get(nul + 1..nul + 21)?).ok()?;
        entries.push(TreeEntry { name: bytes[..nul].to_vec(), mode, id });
        bytes = &bytes[nul + 21..];
    }
    Some(entries)
}

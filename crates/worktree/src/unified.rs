//! Changes as people and agents read them: hunks with their lines.

use git2::{DiffOptions, ObjectType, Patch, RevparseMode};
use tribunal_verify::RepoPath;

use crate::compare::{Difference, Differing, Stored};
use crate::hunks::{LARGEST, is_binary};
use crate::objects::Objects;
use crate::open::Session;
use crate::renames::renames;
use crate::stored_tree::{FILE, PROGRAM};
use crate::{Snapshot, Worktree, WorktreeError};

/// Lines around each change.
const CONTEXT: u32 = 3;

/// What changed in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDiff {
    /// Its path; for a deletion the path that was deleted.
    pub path: RepoPath,
    /// The path it had before, where it was renamed.
    pub was: Option<RepoPath>,
    /// Each hunk with its `@@` line, as in a unified diff; one short note for what has no lines: a
    /// binary file, a link, a mode, a very large file.
    pub hunks: Vec<String>,
}

impl Worktree {
    /// What changed between two snapshots, by path, in hunks with three lines around them. Bytes that
    /// are no UTF-8 are shown as U+FFFD.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::BrokenSnapshot`], [`WorktreeError::Git`].
    pub fn unified(
        &self,
        before: &Snapshot,
        after: &Snapshot,
    ) -> Result<Vec<FileDiff>, WorktreeError> {
        let session = self.session()?;
        let objects = session.objects()?;
        let difference = Difference::between(&objects, before.stored.files, after.stored.files)?;
        let mut differing = difference.files;
        session.drop_newly_ignored(&objects, before, after, &mut differing)?;
        session.file_diffs(&objects, &differing)
    }

    /// What changed along a range of commits (`A..B`, `A...B`); `None` when the text is no range that
    /// this repository knows.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::Git`] when its commits cannot be read.
    pub fn range(&self, text: &str) -> Result<Option<Vec<FileDiff>>, WorktreeError> {
        let session = self.session()?;
        let repository = &session.repository;
        // Whatever git cannot resolve is a description.
        let Ok(range) = repository.revparse(text) else { return Ok(None) };
        let (Some(from), Some(to)) = (range.from(), range.to()) else { return Ok(None) };
        let (Ok(from), Ok(to)) = (from.peel_to_commit(), to.peel_to_commit()) else {
            return Ok(None);
        };
        let refused = |error: git2::Error| session.refused(&error);
        let from = if range.mode().contains(RevparseMode::MERGE_BASE) {
            let base = repository.merge_base(from.id(), to.id()).map_err(refused)?;
            repository.find_commit(base).map_err(refused)?
        } else {
            from
        };
        let objects = session.objects()?;
        let difference = Difference::between(&objects, from.tree_id(), to.tree_id())?;
        session.file_diffs(&objects, &difference.files).map(Some)
    }
}

impl Session<'_> {
    fn file_diffs(
        &self,
        objects: &Objects<'_>,
        differing: &[Differing],
    ) -> Result<Vec<FileDiff>, WorktreeError> {
        let from = renames(objects, differing)?;
        let mut diffs = Vec::new();
        for file in differing {
            let was = from.get(&file.path);
            if file.new.is_none() && from.values().any(|moved| *moved == file.path) {
                continue;
            }
            let before = was.and_then(|was| differing.iter().find(|other| other.path == *was));
            let old = before.map_or(file.old, |before| before.old);
            diffs.push(FileDiff {
                path: RepoPath::new(file.path.clone()),
                was: was.map(|was| RepoPath::new(was.clone())),
                hunks: self.hunk_texts(objects, old, file.new)?,
            });
        }
        Ok(diffs)
    }

    fn hunk_texts(
        &self,
        objects: &Objects<'_>,
        old: Option<Stored>,
        new: Option<Stored>,
    ) -> Result<Vec<String>, WorktreeError> {
        let note = |text: &str| Ok(vec![text.to_owned()]);
        let is_file = |side: &Stored| side.mode == FILE || side.mode == PROGRAM;
        if !old.iter().chain(&new).all(is_file) {
            return note("(a link or a nested repository)");
        }
        if let (Some(old), Some(new)) = (old, new)
            && old.id == new.id
        {
            return note(if old.mode == new.mode { "(renamed)" } else { "(executable bit)" });
        }
        let small = |side: &Stored| objects.size(side.id).is_some_and(|size| size <= LARGEST);
        if !old.iter().chain(&new).all(small) {
            return note("(too large to be shown)");
        }
        let bytes = |side: Option<Stored>| match side {
            Some(side) => Ok(objects.read(side.id, ObjectType::Blob)?.data().to_vec()),
            None => Ok(Vec::new()),
        };
        let (before, after) = (bytes(old)?, bytes(new)?);
        if is_binary(&before) || is_binary(&after) {
            return note("(binary)");
        }
        let hunks = texts(&before, &after).map_err(|error| self.refused(&error))?;
        if hunks.is_empty() { note("(an empty file)") } else { Ok(hunks) }
    }
}

fn texts(old: &[u8], new: &[u8]) -> Result<Vec<String>, git2::Error> {
    let mut options = DiffOptions::new();
    options.context_lines(CONTEXT).force_text(true);
    let patch = Patch::from_buffers(old, None, new, None, Some(&mut options))?;
    let mut hunks = Vec::with_capacity(patch.num_hunks());
    for index in 0..patch.num_hunks() {
        let (hunk, lines) = patch.hunk(index)?;
        let mut text = String::from_utf8_lossy(hunk.header()).into_owned();
        for line in 0..lines {
            let line = patch.line_in_hunk(index, line)?;
            if matches!(line.origin(), ' ' | '+' | '-') {
                text.push(line.origin());
            }
            text += &String::from_utf8_lossy(line.content());
        }
        hunks.push(text.trim_end_matches('\n').to_owned());
    }
    Ok(hunks)
}

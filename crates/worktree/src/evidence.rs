//! What changed between two snapshots, as the judge wants it.

use std::collections::{BTreeMap, BTreeSet};

use git2::ObjectType;
use tribunal_verify::{Change, ChangeKind, Evidence, Hunk, Presence, RepoPath};

use crate::compare::{Difference, Differing, Stored};
use crate::hunks::{differ_in_line_ends_alone, hunks};
use crate::objects::Objects;
use crate::open::Session;
use crate::presence::GitSides;
use crate::renames::renames;
use crate::stored_tree::{FILE, LINK, PROGRAM};
use crate::test_texts::note_weakened_tests;
use crate::{Snapshot, Worktree, WorktreeError};

impl Worktree {
    /// The difference of two snapshots: every path whose bytes, kind or executable bit differ.
    ///
    /// Derived from the snapshots alone, so it can be asked again at any time. A file that is in
    /// one snapshot alone because the ignore rules changed is left out (D12: ignored files never
    /// count). Under `core.fileMode=false` the executable bit says nothing.
    ///
    /// # Errors
    ///
    /// [`WorktreeError::BrokenSnapshot`], [`WorktreeError::Git`].
    pub fn evidence(&self, before: &Snapshot, after: &Snapshot) -> Result<Evidence, WorktreeError> {
        self.session()?.evidence(before, after)
    }
}

impl Session<'_> {
    fn evidence(&self, before: &Snapshot, after: &Snapshot) -> Result<Evidence, WorktreeError> {
        let objects = self.objects()?;
        let difference = Difference::between(&objects, before.stored.files, after.stored.files)?;
        let mut differing = difference.files;
        if differing.is_empty() {
            return Ok(Evidence::default());
        }
        self.drop_newly_ignored(&objects, before, after, &mut differing)?;
        if !self.trusts_modes()? {
            differing.retain(|file| !is_mode_only(file));
        }
        let from = renames(&objects, &differing)?;
        let sides = GitSides::new(&self.repository, &objects, before, after)?;
        let builder = Builder { session: self, objects: &objects, sides: &sides };
        let mut changes = builder.changes(&differing, &from)?;
        note_weakened_tests(&objects, &differing, &mut changes)?;
        Ok(Evidence { changes })
    }

    pub(crate) fn trusts_modes(&self) -> Result<bool, WorktreeError> {
        let config = self.repository.config().map_err(|error| self.refused(&error))?;
        // Where it is not set, git trusts them.
        Ok(config.get_bool("core.fileMode").unwrap_or(true))
    }
}

struct Builder<'b> {
    session: &'b Session<'b>,
    objects: &'b Objects<'b>,
    sides: &'b GitSides<'b>,
}

impl Builder<'_> {
    fn changes(
        &self,
        differing: &[Differing],
        from: &BTreeMap<Vec<u8>, Vec<u8>>,
    ) -> Result<Vec<Change>, WorktreeError> {
        let moved: BTreeSet<&Vec<u8>> = from.values().collect();
        let gone: BTreeMap<&Vec<u8>, Stored> =
            differing.iter().filter_map(|file| Some((&file.path, file.old?))).collect();
        let mut changes = Vec::with_capacity(differing.len());
        for file in differing {
            let change = match (file.old, file.new) {
                (Some(_), None) if moved.contains(&file.path) => continue,
                (None, Some(new)) => match from.get(&file.path) {
                    Some(was) => self.renamed(was, gone.get(was).copied(), file, new)?,
                    None => self.change(file, ChangeKind::Added)?,
                },
                (Some(_), None) => self.change(file, ChangeKind::Deleted)?,
                (Some(old), Some(new)) => self.changed(file, old, new)?,
                (None, None) => continue,
            };
            changes.push(change);
        }
        Ok(changes)
    }

    fn changed(&self, file: &Differing, old: Stored, new: Stored) -> Result<Change, WorktreeError> {
        if is_mode_only(file) {
            return self.change(file, ChangeKind::ModeOnly);
        }
        let mut change = self.change(file, ChangeKind::Modified)?;
        if old.mode != LINK && new.mode != LINK && self.is_readable(old) && self.is_readable(new) {
            let old = self.objects.read(old.id, ObjectType::Blob)?;
            let new = self.objects.read(new.id, ObjectType::Blob)?;
            change.eol_only = differ_in_line_ends_alone(old.data(), new.data());
        }
        Ok(change)
    }

    fn renamed(
        &self,
        was: &[u8],
        old: Option<Stored>,
        file: &Differing,
        new: Stored,
    ) -> Result<Change, WorktreeError> {
        Ok(Change {
            path: RepoPath::new(file.path.clone()),
            was: Some(RepoPath::new(was)),
            kind: ChangeKind::Renamed,
            eol_only: false,
            presence: furthest(self.sides.presence(was), self.sides.presence(&file.path)),
            hunks: self.hunks(old, Some(new))?,
            weakened: Vec::new(),
        })
    }

    fn change(&self, file: &Differing, kind: ChangeKind) -> Result<Change, WorktreeError> {
        Ok(Change {
            path: RepoPath::new(file.path.clone()),
            was: None,
            kind,
            eol_only: false,
            presence: self.sides.presence(&file.path),
            hunks: self.hunks(file.old, file.new)?,
            weakened: Vec::new(),
        })
    }

    fn hunks(&self, old: Option<Stored>, new: Option<Stored>) -> Result<Vec<Hunk>, WorktreeError> {
        let sides = [old, new].into_iter().flatten();
        let same = old.map(|it| it.id) == new.map(|it| it.id);
        if same || !sides.clone().all(|side| side.mode != LINK && self.is_readable(side)) {
            return Ok(Vec::new());
        }
        let bytes = |side: Option<Stored>| match side {
            Some(side) => Ok(self.objects.read(side.id, ObjectType::Blob)?.data().to_vec()),
            None => Ok(Vec::new()),
        };
        hunks(&bytes(old)?, &bytes(new)?).map_err(|error| self.session.refused(&error))
    }

    /// Whether a file is small enough to be held in memory.
    fn is_readable(&self, side: Stored) -> bool {
        self.objects.size(side.id).is_some_and(|size| size <= 64 << 20)
    }
}

fn is_mode_only(file: &Differing) -> bool {
    let is_file = |side: Stored| side.mode == FILE || side.mode == PROGRAM;
    match (file.old, file.new) {
        (Some(old), Some(new)) => old.id == new.id && is_file(old) && is_file(new),
        _ => false,
    }
}

fn furthest(left: Presence, right: Presence) -> Presence {
    let rank = |presence| match presence {
        Presence::Untracked => 0,
        Presence::Tracked => 1,
        Presence::Staged => 2,
        Presence::Committed => 3,
    };
    if rank(left) >= rank(right) { left } else { right }
}

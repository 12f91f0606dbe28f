//! The texts in which tests may have been weakened.

use std::collections::BTreeMap;

use git2::ObjectType;
use tribunal_verify::{Change, ChangeKind, ChangedText, TestsCompared};

use crate::WorktreeError;
use crate::compare::{Differing, Stored};
use crate::hunks::{LARGEST, is_binary};
use crate::objects::Objects;
use crate::stored_tree::LINK;

/// Says of each change which tests in it prove less than before; what is no text, or very large, has
/// none.
pub(crate) fn note_weakened_tests(
    objects: &Objects<'_>,
    differing: &[Differing],
    changes: &mut [Change],
) -> Result<(), WorktreeError> {
    let sides: BTreeMap<&[u8], &Differing> =
        differing.iter().map(|file| (file.path.as_slice(), file)).collect();
    let mut compared = TestsCompared::default();
    for change in &*changes {
        let path = change.path.to_string();
        let has_tests = change.kind != ChangeKind::ModeOnly && TestsCompared::can_read(&path);
        let was = change.was.as_ref().unwrap_or(&change.path);
        let text = |path: &[u8], pick: fn(&Differing) -> Option<Stored>| {
            let stored = sides.get(path).and_then(|file| pick(file)).filter(|_| has_tests);
            text(objects, stored)
        };
        let before = text(was.as_bytes(), |file| file.old)?;
        let after = text(change.path.as_bytes(), |file| file.new)?;
        // Of half a change nothing can be said.
        let (before, after) = before.zip(after).unwrap_or_default();
        compared.add(ChangedText { path: &path, before: &before, after: &after });
    }
    for (change, weakened) in changes.iter_mut().zip(compared.weakened()) {
        change.weakened = weakened;
    }
    Ok(())
}

/// Empty where there is no file, `None` where it is no text.
fn text(objects: &Objects<'_>, stored: Option<Stored>) -> Result<Option<String>, WorktreeError> {
    let Some(stored) = stored else { return Ok(Some(String::new())) };
    if stored.mode == LINK || objects.size(stored.id).is_none_or(|size| size > LARGEST) {
        return Ok(None);
    }
    let object = objects.read(stored.id, ObjectType::Blob)?;
    let is_text = !is_binary(object.data());
    Ok(is_text.then(|| String::from_utf8_lossy(object.data()).into_owned()))
}

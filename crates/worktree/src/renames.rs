//! Which deleted file lives on under another name.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use git2::ObjectType;

use crate::WorktreeError;
use crate::compare::{Differing, Stored};
use crate::hunks::is_binary;
use crate::objects::Objects;
use crate::stored_tree::LINK;

/// Beyond so many pairs only equal contents are matched.
const MOST_PAIRS: usize = 10_000;

/// Larger files are matched by equal content alone.
const LARGEST: usize = 1 << 20;

/// For each added path the deleted path it came from: first by equal content, then by content
/// that is at least half the same, the most similar pair first.
pub(crate) fn renames(
    objects: &Objects<'_>,
    differing: &[Differing],
) -> Result<BTreeMap<Vec<u8>, Vec<u8>>, WorktreeError> {
    let side = |pick: fn(&Differing) -> (Option<Stored>, Option<Stored>)| {
        let mut files = Vec::new();
        for file in differing {
            if let (Some(stored), None) = pick(file) {
                let size = objects.size(stored.id).unwrap_or(0);
                // Empty files are all alike, which says nothing.
                if size > 0 {
                    files.push(Candidate { path: &file.path, stored, size });
                }
            }
        }
        files
    };
    let mut gone = side(|file| (file.old, file.new));
    let mut new = side(|file| (file.new, file.old));
    let mut renames = equal_contents(&mut gone, &mut new);
    if gone.len().saturating_mul(new.len()) <= MOST_PAIRS {
        renames.extend(similar_contents(objects, &gone, &new)?);
    }
    Ok(renames)
}

struct Candidate<'d> {
    path: &'d Vec<u8>,
    stored: Stored,
    size: usize,
}

impl Candidate<'_> {
    fn is_link(&self) -> bool {
        self.stored.mode == LINK
    }
}

fn equal_contents(
    gone: &mut Vec<Candidate<'_>>,
    new: &mut Vec<Candidate<'_>>,
) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let mut renames = BTreeMap::new();
    let mut taken = BTreeSet::new();
    let mut by_content: HashMap<_, Vec<&Candidate<'_>>> = HashMap::new();
    for file in gone.iter() {
        by_content.entry((file.stored.id, file.is_link())).or_default().push(file);
    }
    for file in new.iter() {
        let Some(sources) = by_content.get_mut(&(file.stored.id, file.is_link())) else { continue };
        let same_name = sources.iter().position(|source| name(source.path) == name(file.path));
        if !sources.is_empty() {
            let source = sources.remove(same_name.unwrap_or(0));
            taken.insert(source.path.clone());
            renames.insert(file.path.clone(), source.path.clone());
        }
    }
    gone.retain(|file| !taken.contains(file.path));
    new.retain(|file| !renames.contains_key(file.path));
    renames
}

fn similar_contents(
    objects: &Objects<'_>,
    gone: &[Candidate<'_>],
    new: &[Candidate<'_>],
) -> Result<BTreeMap<Vec<u8>, Vec<u8>>, WorktreeError> {
    let old_lines =
        gone.iter().map(|file| line_bytes(objects, file)).collect::<Result<Vec<_>, _>>()?;
    let new_lines =
        new.iter().map(|file| line_bytes(objects, file)).collect::<Result<Vec<_>, _>>()?;
    let mut pairs = Vec::new();
    for (from, old) in old_lines.iter().enumerate() {
        for (to, fresh) in new_lines.iter().enumerate() {
            let (Some(old), Some(fresh)) = (old, fresh) else { continue };
            let larger = gone[from].size.max(new[to].size);
            if gone[from].size.min(new[to].size) * 2 < larger {
                continue;
            }
            let shared = shared_bytes(old, fresh);
            if shared * 2 >= larger {
                let other_name = name(gone[from].path) != name(new[to].path);
                pairs.push((std::cmp::Reverse(shared * 1000 / larger), other_name, from, to));
            }
        }
    }
    pairs.sort_unstable();
    let (mut used_old, mut used_new) = (BTreeSet::new(), BTreeSet::new());
    let mut renames = BTreeMap::new();
    for (_, _, from, to) in pairs {
        if !used_old.contains(&from) && !used_new.contains(&to) {
            used_old.insert(from);
            used_new.insert(to);
            renames.insert(new[to].path.clone(), gone[from].path.clone());
        }
    }
    Ok(renames)
}

type LineBytes = HashMap<Vec<u8>, usize>;

/// Each line and how many bytes it has in all; `None` for what is not compared by line.
fn line_bytes(
    objects: &Objects<'_>,
    file: &Candidate<'_>,
) -> Result<Option<LineBytes>, WorktreeError> {
    if file.is_link() || file.size > LARGEST {
        return Ok(None);
    }
    let object = objects.read(file.stored.id, ObjectType::Blob)?;
    if is_binary(object.data()) {
        return Ok(None);
    }
    let mut lines = LineBytes::new();
    for line in object.data().split_inclusive(|byte| *byte == b'\n') {
        *lines.entry(line.to_vec()).or_default() += line.len();
    }
    Ok(Some(lines))
}

fn shared_bytes(old: &LineBytes, new: &LineBytes) -> usize {
    old.iter().map(|(line, bytes)| new.get(line).map_or(0, |others| *bytes.min(others))).sum()
}

fn name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}

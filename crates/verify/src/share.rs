//! Which part of a change is the fix of which finding.

use std::collections::BTreeMap;

use tribunal_finding::{FindingId, Place};

use crate::{Change, ChangeKind, FixVerdict, Hunk, Judged, Judgement, RepoPath};

/// How far from a finding's line a hunk may lie and still be its own, in lines.
const NEAR: u32 = 3;

/// A path, or some of its hunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The path.
    pub path: RepoPath,
    /// The hunks, in order; `None` for all that changed there.
    pub hunks: Option<Vec<Hunk>>,
}

/// What of the change is the fix of one finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The finding.
    pub finding_id: FindingId,
    /// What fixes it, and no other finding unless two lie at the same lines.
    pub own: Vec<Piece>,
    /// What else changed in its files and belongs to none of those who claim them: an import, a
    /// function that several fixes call.
    pub shared: Vec<Piece>,
}

/// Shares the changes out among the findings that are fixed, in the judgement's order.
///
/// A file that one finding claims is its own. Of one that several claim, a hunk belongs to those
/// whose line it touches or neighbours (three lines), the nearest of them; a finding without such a
/// hunk has the one nearest to its line. Paths that are new, gone, renamed or without hunks are
/// never split.
pub fn shares(judgement: &Judgement, places: &BTreeMap<FindingId, Place>) -> Vec<Share> {
    let fixed: Vec<&Judged> =
        judgement.findings.iter().filter(|one| one.verdict == FixVerdict::Fixed).collect();
    let mut claims: BTreeMap<&RepoPath, Vec<Claimant>> = BTreeMap::new();
    for judged in &fixed {
        for change in &judged.evidence {
            let line = places.get(&judged.finding_id).filter(|place| is_at(place, change));
            let line = line.and_then(|place| place.line);
            let claimants = claims.entry(&change.path).or_default();
            if !claimants.iter().any(|known| known.id == &judged.finding_id) {
                claimants.push(Claimant { id: &judged.finding_id, line });
            }
        }
    }
    fixed.into_iter().map(|judged| share(judged, &claims)).collect()
}

struct Claimant<'a> {
    id: &'a FindingId,
    line: Option<u32>,
}

fn is_at(place: &Place, change: &Change) -> bool {
    let file = place.file.strip_prefix("./").unwrap_or(&place.file).as_bytes();
    change.path.as_bytes() == file || change.was.as_ref().is_some_and(|was| was.as_bytes() == file)
}

fn share(judged: &Judged, claims: &BTreeMap<&RepoPath, Vec<Claimant<'_>>>) -> Share {
    let finding_id = judged.finding_id.clone();
    let mut share = Share { finding_id, own: Vec::new(), shared: Vec::new() };
    let mut seen: Vec<&RepoPath> = Vec::new();
    for change in &judged.evidence {
        if seen.contains(&&change.path) {
            continue;
        }
        seen.push(&change.path);
        let claimants = &claims[&change.path];
        if claimants.len() < 2 || change.kind != ChangeKind::Modified || change.hunks.is_empty() {
            share.own.push(Piece { path: change.path.clone(), hunks: None });
            share.own.extend(change.was.iter().map(|was| Piece { path: was.clone(), hunks: None }));
            continue;
        }
        let (own, shared) = split(&judged.finding_id, claimants, &change.hunks);
        for (list, hunks) in [(&mut share.own, own), (&mut share.shared, shared)] {
            if !hunks.is_empty() {
                list.push(Piece { path: change.path.clone(), hunks: Some(hunks) });
            }
        }
    }
    share
}

fn split(id: &FindingId, claimants: &[Claimant<'_>], hunks: &[Hunk]) -> (Vec<Hunk>, Vec<Hunk>) {
    let (mut own, mut shared) = (Vec::new(), Vec::new());
    for hunk in hunks {
        let near = claimants.iter().filter_map(|claimant| {
            let distance = distance(hunk, claimant.line?);
            (distance <= NEAR).then_some((distance, claimant.id))
        });
        let near: Vec<(u32, &FindingId)> = near.collect();
        let nearest = near.iter().map(|(distance, _)| *distance).min();
        let owns =
            |(distance, owner): &(u32, &FindingId)| Some(*distance) == nearest && *owner == id;
        if near.iter().any(owns) {
            own.push(*hunk);
        } else if near.is_empty() {
            shared.push(*hunk);
        }
    }
    if own.is_empty() {
        let line = claimants.iter().find(|claimant| claimant.id == id).and_then(|it| it.line);
        match line.and_then(|line| hunks.iter().min_by_key(|hunk| distance(hunk, line))) {
            Some(nearest) => own.push(*nearest),
            // A finding about the whole file: whatever changed in it may be its fix.
            None => own.extend(hunks),
        }
        shared.retain(|hunk| !own.contains(hunk));
    }
    (own, shared)
}

/// Lines between a line of the old text and a hunk; 0 where it touches it.
fn distance(hunk: &Hunk, line: u32) -> u32 {
    let first = hunk.before.start;
    let last = first + hunk.before.count.saturating_sub(1);
    if line < first { first - line } else { line.saturating_sub(last) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AppliedFix, Demand, Evidence, FixReport, LineRange, Owed, Presence, Proof, judge};

    fn hunk(start: u32, count: u32) -> Hunk {
        let range = LineRange { start, count };
        Hunk { before: range, after: range }
    }

    fn change(path: &str, kind: ChangeKind, lines: &[(u32, u32)]) -> Change {
        let hunks = lines.iter().map(|(start, count)| hunk(*start, *count)).collect();
        let (was, presence) = (None, Presence::Tracked);
        Change {
            path: path.into(),
            was,
            kind,
            eol_only: false,
            presence,
            hunks,
            weakened: Vec::new(),
        }
    }

    /// `F1 a.rs:10`: the finding, its place and the file that its fix claims.
    fn check(claims: &[&str], changes: Vec<Change>, expected: &[&str]) {
        let (mut places, mut owed, mut applied) = (BTreeMap::new(), Vec::new(), Vec::new());
        for claim in claims {
            let (id, place) = claim.split_once(' ').expect("two words");
            let (file, line) = place.split_once(':').unwrap_or((place, ""));
            let id = FindingId::new(id).expect("an id");
            let place = Place { file: file.to_owned(), line: line.parse().ok() };
            places.insert(id.clone(), place.clone());
            owed.push(Owed { id: id.clone(), place: Some(place) });
            let file = file.to_owned();
            applied.push(AppliedFix { finding_id: id, file, change: None, test_verified: None });
        }
        let report = FixReport { fixes_applied: applied, ..FixReport::default() };
        let proof = Proof::Evidence(Evidence { changes });
        let judgement = judge(&Demand { owed, fix_all: true }, Some(&report), &proof);
        let words = |pieces: &[Piece]| {
            let word = |piece: &Piece| {
                let lines = piece.hunks.iter().flatten().map(|hunk| hunk.before.start.to_string());
                format!(" {}:{}", piece.path, lines.collect::<Vec<_>>().join(","))
            };
            pieces.iter().map(word).collect::<String>()
        };
        let found: Vec<String> = shares(&judgement, &places)
            .iter()
            .map(|share| {
                let (own, shared) = (words(&share.own), words(&share.shared));
                let also = if shared.is_empty() { "" } else { " with" };
                format!("{}{own}{also}{shared}", share.finding_id)
            })
            .collect();
        assert_eq!(found, expected, "{claims:?}");
    }

    #[test]
    fn a_file_that_one_finding_claims_is_its_own() {
        let modified = |path, lines| change(path, ChangeKind::Modified, lines);
        check(
            &["F1 a.rs:10", "F2 b.rs:3"],
            vec![modified("a.rs", &[(1, 1), (10, 2), (90, 1)]), modified("b.rs", &[(50, 1)])],
            &["F1 a.rs:", "F2 b.rs:"],
        );
        check(&["F1 a.rs"], vec![modified("a.rs", &[(4, 1)])], &["F1 a.rs:"]);
        check(&["F1 a.rs:1"], vec![], &[]);
    }

    #[test]
    fn hunks_of_a_file_go_to_the_finding_they_touch_or_neighbour() {
        let lines: &[(u32, u32)] = &[(1, 0), (10, 2), (30, 1), (90, 1)];
        let modified = || vec![change("a.rs", ChangeKind::Modified, lines)];
        check(
            &["F1 a.rs:11", "F2 a.rs:32"],
            modified(),
            &["F1 a.rs:10 with a.rs:1,90", "F2 a.rs:30 with a.rs:1,90"],
        );
        // None is near to F2: the nearest is its fix.
        check(
            &["F1 a.rs:10", "F2 a.rs:70"],
            modified(),
            &["F1 a.rs:10 with a.rs:1,30,90", "F2 a.rs:90 with a.rs:1,30"],
        );
        check(
            &["F1 a.rs:10", "F2 a.rs:11", "F3 a.rs"],
            modified(),
            &["F1 a.rs:10 with a.rs:1,30,90", "F2 a.rs:10 with a.rs:1,30,90", "F3 a.rs:1,10,30,90"],
        );
    }

    #[test]
    fn what_is_new_or_gone_is_not_split() {
        for kind in [ChangeKind::Added, ChangeKind::Deleted] {
            let changes = vec![change("a.rs", kind, &[(0, 9)])];
            check(&["F1 a.rs:1", "F2 a.rs:8"], changes, &["F1 a.rs:", "F2 a.rs:"]);
        }
    }
}

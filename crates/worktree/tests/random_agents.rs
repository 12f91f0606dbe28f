//! Random agents on random repositories: evidence is what a naive comparison of the folders says,
//! and a restore gives the first tree back byte for byte.
//!
//! `TRIBUNAL_RANDOM_SEED` repeats one sequence (a failure prints it), `TRIBUNAL_RANDOM_COUNT` sets how many there are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use tribunal_test_support::Repo;
use tribunal_verify::ChangeKind;
use tribunal_worktree::{Excluded, Limits, Snapshot, SnapshotName, Worktree};

/// A small generator of its own, so that a printed seed gives the same sequence for ever.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % sides as u64).expect("below a usize")
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

const FOLDERS: [&str; 6] = ["", "src/", "src/deep/", "docs/", "out/", "a b/"];
const NAMES: [&str; 8] = ["a", "b.rs", "c.txt", "über", "run.sh", "x.log", "-dash", "a"];

fn path(dice: &mut Dice) -> String {
    format!("{}{}", dice.pick(&FOLDERS), dice.pick(&NAMES))
}

fn content(dice: &mut Dice) -> String {
    let lines = dice.roll(6);
    let end = if dice.roll(8) == 0 { "\r\n" } else { "\n" };
    (0..lines).map(|_| format!("line {}{end}", dice.roll(4))).collect()
}

/// Makes room for a file where something else may stand.
fn clear(repo: &Repo, path: &str) {
    let mut above = String::new();
    for part in path.split('/') {
        above.push_str(part);
        let full = repo.path(&above);
        match fs::symlink_metadata(&full) {
            Ok(there) if above == path && there.is_dir() => {
                fs::remove_dir_all(full).expect("a folder of ours");
            }
            Ok(there) if above != path && !there.is_dir() => {
                fs::remove_file(full).expect("a file of ours");
            }
            Ok(_) | Err(_) => {}
        }
        above.push('/');
    }
}

fn act(repo: &Repo, dice: &mut Dice) {
    let target = path(dice);
    match dice.roll(16) {
        0..=4 => {
            clear(repo, &target);
            if fs::symlink_metadata(repo.path(&target)).is_ok_and(|it| it.is_symlink()) {
                repo.remove(&target);
            }
            repo.write(&target, content(dice));
        }
        5 => {
            clear(repo, &target);
            let full = repo.path(&target);
            fs::create_dir_all(full.parent().expect("a folder")).expect("there is room");
            if fs::symlink_metadata(&full).is_ok() {
                fs::remove_file(&full).expect("a file of ours");
            }
            symlink(path(dice), full).expect("there is room");
        }
        6 => {
            if fs::symlink_metadata(repo.path(&target)).is_ok_and(|it| !it.is_dir()) {
                repo.remove(&target);
            }
        }
        7 => {
            let to = path(dice);
            if fs::symlink_metadata(repo.path(&target)).is_ok_and(|it| it.is_file()) && to != target
            {
                let kept = fs::read(repo.path(&target)).expect("a file");
                repo.remove(&target);
                clear(repo, &to);
                if fs::symlink_metadata(repo.path(&to)).is_ok() {
                    repo.remove(&to);
                }
                repo.write(&to, kept);
            }
        }
        8 => {
            let mode = [0o644, 0o755, 0o600, 0o664][dice.roll(4)];
            if fs::symlink_metadata(repo.path(&target)).is_ok_and(|it| it.is_file()) {
                fs::set_permissions(repo.path(&target), Permissions::from_mode(mode))
                    .expect("ours");
            }
        }
        9 => {
            let folder = dice.pick(&FOLDERS[1..]).trim_end_matches('/');
            if repo.path(folder).is_dir() {
                fs::remove_dir_all(repo.path(folder)).expect("a folder of ours");
            } else if !repo.path(folder).exists() {
                fs::create_dir_all(repo.path(folder)).unwrap_or_else(|_| clear(repo, folder));
            }
        }
        git => git_act(repo, dice, git, &target),
    }
}

/// Whatever git says: a refusal is an outcome too.
fn git_act(repo: &Repo, dice: &mut Dice, act: usize, target: &str) {
    let branch = dice.pick(&["main", "topic", "other"]);
    let arguments: &[&[&str]] = match act {
        10 => &[&["add", "-A"]],
        11 => &[&["add", "-f", "--", target]],
        12 => &[&["add", "-A"], &["commit", "-q", "--allow-empty", "-m", "x"]],
        13 => match dice.roll(4) {
            0 => &[&["rm", "-q", "-f", "--", target]],
            1 => &[&["rm", "-q", "--cached", "--", target]],
            2 => &[&["reset", "-q"]],
            _ => &[&["reset", "-q", "--hard"]],
        },
        14 => match dice.roll(4) {
            0 => &[&["stash", "-q", "-u"]],
            1 => &[&["stash", "pop", "-q"]],
            2 => &[&["gc", "-q", "--prune=now"]],
            _ => &[&["update-index", "--assume-unchanged", "--", target]],
        },
        _ => match dice.roll(3) {
            0 => &[&["switch", "-q", "-C", branch]],
            1 => &[&["switch", "-q", "-f", branch]],
            _ => &[&["switch", "-q", "--detach"]],
        },
    };
    for arguments in arguments {
        drop(repo.git_outcome(arguments));
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Seen {
    File { mode: u32, content: Vec<u8> },
    Link(Vec<u8>),
    Folder,
}

/// All that stands on disk, but `.git`.
fn picture(root: &Path) -> BTreeMap<String, Seen> {
    let mut picture = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let below = path.strip_prefix(root).expect("below").to_str().expect("UTF-8").to_owned();
            let there = fs::symlink_metadata(&path).expect("it is there");
            if below == ".git" {
                continue;
            }
            let seen = if there.is_dir() {
                open.push(path);
                Seen::Folder
            } else if there.is_symlink() {
                let target = fs::read_link(&path).expect("a link");
                Seen::Link(target.to_str().expect("UTF-8").as_bytes().to_vec())
            } else {
                let content = fs::read(&path).expect("a file");
                Seen::File { mode: there.mode() & 0o777, content }
            };
            picture.insert(below, seen);
        }
    }
    picture
}

fn list(repo: &Repo, arguments: &[&str]) -> BTreeSet<String> {
    let listed = repo.git(&[&["ls-files", "-z"], arguments].concat());
    listed.split('\0').filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

/// What git would list.
struct Visible {
    tracked: BTreeSet<String>,
    /// Tracked, or neither tracked nor ignored.
    all: BTreeSet<String>,
}

impl Visible {
    fn of(repo: &Repo) -> Self {
        let tracked = list(repo, &["--cached"]);
        let all = &tracked | &list(repo, &["--others", "--exclude-standard"]);
        Self { tracked, all }
    }
}

/// Whether the one rule file there is covers a path, in the tree that it stands in.
fn is_ignored(picture: &BTreeMap<String, Seen>, path: &str) -> bool {
    picture.contains_key(".gitignore") && (path.ends_with(".log") || path.starts_with("out/"))
}

fn is_program(mode: u32) -> bool {
    mode & 0o100 != 0
}

/// Path by path, whether bytes, kind or executable bit differ; an untracked file of one side that
/// the other side's rules ignore does not count.
fn naive(old: &Side, new: &Side) -> BTreeSet<String> {
    let content = |side: &Side, path: &String| match side.seen.get(path) {
        Some(Seen::File { mode, content }) => Some((is_program(*mode), true, content.clone())),
        Some(Seen::Link(target)) => Some((false, false, target.clone())),
        Some(Seen::Folder) | None => None,
    };
    let hidden = |here: &Side, there: &Side, path: &String| {
        content(there, path).is_none()
            && !here.tracked.contains(path)
            && is_ignored(&there.all, path)
    };
    let paths: BTreeSet<&String> = old.seen.keys().chain(new.seen.keys()).collect();
    let differ = |path: &&&String| {
        content(old, path) != content(new, path)
            && !hidden(old, new, path)
            && !hidden(new, old, path)
    };
    paths.iter().filter(differ).map(|path| (*path).clone()).collect()
}

/// A tree as git sees it.
struct Side {
    all: BTreeMap<String, Seen>,
    seen: BTreeMap<String, Seen>,
    tracked: BTreeSet<String>,
}

impl Side {
    fn of(repo: &Repo) -> (Self, Visible) {
        let visible = Visible::of(repo);
        let all = picture(repo.root());
        let seen = seen_by(all.clone(), &visible.all);
        (Self { all, seen, tracked: visible.tracked.clone() }, visible)
    }
}

fn seen_by(picture: BTreeMap<String, Seen>, visible: &BTreeSet<String>) -> BTreeMap<String, Seen> {
    picture.into_iter().filter(|(path, _)| visible.contains(path)).collect()
}

fn take(tree: &Worktree, name: &str) -> Snapshot {
    let name = SnapshotName::new(name).expect("a plain name");
    tree.snapshot(&name, &Excluded::default(), &Limits::default()).expect("a snapshot")
}

fn index_of(repo: &Repo) -> Option<(Vec<u8>, i64, i64)> {
    let index = repo.path(".git/index");
    let there = fs::metadata(&index).ok()?;
    Some((fs::read(index).expect("an index"), there.mtime(), there.mtime_nsec()))
}

fn play(seed: u64) {
    let mut dice = Dice(seed);
    let repo = Repo::new();
    if dice.roll(3) > 0 {
        repo.write(".gitignore", "*.log\nout/\n");
    }
    for _ in 0..dice.roll(25) {
        act(&repo, &mut dice);
    }
    let tree = Worktree::open(repo.root()).expect("a repository");
    // The index first: `git ls-files` may not write, but nothing here depends on it.
    let first_index = index_of(&repo);
    let before = take(&tree, "run/1");
    assert_eq!(index_of(&repo), first_index, "the index is the user's");
    let (first, first_visible) = Side::of(&repo);
    let head = repo.read(".git/HEAD");
    let tip = repo.git_outcome(&["rev-parse", "--verify", "-q", "HEAD"]).stdout;

    for _ in 0..1 + dice.roll(12) {
        act(&repo, &mut dice);
    }
    let tree =
        if dice.roll(2) == 0 { tree } else { Worktree::open(repo.root()).expect("still one") };
    let left = take(&tree, "run/2");
    let (second, _) = Side::of(&repo);
    check_evidence(&tree, (&before, &left), &first, &second);

    let before = tree.load(before.name()).expect("it was kept");
    tree.restore(&before, &left, &Excluded::default()).expect("a restore");
    assert_eq!(index_of(&repo), first_index, "the index is as it was");
    assert_eq!(repo.read(".git/HEAD"), head);
    assert_eq!(repo.git_outcome(&["rev-parse", "--verify", "-q", "HEAD"]).stdout, tip);
    let now = picture(repo.root());
    let visible_now = seen_by(now.clone(), &first_visible.all);
    assert_eq!(visible_now, first.seen, "the visible tree is back");
    // Nothing is left of the agent but what the first rules ignore.
    let leftovers: Vec<&String> = now
        .iter()
        .filter(|(path, seen)| **seen != Seen::Folder && !first_visible.all.contains(*path))
        .map(|(path, _)| path)
        .collect();
    for path in leftovers {
        let ignored = repo.git_outcome(&["check-ignore", "-q", "--no-index", "--", path]);
        assert!(ignored.status.success(), "{path} is left over");
    }
    assert!(tree.drift(&before, &take(&tree, "run/3")).expect("both are kept").is_none());
    repo.git(&["fsck", "--strict", "--no-dangling", "--connectivity-only"]);
}

fn check_evidence(
    tree: &Worktree,
    (before, after): (&Snapshot, &Snapshot),
    old: &Side,
    new: &Side,
) {
    let evidence = tree.evidence(before, after).expect("evidence");
    let mut paths = BTreeSet::new();
    for change in &evidence.changes {
        let path = change.path.to_string();
        let kind = match (old.seen.get(&path), new.seen.get(&path)) {
            (None | Some(Seen::Folder), Some(_)) => match &change.was {
                Some(was) => {
                    assert!(!new.seen.contains_key(&was.to_string()), "{was} is still there");
                    paths.insert(was.to_string());
                    ChangeKind::Renamed
                }
                None => ChangeKind::Added,
            },
            (Some(_), None | Some(Seen::Folder)) => ChangeKind::Deleted,
            (Some(Seen::File { content: old, .. }), Some(Seen::File { content: new, .. }))
                if old == new =>
            {
                ChangeKind::ModeOnly
            }
            (Some(_), Some(_)) => ChangeKind::Modified,
            (None, None) => panic!("{path} is in neither tree"),
        };
        assert_eq!(change.kind, kind, "{path}");
        assert!(paths.insert(path), "one change a path");
    }
    assert_eq!(paths, naive(old, new));
    assert!(evidence.changes.is_sorted_by(|left, right| left.path < right.path));
}

/// One share of the sequences; four run at a time.
fn play_share(share: u64) {
    const SHARES: u64 = 4;
    let number = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let seeds: Vec<u64> = match number("TRIBUNAL_RANDOM_SEED") {
        Some(seed) => vec![seed],
        None => (0..number("TRIBUNAL_RANDOM_COUNT").unwrap_or(200)).collect(),
    };
    for seed in seeds.into_iter().filter(|seed| seed % SHARES == share) {
        if let Err(panic) = std::panic::catch_unwind(|| play(seed)) {
            eprintln!("repeat with TRIBUNAL_RANDOM_SEED={seed}");
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn evidence_is_the_naive_difference_and_a_restore_is_exact_1_of_4() {
    play_share(0);
}

#[test]
fn evidence_is_the_naive_difference_and_a_restore_is_exact_2_of_4() {
    play_share(1);
}

#[test]
fn evidence_is_the_naive_difference_and_a_restore_is_exact_3_of_4() {
    play_share(2);
}

#[test]
fn evidence_is_the_naive_difference_and_a_restore_is_exact_4_of_4() {
    play_share(3);
}

//! `cargo fuzz run --sanitizer none index`: git's index file, and the paths in it.

#![no_main]

#[path = "../../crates/worktree/src/index_file.rs"]
#[expect(dead_code, reason = "what only a work tree asks of it")]
mod index_file;
#[path = "../../crates/worktree/src/index_reader.rs"]
mod index_reader;

use index_file::IndexFile;
use libfuzzer_sys::fuzz_target;
use tribunal_verify::RepoPath;

fuzz_target!(|raw: &[u8]| {
    // The first byte chooses the version and the number of entries, which are seldom guessed.
    let Some((first, rest)) = raw.split_first() else { return };
    let version = 2 + u32::from(first % 3);
    let count = u32::from(first / 3 % 8);
    let bytes = [b"DIRC", &version.to_be_bytes()[..], &count.to_be_bytes(), rest].concat();
    let Ok(index) = IndexFile::read(&bytes, (0, 0)) else { return };
    let entries = index.entries();
    assert_eq!(entries.len(), count as usize);
    let paths: Vec<&[u8]> = entries.iter().map(|entry| index.path_of(entry)).collect();
    let found = index.below(0..entries.len(), b"src/");
    if paths.is_sorted() {
        assert!(paths.iter().all(|path| index.find(path).is_some()));
        let below = paths.iter().filter(|path| path.starts_with(b"src/")).count();
        assert_eq!(found.len(), below);
    }
    for path in paths {
        let path = RepoPath::new(path);
        let json = serde_json::to_string(&path).expect("a path is plain data");
        assert_eq!(serde_json::from_str::<RepoPath>(&json).ok(), Some(path), "{json}");
    }
});

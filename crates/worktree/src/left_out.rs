//! What stood in the tree of a snapshot and is no part of it.

use std::collections::BTreeMap;

/// The paths that a walk met and left out; a folder ends in `/` and stands for all below it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct LeftOut(BTreeMap<Vec<u8>, Why>);

/// Why a path was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// The ignore rules cover it.
    Ignored,
    /// A pipe, socket or device, which has no content.
    Special,
    /// The `.git` of a submodule or nested repository.
    Repository,
}

impl LeftOut {
    pub(crate) fn note(&mut self, path: &[u8], why: Why) {
        self.0.insert(path.to_vec(), why);
    }

    /// Whether a path was ignored, or a folder above it; a folder has its closing `/`.
    pub(crate) fn ignored(&self, path: &[u8]) -> bool {
        let folders = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let mut places = folders.map(|(at, _)| &path[..=at]).chain([path]);
        places.any(|place| self.0.get(place) == Some(&Why::Ignored))
    }

    /// The paths that were left out for a reason.
    pub(crate) fn of(&self, why: Why) -> impl Iterator<Item = &[u8]> {
        let paths = self.0.iter().filter(move |(_, its)| **its == why);
        paths.map(|(path, _)| path.as_slice())
    }

    /// Whether the path itself was left out for the reason.
    pub(crate) fn has(&self, path: &[u8], why: Why) -> bool {
        self.0.get(path) == Some(&why)
    }

    /// One `LETTER PATH NUL` each.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (path, why) in &self.0 {
            bytes.extend_from_slice(&[why.letter(), b' ']);
            bytes.extend_from_slice(path);
            bytes.push(0);
        }
        bytes
    }

    /// Reads what [`Self::encode`] wrote.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut paths = BTreeMap::new();
        for line in bytes.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
            let [letter, b' ', path @ ..] = line else { return None };
            paths.insert(path.to_vec(), Why::of(*letter)?);
        }
        Some(Self(paths))
    }
}

impl Why {
    fn letter(self) -> u8 {
        match self {
            Self::Ignored => b'i',
            Self::Special => b's',
            Self::Repository => b'r',
        }
    }

    fn of(letter: u8) -> Option<Self> {
        [Self::Ignored, Self::Special, Self::Repository]
            .into_iter()
            .find(|why| why.letter() == letter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> LeftOut {
        let mut left_out = LeftOut::default();
        for (path, why) in [
            (&b"a.log"[..], Why::Ignored),
            (b"out/", Why::Ignored),
            (b"src/deep er/\xe9\n/", Why::Ignored),
            (b"pipe", Why::Special),
            (b"sub/.git", Why::Repository),
        ] {
            left_out.note(path, why);
        }
        left_out
    }

    #[test]
    fn it_reads_back() {
        assert_eq!(LeftOut::decode(&some().encode()), Some(some()));
        assert_eq!(LeftOut::decode(b""), Some(LeftOut::default()));
        assert_eq!(LeftOut::decode(b"x a\0"), None);
        assert_eq!(LeftOut::decode(b"i"), None);
    }

    #[test]
    fn an_ignored_folder_stands_for_all_below_it_and_for_nothing_else() {
        for path in [&b"a.log"[..], b"out/", b"out/x", b"out/deep/", b"src/deep er/\xe9\n/x"] {
            assert!(some().ignored(path), "{path:?}");
        }
        for path in [&b"a.log/"[..], b"a.log/x", b"out", b"outer", b"src/", b"pipe", b"sub/.git"] {
            assert!(!some().ignored(path), "{path:?}");
        }
    }
}

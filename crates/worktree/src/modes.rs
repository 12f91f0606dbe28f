//! Permission bits that a git tree cannot hold.

use std::collections::BTreeMap;

/// The permissions of all regular files: those of the first plain file and the first program stand
/// for the rest, and every file that differs is listed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Modes {
    plain: Option<u32>,
    program: Option<u32>,
    odd: BTreeMap<Vec<u8>, u32>,
}

impl Modes {
    /// Takes note of a file's permission bits.
    pub(crate) fn note(&mut self, path: &[u8], bits: u32) {
        let usual = if is_program(bits) { &mut self.program } else { &mut self.plain };
        if *usual.get_or_insert(bits) != bits {
            self.odd.insert(path.to_vec(), bits);
        }
    }

    /// Takes note of a folder's permission bits; folders have a value of their own, in which
    /// every folder counts as a program.
    pub(crate) fn note_folder(&mut self, path: &[u8], bits: u32) {
        if *self.program.get_or_insert(bits) != bits {
            self.odd.insert(path.to_vec(), bits);
        }
    }

    /// The permission bits of a folder; `None` when no folder was noted.
    pub(crate) fn of_folder(&self, path: &[u8]) -> Option<u32> {
        self.odd.get(path).copied().or(self.program)
    }

    /// The permission bits of a file.
    pub(crate) fn of(&self, path: &[u8], program: bool) -> u32 {
        match self.odd.get(path) {
            Some(bits) if is_program(*bits) == program => *bits,
            _ if program => self.program.unwrap_or(0o755),
            _ => self.plain.unwrap_or(0o644),
        }
    }

    /// The paths whose permissions may differ between the two; `None` says that any may.
    pub(crate) fn suspects<'a>(&'a self, other: &'a Self) -> Option<Vec<&'a [u8]>> {
        let same_usual = self.plain == other.plain && self.program == other.program;
        let odd = self.odd.keys().chain(other.odd.keys()).map(Vec::as_slice);
        same_usual.then(|| odd.collect())
    }

    /// One line for the usual bits, then `BITS PATH NUL` for each odd file.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let usual = |bits: Option<u32>| bits.map_or("-".to_owned(), |bits| format!("{bits:o}"));
        let mut bytes = format!("{} {}\n", usual(self.plain), usual(self.program)).into_bytes();
        for (path, bits) in &self.odd {
            bytes.extend_from_slice(format!("{bits:o} ").as_bytes());
            bytes.extend_from_slice(path);
            bytes.push(0);
        }
        bytes
    }

    /// Reads what [`Self::encode`] wrote.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (plain, program) = std::str::from_utf8(&bytes[..end]).ok()?.split_once(' ')?;
        let mut modes =
            Self { plain: usual(plain)?, program: usual(program)?, odd: BTreeMap::new() };
        for line in bytes[end + 1..].split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
            let blank = line.iter().position(|byte| *byte == b' ')?;
            modes.odd.insert(line[blank + 1..].to_vec(), octal(&line[..blank])?);
        }
        Some(modes)
    }
}

/// git's rule: the owner may run it.
pub(crate) fn is_program(bits: u32) -> bool {
    bits & 0o100 != 0
}

fn usual(word: &str) -> Option<Option<u32>> {
    if word == "-" { Some(None) } else { octal(word.as_bytes()).map(Some) }
}

fn octal(digits: &[u8]) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_of_folders_read_back() {
        let folders: [(&[u8], u32); 4] =
            [(b"", 0o600), (b"a", 0o755), (b"a/b", 0o000), (b"c", 0o2775)];
        let mut modes = Modes::default();
        assert_eq!(modes.of_folder(b"a"), None);
        for (path, bits) in folders {
            modes.note_folder(path, bits);
        }
        let again = Modes::decode(&modes.encode()).unwrap();
        for (path, bits) in folders {
            assert_eq!(again.of_folder(path), Some(bits));
        }
    }

    #[test]
    fn permissions_read_back_for_every_path() {
        let files: [(&[u8], u32); 5] = [
            (b"a", 0o664),
            (b"b c\nd", 0o600),
            (b"run", 0o775),
            (b"caf\xe9", 0o4755),
            (b"z", 0o664),
        ];
        let mut modes = Modes::default();
        for (path, bits) in files {
            modes.note(path, bits);
        }
        let again = Modes::decode(&modes.encode()).unwrap();
        assert_eq!(again, modes);
        for (path, bits) in files {
            assert_eq!(again.of(path, is_program(bits)), bits);
        }
    }
}

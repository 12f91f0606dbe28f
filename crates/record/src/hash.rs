//! SHA-256, as records and artifacts are named by it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tribunal_phase::ArtifactId;

/// A SHA-256; written as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Hash([u8; 32]);

impl Hash {
    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The id of the artifact whose content has this hash.
    pub fn artifact(self) -> ArtifactId {
        ArtifactId::new(self.to_string())
    }
}

/// Computes a [`Hash`] over bytes that come in pieces.
#[derive(Debug, Clone, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Takes the next piece.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of all pieces.
    pub fn finish(self) -> Hash {
        Hash(self.0.finalize().into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({self})")
    }
}

/// A text that is no hash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no SHA-256 in lower-case hex")]
pub struct BadHash;

impl FromStr for Hash {
    type Err = BadHash;

    /// Reads what `Display` writes and nothing else, so that one hash has one name.
    fn from_str(text: &str) -> Result<Self, BadHash> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return Err(BadHash);
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = hex_digit(pair[0])? << 4 | hex_digit(pair[1])?;
        }
        Ok(Self(bytes))
    }
}

fn hex_digit(digit: u8) -> Result<u8, BadHash> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => Err(BadHash),
    }
}

impl From<Hash> for String {
    fn from(hash: Hash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for Hash {
    type Error = BadHash;

    fn try_from(text: String) -> Result<Self, BadHash> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn a_hash_has_one_name() {
        assert_eq!(Hash::of(b"").to_string(), EMPTY);
        assert_eq!(EMPTY.parse(), Ok(Hash::of(b"")));
        for text in ["", &EMPTY[1..], &EMPTY.to_uppercase(), &EMPTY.replace('e', "g")] {
            assert_eq!(text.parse::<Hash>(), Err(BadHash), "{text}");
        }
    }

    #[test]
    fn pieces_hash_like_the_whole() {
        let mut hasher = Hasher::default();
        hasher.update(b"one ");
        hasher.update(b"two");
        assert_eq!(hasher.finish(), Hash::of(b"one two"));
    }
}

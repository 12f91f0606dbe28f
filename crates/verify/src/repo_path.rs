//! A path in the repository, byte for byte.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A path relative to the repository root, with `/`, exactly as the file system has it.
///
/// Shown with U+FFFD for bytes that are no UTF-8. In JSON it is a text where the bytes are UTF-8
/// and a list of bytes otherwise, so that it always reads back as the same path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(Vec<u8>);

impl RepoPath {
    /// Takes the bytes of a path as they are.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    /// The exact bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for RepoPath {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(&self.0))
    }
}

impl Serialize for RepoPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => serializer.collect_seq(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for RepoPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextOrBytes)
    }
}

struct TextOrBytes;

impl<'de> Visitor<'de> for TextOrBytes {
    type Value = RepoPath;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a path as text or as a list of bytes")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<RepoPath, E> {
        Ok(RepoPath::new(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut bytes: A) -> Result<RepoPath, A::Error> {
        let mut path = Vec::new();
        while let Some(byte) = bytes.next_element()? {
            path.push(byte);
        }
        Ok(RepoPath(path))
    }
}

impl JsonSchema for RepoPath {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RepoPath".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A path relative to the repository root; a list of bytes where it is no UTF-8.",
            "anyOf": [
                { "type": "string" },
                { "type": "array", "items": { "type": "integer", "minimum": 0, "maximum": 255 } },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_read_back_as_the_same_path() {
        for bytes in [&b"src/a.rs"[..], "über blick.md".as_bytes(), b"caf\xe9/x", b"", b"\xff"] {
            let path = RepoPath::new(bytes);
            let json = serde_json::to_string(&path).unwrap();
            assert_eq!(serde_json::from_str::<RepoPath>(&json).unwrap(), path, "{json}");
        }
    }

    #[test]
    fn a_name_is_shown_as_it_is_and_never_quoted() {
        assert_eq!(RepoPath::from("über blick.md").to_string(), "über blick.md");
        assert_eq!(RepoPath::new(&b"caf\xe9"[..]).to_string(), "caf\u{fffd}");
    }
}

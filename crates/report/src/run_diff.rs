//! What a run changed, for programs.

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use tribunal_finding::FindingId;

use crate::json::inert_json;

/// What a run, or the fix of one finding, changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "run-diff")]
pub struct RunDiff {
    /// The run.
    pub run: String,
    /// The finding; null where the whole run is meant.
    pub finding: Option<FindingId>,
    /// The paths in it.
    pub paths: Vec<String>,
    /// A unified diff that `git apply` takes; empty when nothing changed.
    #[serde(serialize_with = "text_or_bytes")]
    #[schemars(with = "TextOrBytes")]
    pub patch: Vec<u8>,
    /// What is not in it, and what in it is not the run's.
    pub notes: Vec<String>,
}

/// A text, or a list of bytes where it is no UTF-8.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum TextOrBytes {
    /// UTF-8.
    Text(String),
    /// Anything else.
    Bytes(Vec<u8>),
}

fn text_or_bytes<S: serde::Serializer>(patch: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let patch = match String::from_utf8(patch.to_vec()) {
        Ok(text) => TextOrBytes::Text(text),
        Err(error) => TextOrBytes::Bytes(error.into_bytes()),
    };
    patch.serialize(serializer)
}

/// JSON Schema of what `runs diff --json` prints.
pub fn run_diff_schema() -> Schema {
    schema_for!(RunDiff)
}

/// Writes it as JSON, indented, with a line end.
pub fn run_diff_json(diff: &RunDiff) -> String {
    inert_json(&serde_json::to_string_pretty(diff).expect("texts and lists can be written"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_reads_back_byte_for_byte() {
        for patch in [&b"-a\r\n+\x1b[2J ## \n"[..], b"-\xff\n+\x00\n", b""] {
            let diff = RunDiff {
                run: "r1".to_owned(),
                finding: FindingId::new("F1"),
                paths: vec!["a".to_owned()],
                patch: patch.to_owned(),
                notes: Vec::new(),
            };
            let json: serde_json::Value =
                serde_json::from_str(&run_diff_json(&diff)).expect("JSON");
            let read = match &json["patch"] {
                serde_json::Value::String(text) => text.clone().into_bytes(),
                bytes => serde_json::from_value(bytes.clone()).expect("bytes"),
            };
            assert_eq!(read, patch);
        }
    }
}

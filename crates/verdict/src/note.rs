//! What a reader should know about an extraction besides its answer.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::EnvelopeName;

/// One remark on an extraction; its `Display` is one plain sentence.
///
/// Serialised as `{"note": WORD}`, with the remark's own value under `detail`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "note", content = "detail", rename_all = "snake_case")]
pub enum Note {
    /// Bytes that are not UTF-8 were replaced by U+FFFD (D1).
    ReplacedBytes,
    /// The answer was unwrapped from an agent's envelope (D4).
    Envelope(EnvelopeName),
    /// The event stream has no closing event; its last answer was read all the same.
    Unfinished,
    /// The envelope reports an error of the agent (D4): a fault, never an answer.
    AgentError(String),
    /// Only the end of a very long text was walked (D5).
    Capped {
        /// Bytes that were walked.
        kept: usize,
        /// Bytes before them that were not.
        dropped: usize,
    },
    /// A bare array of entries was taken as the list (D5).
    BareArray,
    /// The object was found inside another one, made up or unfinished (D3).
    Wrapped,
    /// Two objects with the wanted key were found that are written differently, blanks aside (D3).
    Conflict,
}

impl Note {
    /// The error, where the note is about one.
    pub(crate) fn as_agent_error(&self) -> Option<&str> {
        match self {
            Self::AgentError(message) => Some(message),
            Self::ReplacedBytes
            | Self::Envelope(_)
            | Self::Unfinished
            | Self::Capped { .. }
            | Self::BareArray
            | Self::Wrapped
            | Self::Conflict => None,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReplacedBytes => f.write_str("bytes that are not UTF-8 were replaced by U+FFFD"),
            Self::Envelope(name) => write!(f, "the answer was unwrapped from {name}"),
            Self::Unfinished => f.write_str("the event stream has no closing event"),
            Self::AgentError(message) => write!(f, "the agent reported an error: {message}"),
            Self::Capped { kept, dropped } => {
                write!(
                    f,
                    "only the last {kept} bytes were searched, {dropped} before them were not"
                )
            }
            Self::BareArray => f.write_str("a bare array of entries was taken as the list"),
            Self::Wrapped => f.write_str("the answer stood inside another object"),
            Self::Conflict => f.write_str(
                "two different answers were found; the last one with well-formed entries counts",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(note: &Note, json: &str, sentence: &str) {
        assert_eq!(serde_json::to_string(note).expect("plain data"), json);
        assert_eq!(&serde_json::from_str::<Note>(json).expect("what was written"), note);
        assert_eq!(note.to_string(), sentence);
    }

    #[test]
    fn notes_are_words_in_records_and_sentences_for_people() {
        check(
            &Note::Conflict,
            r#"{"note":"conflict"}"#,
            "two different answers were found; the last one with well-formed entries counts",
        );
        check(
            &Note::Envelope(EnvelopeName::Codex),
            r#"{"note":"envelope","detail":"codex"}"#,
            "the answer was unwrapped from a codex event stream",
        );
        check(
            &Note::AgentError("HTTP 429".to_owned()),
            r#"{"note":"agent_error","detail":"HTTP 429"}"#,
            "the agent reported an error: HTTP 429",
        );
        check(
            &Note::Capped { kept: 10, dropped: 3 },
            r#"{"note":"capped","detail":{"kept":10,"dropped":3}}"#,
            "only the last 10 bytes were searched, 3 before them were not",
        );
    }
}

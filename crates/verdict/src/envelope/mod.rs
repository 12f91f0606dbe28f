//! The envelopes in which agent command lines hand over an answer (D4).

mod stream;
mod table;

use std::fmt;

use memchr::{memchr, memmem, memrchr};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::Note;
use crate::members::{elements, string, whole_object};
use stream::Stream;

/// Whose envelope an answer came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EnvelopeName {
    /// A result object, an event stream or an array of events, as claude prints them; qwen and
    /// cursor print the same.
    Claude,
    /// The event stream of `codex exec --json`.
    Codex,
    /// The event stream of pi.
    Pi,
    /// The response object or the event stream of gemini.
    Gemini,
    /// The event stream of opencode.
    Opencode,
    /// The event stream of copilot.
    Copilot,
    /// One JSON string that holds the answer.
    JsonString,
}

impl fmt::Display for EnvelopeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Claude => "a claude result",
            Self::Codex => "a codex event stream",
            Self::Pi => "a pi event stream",
            Self::Gemini => "a gemini response",
            Self::Opencode => "an opencode event stream",
            Self::Copilot => "a copilot event stream",
            Self::JsonString => "a JSON string",
        })
    }
}

/// What an envelope holds.
#[derive(Debug)]
pub(crate) struct Reply<'a> {
    pub(crate) name: EnvelopeName,
    /// Whether the event that closes such an envelope was there.
    pub(crate) is_closed: bool,
    pub(crate) content: Content<'a>,
}

#[derive(Debug)]
pub(crate) enum Content<'a> {
    /// The agent could not run to its end; the reason in its own words.
    Failed(String),
    /// The final text, and the object beside it where the agent was given a schema.
    Said { text: String, structured: Option<&'a RawValue> },
}

impl Reply<'_> {
    /// What a reader should know about where the answer came from.
    pub(crate) fn notes(&self) -> impl Iterator<Item = Note> {
        let failure = match &self.content {
            Content::Failed(reason) => Some(Note::AgentError(reason.clone())),
            Content::Said { .. } => None,
        };
        let cut = (!self.is_closed).then_some(Note::Unfinished);
        [Some(Note::Envelope(self.name)), cut, failure].into_iter().flatten()
    }
}

/// Reads one object as an envelope.
pub(crate) fn of_object(object: &str) -> Option<Reply<'_>> {
    // Most objects are none, which takes less than reading them: no program escapes these keys.
    let keys = ["\"type\"", "\"response\"", "\"error\""];
    keys.iter().find(|key| memmem::find(object.as_bytes(), key.as_bytes()).is_some())?;
    let mut stream = Stream::default();
    table::read(&mut stream, whole_object(object)?);
    stream.close()
}

/// Reads an array of events.
pub(crate) fn of_array(array: &str) -> Option<Reply<'_>> {
    let mut stream = Stream::default();
    elements(array, |event| {
        table::read(&mut stream, event);
        std::ops::ControlFlow::Continue(())
    });
    stream.close()
}

/// Reads the lines that are one object each as events; other lines are noise.
pub(crate) fn of_lines(text: &str) -> Option<Reply<'_>> {
    let mut stream = Stream::default();
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(offset) = memchr(b'{', &bytes[from..]) {
        let brace = from + offset;
        let start = memrchr(b'\n', &bytes[from..brace]).map_or(from, |at| from + at + 1);
        let end = memchr(b'\n', &bytes[brace..]).map_or(bytes.len(), |at| brace + at);
        // A line that is no object is noise between the events.
        if text[start..brace].trim().is_empty()
            && let Some(event) = whole_object(text[brace..end].trim_end())
        {
            table::read(&mut stream, event);
        }
        from = end;
    }
    stream.close()
}

/// Reads a text that is one JSON string.
pub(crate) fn of_string(text: &str) -> Option<Reply<'_>> {
    if !text.starts_with('"') || !text.ends_with('"') {
        return None;
    }
    // A text that merely starts and ends with quotes is no envelope.
    let inner = string(serde_json::from_str(text).ok()?)?;
    Some(Reply {
        name: EnvelopeName::JsonString,
        is_closed: true,
        content: Content::Said { text: inner, structured: None },
    })
}

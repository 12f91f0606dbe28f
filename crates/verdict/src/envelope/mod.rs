//! The envelopes in which agent command lines hand over an answer (D4).

mod stream;
mod table;

use std::fmt;

use memchr::{memchr, memmem, memrchr};
use serde::{Deserialize, Serialize};

use crate::Note;
use crate::broken::find_near;
use crate::json::Json;
use crate::strict::whole_object;
use crate::text::string_end;
use crate::trail::Trail;
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
    Said { text: String, structured: Option<Json<'a>> },
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

/// What no event and no response object of an agent is without; none of these programs escapes it.
const MARKS: [&str; 3] = ["\"type\"", "\"response\"", "\"error\""];

/// Reads one object as an envelope.
pub(crate) fn of_object(object: &str) -> Option<Reply<'_>> {
    let mut stream = Stream::default();
    has_mark(object).then(|| table::read(&mut stream, Json::valid(object)))?;
    stream.close()
}

/// Reads an array of events.
pub(crate) fn of_array(array: &str) -> Option<Reply<'_>> {
    let mut stream = Stream::default();
    if has_mark(array) {
        Json::valid(array).elements().for_each(|event| table::read(&mut stream, event));
    }
    stream.close()
}

/// Reads the lines that are one object each as events; other lines are noise.
pub(crate) fn of_lines(text: &str) -> Option<Reply<'_>> {
    has_mark(text).then_some(())?;
    let mut stream = Stream::default();
    let mut trail = Trail::default();
    let bytes = text.as_bytes();
    let next = |wanted: u8, from: usize| {
        find_near(&bytes[from..], |byte| byte == wanted, |rest| memchr(wanted, rest))
            .map(|offset| from + offset)
    };
    let mut from = 0;
    while let Some(brace) = next(b'{', from) {
        let start = memrchr(b'\n', &bytes[from..brace]).map_or(from, |at| from + at + 1);
        let end = next(b'\n', brace).unwrap_or(bytes.len());
        // A line that is no object is noise between the events.
        if text[start..brace].trim().is_empty()
            && let Some(event) = whole_object(text[brace..end].trim_end(), &mut trail)
        {
            table::read(&mut stream, event);
        }
        from = end;
    }
    stream.close()
}

/// Whether there can be an event in the text; asking takes far less than reading.
fn has_mark(text: &str) -> bool {
    MARKS.iter().any(|mark| memmem::find(text.as_bytes(), mark.as_bytes()).is_some())
}

/// Reads a text that is one JSON string.
pub(crate) fn of_string(text: &str) -> Option<Reply<'_>> {
    // A text that merely starts and ends with quotes is no envelope.
    let is_string =
        text.starts_with('"') && string_end(text.as_bytes(), 0, &mut Some(0)) == Ok(text.len());
    let inner = is_string.then(|| Json::valid(text).string())??;
    Some(Reply {
        name: EnvelopeName::JsonString,
        is_closed: true,
        content: Content::Said { text: inner.into_owned(), structured: None },
    })
}

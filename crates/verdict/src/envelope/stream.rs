//! What the events of one agent add up to.

use std::borrow::Cow;

use super::{Content, EnvelopeName, Reply};
use crate::json::Json;

/// The events read so far; the final text is that of the last event that has one.
#[derive(Debug, Default)]
pub(super) struct Stream<'a> {
    name: Option<EnvelopeName>,
    said: Vec<Json<'a>>,
    next_replaces: bool,
    structured: Option<Json<'a>>,
    failure: Option<String>,
    is_closed: bool,
}

impl<'a> Stream<'a> {
    /// Claims the stream for an agent; false when the events so far are another's.
    pub(super) fn claim(&mut self, name: EnvelopeName) -> bool {
        *self.name.get_or_insert(name) == name
    }

    pub(super) fn is(&self, name: EnvelopeName) -> bool {
        self.name == Some(name)
    }

    /// Replaces the final text by a JSON string or by a list of content blocks.
    pub(super) fn say(&mut self, content: Json<'a>) {
        self.said.clear();
        self.next_replaces = false;
        self.said.push(content);
    }

    /// Adds to the final text, or replaces it after `start_over`.
    pub(super) fn say_more(&mut self, content: Json<'a>) {
        if self.next_replaces {
            self.say(content);
        } else {
            self.said.push(content);
        }
    }

    /// Makes the next text replace what was said: it belongs to a later turn.
    pub(super) fn start_over(&mut self) {
        self.next_replaces = true;
    }

    pub(super) fn hand_over(&mut self, structured: Json<'a>) {
        self.structured = Some(structured);
    }

    /// Closes in good order; an error that the agent got over no longer counts.
    pub(super) fn finish(&mut self) {
        self.failure = None;
        self.is_closed = true;
    }

    /// Records an error with the first reason that says anything.
    pub(super) fn fail(&mut self, reasons: &[Option<Json<'_>>]) {
        let reason = reasons.iter().flatten().find_map(|reason| {
            let text = reason.string().unwrap_or_else(|| Cow::Borrowed(reason.get()));
            let text = text.trim();
            (!text.is_empty()).then(|| text.to_owned())
        });
        self.failure = Some(reason.unwrap_or_else(|| "no reason given".to_owned()));
        self.is_closed = true;
    }

    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    pub(super) fn close(self) -> Option<Reply<'a>> {
        let name = self.name?;
        let text: String = self.said.iter().map(|content| text_of(*content)).collect();
        let is_silent = text.trim().is_empty() && self.structured.is_none();
        let content = match self.failure {
            Some(reason) => Content::Failed(reason),
            None if is_silent && !self.is_closed => {
                Content::Failed("its events end before an answer".to_owned())
            }
            None => Content::Said { text, structured: self.structured },
        };
        Some(Reply { name, is_closed: self.is_closed, content })
    }
}

/// The text of a JSON string, or the texts of a list of content blocks one after the other.
fn text_of(content: Json<'_>) -> Cow<'_, str> {
    if let Some(text) = content.string() {
        return text;
    }
    let blocks = content.elements().filter_map(|block| block.pick(["text"])[0]?.string());
    Cow::Owned(blocks.collect())
}

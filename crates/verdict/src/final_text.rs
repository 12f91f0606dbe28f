//! The final text of an agent whose answer is prose.

use std::borrow::Cow;

use crate::envelope::{self, Content, Reply};
use crate::json::Json;
use crate::strict::whole_object;
use crate::trail::Trail;
use crate::walk::{WALK_MAX, Walk};
use crate::{Note, Wanted, edges};

/// What an agent said in the end, and what is worth saying about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalText {
    /// The text without the blanks around it; empty when the agent failed.
    pub text: String,
    /// Remarks: replaced bytes, the envelope, the error that it reports.
    pub notes: Vec<Note>,
}

impl FinalText {
    /// The error that the agent's envelope reports (D4).
    pub fn agent_error(&self) -> Option<&str> {
        self.notes.iter().find_map(Note::as_agent_error)
    }
}

/// Takes the final text out of an agent's envelope, once; text without one is its own.
///
/// Never fails; bytes that are no UTF-8 become U+FFFD. An envelope counts only where the text ends
/// with it, so prose that quotes one stays prose. Where the agent has no text but an object beside
/// it, the text is that object.
pub fn unwrap_text(raw: &[u8]) -> FinalText {
    let decoded = edges::decode(raw);
    let is_replaced = matches!(decoded, Cow::Owned(_));
    let text = edges::trim(&decoded);
    let mut notes = Vec::from_iter(is_replaced.then_some(Note::ReplacedBytes));
    let Some(reply) = closing_envelope(text) else {
        return FinalText { text: text.to_owned(), notes };
    };
    notes.extend(reply.notes());
    let text = match reply.content {
        Content::Failed(_) => String::new(),
        Content::Said { text, structured } => {
            let said = edges::trim(&text);
            if said.is_empty() { structured.map_or("", Json::get) } else { said }.to_owned()
        }
    };
    FinalText { text, notes }
}

/// The final text alone, for a caller that has asked for errors already.
pub fn answer_text(raw: &[u8]) -> String {
    unwrap_text(raw).text
}

fn closing_envelope(text: &str) -> Option<Reply<'_>> {
    if let Some(object) = whole_object(text, &mut Trail::default()) {
        return envelope::of_object(object.get());
    }
    // The last event may be cut off, so its closing brace is not asked for.
    let last_line = text.rsplit('\n').next().unwrap_or(text);
    let lines = || last_line.trim_start().starts_with('{').then(|| envelope::of_lines(text));
    envelope::of_string(text).or_else(|| lines().flatten()).or_else(|| closing_value(text))
}

/// An envelope printed over several lines, at the end of the text.
fn closing_value(text: &str) -> Option<Reply<'_>> {
    if !text.ends_with(['}', ']']) || text.len() > WALK_MAX {
        return None;
    }
    let wanted = Wanted::any_entry("");
    let picks = Walk::new(text, &wanted).finish();
    if let Some(array) = picks.array.filter(|array| text.ends_with(array)) {
        return envelope::of_array(array);
    }
    let object = picks.outermost.filter(|object| text.ends_with(object))?;
    envelope::of_object(object)
}

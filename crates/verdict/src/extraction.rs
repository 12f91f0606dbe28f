//! The tiers, one after the other (seed 000, "Tiered extraction"; D1–D5).

use serde_json::value::RawValue;

use crate::envelope::{self, Content, Reply};
use crate::members::whole_object;
use crate::picks::Picks;
use crate::walk::walk;
use crate::{Class, Note, Tier, Wanted, edges, fence};

/// Bytes of a text that tier 3 walks at most (D5).
const WALK_MAX: usize = 64 << 20;

/// What one output came to, and what is worth saying about it.
#[derive(Debug, Clone)]
pub struct Extraction {
    /// The object, or why there is none.
    pub answer: Answer,
    /// Remarks, in the order in which they came up.
    pub notes: Vec<Note>,
}

/// The result of an extraction.
#[derive(Debug, Clone)]
pub enum Answer {
    /// One JSON object was found.
    Parsed {
        /// The object as it was written, bytes that are no UTF-8 aside; for a bare array, the
        /// object that the array is the list of.
        object: Box<RawValue>,
        /// The step that found it.
        tier: Tier,
    },
    /// Nothing was said.
    Empty,
    /// Something was said, and no answer is in it.
    Unparseable,
}

impl Extraction {
    /// The class of the output.
    pub fn class(&self) -> Class {
        match self.answer {
            Answer::Parsed { .. } => Class::Parsed,
            Answer::Empty => Class::Empty,
            Answer::Unparseable => Class::Unparseable,
        }
    }

    /// The object as text; `None` unless the class is PARSED.
    pub fn json(&self) -> Option<&str> {
        match &self.answer {
            Answer::Parsed { object, .. } => Some(object.get()),
            Answer::Empty | Answer::Unparseable => None,
        }
    }

    /// The step that found the object; `None` unless the class is PARSED.
    pub fn tier(&self) -> Option<Tier> {
        match self.answer {
            Answer::Parsed { tier, .. } => Some(tier),
            Answer::Empty | Answer::Unparseable => None,
        }
    }

    /// The error that the agent's envelope reports; such an output is a fault, not an answer (D4).
    pub fn agent_error(&self) -> Option<&str> {
        self.notes.iter().find_map(Note::as_agent_error)
    }
}

/// Finds the wanted object in the output of an agent.
///
/// Never fails and never panics, takes linear time, and repairs nothing. The class is EMPTY when
/// a person would see nothing, PARSED when an object was found, UNPARSEABLE otherwise.
pub fn extract(raw: &[u8], wanted: &Wanted<'_>) -> Extraction {
    extract_with(raw, wanted, WALK_MAX)
}

fn extract_with(raw: &[u8], wanted: &Wanted<'_>, walk_max: usize) -> Extraction {
    let (text, is_replaced) = edges::decode(raw);
    let mut tiers = Tiers { wanted, walk_max, is_unwrapped: false, notes: Vec::new() };
    if is_replaced {
        tiers.notes.push(Note::ReplacedBytes);
    }
    let answer = tiers.read(&text);
    Extraction { answer, notes: tiers.notes }
}

struct Tiers<'w> {
    wanted: &'w Wanted<'w>,
    walk_max: usize,
    /// An answer is unwrapped once; an envelope in an envelope is text.
    is_unwrapped: bool,
    notes: Vec<Note>,
}

impl Tiers<'_> {
    fn read(&mut self, text: &str) -> Answer {
        let text = edges::trim(text);
        if text.is_empty() {
            return Answer::Empty;
        }
        if let Some(object) = whole_object(text) {
            return self.settle(object, Tier::Strict);
        }
        if let Some(unfenced) = fence::unfenced(text)
            && let Some(object) = whole_object(&unfenced)
        {
            return self.settle(object, Tier::Unfenced);
        }
        if !self.is_unwrapped
            && let Some(reply) = envelope::of_string(text)
        {
            return self.unwrap(reply);
        }
        self.search(text)
    }

    /// Takes an object that is the whole text, unless what is wanted lies within it.
    fn settle(&mut self, object: &RawValue, tier: Tier) -> Answer {
        if self.wanted.is_in(object) {
            return Answer::Parsed { object: object.to_owned(), tier };
        }
        if !self.is_unwrapped
            && let Some(reply) = envelope::of_object(object)
        {
            return self.unwrap(reply);
        }
        let picks = self.walk(object.get());
        self.take_with_key(&picks)
            .unwrap_or_else(|| Answer::Parsed { object: object.to_owned(), tier })
    }

    fn search(&mut self, text: &str) -> Answer {
        let picks = self.walk(text);
        if !self.is_unwrapped
            && !picks.stands_alone
            && let Some(reply) = enveloped(text, &picks)
        {
            return self.unwrap(reply);
        }
        self.take_with_key(&picks)
            .or_else(|| self.take_array(picks.array?))
            .or_else(|| parsed(picks.outermost?))
            .unwrap_or(Answer::Unparseable)
    }

    fn walk<'a>(&mut self, text: &'a str) -> Picks<'a> {
        let mut start = text.len().saturating_sub(self.walk_max);
        while !text.is_char_boundary(start) {
            start += 1;
        }
        if start > 0 {
            self.notes.push(Note::Capped { kept: text.len() - start, dropped: start });
        }
        walk(&text[start..], self.wanted, start > 0)
    }

    fn take_with_key(&mut self, picks: &Picks<'_>) -> Option<Answer> {
        let pick = picks.with_key()?;
        let answer = parsed(pick.object)?;
        if pick.wrapped {
            self.notes.push(Note::Wrapped);
        }
        if picks.conflict {
            self.notes.push(Note::Conflict);
        }
        Some(answer)
    }

    fn take_array(&mut self, array: &str) -> Option<Answer> {
        if !self.wanted.is_list(array) {
            return None;
        }
        let key = serde_json::Value::from(self.wanted.key);
        let answer = parsed(&format!("{{{key}:{array}}}"))?;
        self.notes.push(Note::BareArray);
        Some(answer)
    }

    fn unwrap(&mut self, reply: Reply<'_>) -> Answer {
        self.is_unwrapped = true;
        self.notes.extend(reply.notes());
        match reply.content {
            Content::Failed(_) => Answer::Unparseable,
            Content::Said { structured: Some(object), .. } => self.read(object.get()),
            Content::Said { text, structured: None } => self.read(&text),
        }
    }
}

/// The envelope that a text without an answer of its own holds.
fn enveloped<'a>(text: &'a str, picks: &Picks<'a>) -> Option<Reply<'a>> {
    let array = picks.array.and_then(envelope::of_array);
    let lines = || envelope::of_lines(text);
    array.or_else(lines).or_else(|| envelope::of_object(whole_object(picks.outermost?)?))
}

/// Reads a candidate strictly once more, so that nothing leaves but JSON.
fn parsed(object: &str) -> Option<Answer> {
    let object = whole_object(object)?.to_owned();
    Some(Answer::Parsed { object, tier: Tier::Scanned })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, walk_max: usize, json: Option<&str>, notes: &[Note]) {
        let wanted = Wanted::any_entry("validated");
        let found = extract_with(text.as_bytes(), &wanted, walk_max);
        assert_eq!((found.json(), found.notes.as_slice()), (json, notes), "{text}");
    }

    #[test]
    fn only_the_end_of_a_long_text_is_walked() {
        let (early, late) = (r#"{"validated":[1]}"#, r#"{"validated":[2]}"#);
        let note = |kept, dropped| Note::Capped { kept, dropped };
        check(&format!("{early} and {late}."), 20, Some(late), &[note(20, 20)]);
        check(&format!("{early} é."), 2, None, &[note(1, 20)]);
        check(&format!("{early} {late}"), 40, Some(late), &[Note::Conflict]);
        check(early, 4, Some(early), &[]);
    }

    #[test]
    fn without_its_head_a_text_gives_no_object_that_lacks_the_key() {
        let truncated = r#"log {"validated":[{"finding_id":"F1"},{"finding_id":"F2"}]}"#;
        check(truncated, 40, None, &[Note::Capped { kept: 40, dropped: 19 }]);
        check(r#"log {"a":1}"#, 40, Some(r#"{"a":1}"#), &[]);
    }
}

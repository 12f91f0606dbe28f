//! The tiers, one after the other (seed 000, "Tiered extraction"; D1–D5).

use std::borrow::Cow;

use crate::envelope::{self, Content, Reply};
use crate::picks::Picks;
use crate::walk::{WALK_MAX, Walk};
use crate::{Answer, Extraction, Note, Tier, Wanted, edges, fence};

/// Finds the wanted object in the output of an agent.
///
/// Never fails and never panics, takes linear time, and repairs nothing. The class is EMPTY when
/// a person would see nothing, PARSED when an object was found, UNPARSEABLE otherwise.
pub fn extract<'a>(raw: &'a [u8], wanted: &Wanted<'_>) -> Extraction<'a> {
    extract_with(raw, wanted, WALK_MAX)
}

fn extract_with<'a>(raw: &'a [u8], wanted: &Wanted<'_>, walk_max: usize) -> Extraction<'a> {
    let mut tiers = Tiers { wanted, walk_max, is_unwrapped: false, notes: Vec::new() };
    let answer = match edges::decode(raw) {
        Cow::Borrowed(text) => tiers.read(text),
        Cow::Owned(text) => {
            tiers.notes.push(Note::ReplacedBytes);
            tiers.read(&text).into_owned()
        }
    };
    Extraction { answer, notes: tiers.notes }
}

struct Tiers<'w> {
    wanted: &'w Wanted<'w>,
    walk_max: usize,
    /// An answer is unwrapped once; an envelope in an envelope is text.
    is_unwrapped: bool,
    notes: Vec<Note>,
}

impl<'w> Tiers<'w> {
    fn read<'a>(&mut self, text: &'a str) -> Answer<'a> {
        let text = edges::trim(text);
        if text.is_empty() {
            return Answer::Empty;
        }
        let mut walk = Walk::new(text, self.wanted);
        if walk.is_whole() {
            return self.settle(text, walk, Tier::Strict);
        }
        let unfenced = match fence::unfenced(text) {
            Some(Cow::Borrowed(inner)) => self.unfenced(inner),
            Some(Cow::Owned(inner)) => self.unfenced(&inner).map(Answer::into_owned),
            None => None,
        };
        if let Some(answer) = unfenced {
            return answer;
        }
        if !self.is_unwrapped
            && let Some(reply) = envelope::of_string(text)
        {
            return self.unwrap(reply);
        }
        self.search(text, walk)
    }

    fn unfenced<'a>(&mut self, inner: &'a str) -> Option<Answer<'a>> {
        let mut walk = Walk::new(inner, self.wanted);
        walk.is_whole().then(|| self.settle(inner, walk, Tier::Unfenced))
    }

    /// Takes an object that is the whole text, unless what is wanted lies within it.
    fn settle<'a>(&mut self, object: &'a str, walk: Walk<'a, '_>, tier: Tier) -> Answer<'a> {
        let whole = Answer::Parsed { object: Cow::Borrowed(object), tier };
        if walk.has_key() {
            return whole;
        }
        if !self.is_unwrapped
            && let Some(reply) = envelope::of_object(object)
        {
            return self.unwrap(reply);
        }
        self.take_with_key(&walk.finish()).unwrap_or(whole)
    }

    fn search<'a>(&mut self, text: &'a str, walk: Walk<'a, 'w>) -> Answer<'a> {
        let picks = self.tail(text).unwrap_or(walk).finish();
        if !self.is_unwrapped
            && !picks.stands_alone()
            && let Some(reply) = enveloped(text, &picks)
        {
            return self.unwrap(reply);
        }
        self.take_with_key(&picks)
            .or_else(|| self.take_array(picks.array?))
            .or_else(|| Some(scanned(picks.outermost?)))
            .unwrap_or(Answer::Unparseable)
    }

    /// A walk over the end alone, where the text is too long (D5).
    fn tail<'a>(&mut self, text: &'a str) -> Option<Walk<'a, 'w>> {
        let mut start = text.len().checked_sub(self.walk_max).filter(|start| *start > 0)?;
        while !text.is_char_boundary(start) {
            start += 1;
        }
        self.notes.push(Note::Capped { kept: text.len() - start, dropped: start });
        Some(Walk::without_head(&text[start..], self.wanted))
    }

    fn take_with_key<'a>(&mut self, picks: &Picks<'a>) -> Option<Answer<'a>> {
        let pick = picks.with_key(self.wanted)?;
        if pick.wrapped {
            self.notes.push(Note::Wrapped);
        }
        if picks.conflict() {
            self.notes.push(Note::Conflict);
        }
        Some(scanned(pick.object))
    }

    fn take_array<'a>(&mut self, array: &str) -> Option<Answer<'a>> {
        if !self.wanted.is_list(array) {
            return None;
        }
        self.notes.push(Note::BareArray);
        let key = serde_json::Value::from(self.wanted.key);
        let object = Cow::Owned(format!("{{{key}:{array}}}"));
        Some(Answer::Parsed { object, tier: Tier::Scanned })
    }

    fn unwrap<'a>(&mut self, reply: Reply<'a>) -> Answer<'a> {
        self.is_unwrapped = true;
        self.notes.extend(reply.notes());
        match reply.content {
            Content::Failed(_) => Answer::Unparseable,
            Content::Said { structured: Some(object), .. } => self.read(object.get()),
            Content::Said { text, structured: None } => self.read(&text).into_owned(),
        }
    }
}

/// The envelope that a text without an answer of its own holds.
fn enveloped<'a>(text: &'a str, picks: &Picks<'a>) -> Option<Reply<'a>> {
    let array = picks.array.and_then(envelope::of_array);
    let lines = || envelope::of_lines(text);
    array.or_else(lines).or_else(|| envelope::of_object(picks.outermost?))
}

fn scanned(object: &str) -> Answer<'_> {
    Answer::Parsed { object: Cow::Borrowed(object), tier: Tier::Scanned }
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

//! Which of the objects that a walk met is the answer (D3).

use std::ops::Range;

use crate::Wanted;
use crate::trail::Keyed;

/// An object with the wanted key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pick<'a> {
    start: usize,
    pub(crate) object: &'a str,
    /// Whether it is a part of an object that lacks the key or is unfinished.
    pub(crate) wrapped: bool,
}

/// The best of what a walk has met so far.
#[derive(Debug, Default)]
pub(crate) struct Picks<'a> {
    with_entry: Option<Pick<'a>>,
    with_key: Option<Pick<'a>>,
    first_with_key: Option<&'a str>,
    /// Whether an object with the key stands on its own, inside no other.
    pub(crate) stands_alone: bool,
    /// Whether two different objects with the key were met.
    pub(crate) conflict: bool,
    /// The last outermost array of objects.
    pub(crate) array: Option<&'a str>,
    /// The last outermost object.
    pub(crate) outermost: Option<&'a str>,
}

impl<'a> Picks<'a> {
    /// Takes an object of the text with the key into account.
    pub(crate) fn add(&mut self, text: &'a str, wanted: &Wanted<'_>, keyed: Keyed) {
        let (Range { start, end }, wrapped) = (keyed.place(), keyed.inside);
        let object = &text[start..end];
        let pick = Pick { start, object, wrapped };
        let has_entry = wanted.has_entry(&text[keyed.value()..end]);
        let slot = if has_entry { &mut self.with_entry } else { &mut self.with_key };
        // Not every object is met in the order of the text: a broken one gives its parts first.
        if slot.is_none_or(|earlier| earlier.start <= start) {
            *slot = Some(pick);
        }
        self.stands_alone |= !wrapped;
        match self.first_with_key {
            None => self.first_with_key = Some(object),
            Some(first) => self.conflict = self.conflict || !is_same(first, object),
        }
    }

    /// The last object with the key and a well-formed entry, else the last with the key.
    pub(crate) fn with_key(&self) -> Option<Pick<'a>> {
        self.with_entry.or(self.with_key)
    }
}

/// Whether two JSON texts differ in blanks alone.
fn is_same(one: &str, other: &str) -> bool {
    one == other || without_blanks(one).eq(without_blanks(other))
}

fn without_blanks(json: &str) -> impl Iterator<Item = u8> {
    let (mut in_string, mut escaped) = (false, false);
    json.bytes().filter(move |&byte| {
        if escaped {
            escaped = false;
        } else if in_string && byte == b'\\' {
            escaped = true;
        } else if byte == b'"' {
            in_string = !in_string;
        }
        in_string || !byte.is_ascii_whitespace()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blanks_outside_strings_do_not_matter() {
        assert!(is_same(r#"{"a": "x \" y"}"#, "{\n\"a\":\"x \\\" y\" }"));
        assert!(!is_same(r#"{"a":"x y"}"#, r#"{"a":"xy"}"#));
        assert!(!is_same(r#"{"a":"x"}"#, r#"{"a":"x"}{"#));
    }
}

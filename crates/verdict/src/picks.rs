//! Which of the objects that a walk met is the answer (D3).

use crate::Wanted;
use crate::trail::{Keyed, Place};

/// An object with the wanted key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pick<'a> {
    pub(crate) object: &'a str,
    /// Whether it is a part of an object that lacks the key or is unfinished.
    pub(crate) wrapped: bool,
}

/// What a walk has met.
#[derive(Debug)]
pub(crate) struct Picks<'a> {
    text: &'a str,
    /// The objects with the key, in the order of the text.
    keyed: Vec<Keyed>,
    /// The last outermost array of objects.
    pub(crate) array: Option<&'a str>,
    /// The last outermost object.
    pub(crate) outermost: Option<&'a str>,
}

impl<'a> Picks<'a> {
    pub(crate) fn new(
        text: &'a str,
        mut keyed: Vec<Keyed>,
        array: Option<Place>,
        outermost: Option<Place>,
    ) -> Self {
        // Not every object is met in the order of the text: a broken one gives its parts first.
        if !keyed.is_sorted_by_key(Keyed::start) {
            keyed.sort_by_key(Keyed::start);
        }
        let part = |place: Place| &text[place.range()];
        Self { text, keyed, array: array.map(part), outermost: outermost.map(part) }
    }

    /// The last object with the key and a well-formed entry, else the last with the key.
    pub(crate) fn with_key(&self, wanted: &Wanted<'_>) -> Option<Pick<'a>> {
        let has_entry =
            |keyed: &&Keyed| wanted.has_entry(&self.text[keyed.value()..keyed.place().end]);
        let pick = match self.keyed.as_slice() {
            // The entries of the only one change nothing.
            [only] => Some(only),
            all => all.iter().rfind(has_entry).or(all.last()),
        };
        pick.map(|keyed| Pick { object: self.object(keyed), wrapped: keyed.inside })
    }

    /// Whether an object with the key stands on its own, inside no other.
    pub(crate) fn stands_alone(&self) -> bool {
        self.keyed.iter().any(|keyed| !keyed.inside)
    }

    /// Whether two of the objects with the key are different.
    pub(crate) fn conflict(&self) -> bool {
        let mut objects = self.keyed.iter().map(|keyed| self.object(keyed));
        objects.next().is_some_and(|first| !objects.all(|object| is_same(first, object)))
    }

    fn object(&self, keyed: &Keyed) -> &'a str {
        &self.text[keyed.place()]
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

//! Which object is looked for.

use std::fmt;

use serde_json::value::RawValue;

use crate::json::Json;
use crate::strict::after_blanks;

/// The object that is looked for: the key it should have, and what an entry under it looks like.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// The key that the answer has, such as `validated`.
    pub key: &'a str,
    /// Whether the contract's reader would take this entry. Where the value under the key is no
    /// list, it is asked about the value itself.
    pub entry: fn(&RawValue) -> bool,
}

impl<'a> Wanted<'a> {
    /// Looks for an object with `key`, whatever its entries are.
    pub fn any_entry(key: &'a str) -> Self {
        Self { key, entry: |_| true }
    }

    /// Whether the value that the text starts with, the one under the key, is or holds at least one
    /// well-formed entry (D3).
    pub(crate) fn has_entry(&self, text: &str) -> bool {
        if has_no_element(text) {
            return false;
        }
        let Some(value) = Json::first(text) else { return false };
        if value.is_array() {
            value.elements().any(|element| self.takes(element))
        } else {
            self.takes(value)
        }
    }

    /// Whether an array is a list of entries: not empty, and each element an object that the
    /// contract takes (D5).
    pub(crate) fn is_list(&self, array: &str) -> bool {
        let mut elements = Json::valid(array).elements().peekable();
        elements.peek().is_some()
            && elements.all(|element| element.is_object() && self.takes(element))
    }

    fn takes(&self, value: Json<'_>) -> bool {
        value.raw().is_some_and(self.entry)
    }
}

/// Whether the text starts with an empty array; a flood of these is settled by a look at each.
fn has_no_element(text: &str) -> bool {
    let inner = text.strip_prefix('[');
    inner
        .is_some_and(|inner| inner.as_bytes().get(after_blanks(inner.as_bytes(), 0)) == Some(&b']'))
}

impl fmt::Debug for Wanted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wanted").field("key", &self.key).finish_non_exhaustive()
    }
}

//! Which object is looked for.

use std::fmt;
use std::ops::ControlFlow;

use serde_json::value::RawValue;

use crate::members::{elements, first_value};

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
        if !text.starts_with('[') {
            return first_value(text).is_some_and(self.entry);
        }
        let mut found = false;
        elements(text, |element| {
            found = (self.entry)(element);
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }

    /// Whether an array is a list of entries: not empty, and each element an object that the
    /// contract takes (D5).
    pub(crate) fn is_list(&self, array: &str) -> bool {
        let (mut any, mut all) = (false, true);
        elements(array, |element| {
            any = true;
            all = element.get().starts_with('{') && (self.entry)(element);
            if all { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        any && all
    }
}

impl fmt::Debug for Wanted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wanted").field("key", &self.key).finish_non_exhaustive()
    }
}

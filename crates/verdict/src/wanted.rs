//! Which object is looked for.

use std::fmt;
use std::ops::ControlFlow;

use serde_json::value::RawValue;

use crate::members::{elements, members};

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

    /// Whether an object has the key, at its top level.
    pub(crate) fn is_in(&self, object: &RawValue) -> bool {
        let mut has_key = false;
        members(object.get(), |name, _| {
            has_key = name == self.key.as_bytes();
            if has_key { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        has_key
    }

    /// Whether an object that has the key has at least one well-formed entry under it (D3).
    pub(crate) fn has_entry(&self, object: &str) -> bool {
        let mut found = false;
        members(object, |name, value| {
            found = name == self.key.as_bytes() && self.holds_entry(value);
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

    fn holds_entry(&self, value: &RawValue) -> bool {
        if !value.get().starts_with('[') {
            return (self.entry)(value);
        }
        let mut found = false;
        elements(value.get(), |element| {
            found = (self.entry)(element);
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }
}

impl fmt::Debug for Wanted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wanted").field("key", &self.key).finish_non_exhaustive()
    }
}

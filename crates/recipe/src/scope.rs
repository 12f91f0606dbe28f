//! Where expressions and templates find values.

use crate::datum::{Datum, Fields};

/// The names that can be used, with their values.
///
/// Every declared name has a value, null until it is set; the settings are the object `setting`.
pub trait Scope {
    /// The value of a name; `None` when nothing declares it.
    fn get(&self, name: &str) -> Option<&Datum>;

    /// All declared names, to suggest one for a name that is not.
    fn names(&self) -> Vec<&str>;
}

impl Scope for Fields {
    fn get(&self, name: &str) -> Option<&Datum> {
        Self::get(self, name)
    }

    fn names(&self) -> Vec<&str> {
        self.keys().map(String::as_str).collect()
    }
}

/// The one of `names` that `word` was most likely meant to be.
pub(crate) fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let farthest = (word.chars().count() / 3).clamp(1, 4);
    names
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(word, name), name))
        .filter(|(distance, _)| *distance <= farthest)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Whether a text is a name: `[A-Za-z_][A-Za-z0-9_]*` (D38).
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_answered_with_the_nearest_name() {
        let rows = [
            ("max_cycle", Some("max_cycles")),
            ("max_cylces", Some("max_cycles")),
            ("min", None),
            ("unrelated", None),
        ];
        for (word, expected) in rows {
            assert_eq!(nearest(word, ["min_cycles", "max_cycles"]), expected, "{word}");
        }
    }

    #[test]
    fn what_is_a_name() {
        for (text, expected) in [
            ("a", true),
            ("_", true),
            ("a1_B", true),
            ("", false),
            ("1a", false),
            ("a-b", false),
            ("é", false),
        ] {
            assert_eq!(is_name(text), expected, "{text}");
        }
    }
}

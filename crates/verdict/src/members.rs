//! Lazy looks into a JSON object or array: values stay raw, nothing is built.
//!
//! The text has been validated before; where it has not, a look ends early and quietly.

use std::fmt;
use std::ops::ControlFlow;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Reads `text` as exactly one JSON object; gives it without the blanks around it.
pub(crate) fn whole_object(text: &str) -> Option<&RawValue> {
    // Most texts are no object, and their two ends say so.
    if !text.starts_with('{') || !text.ends_with('}') {
        return None;
    }
    // Why the text is no object does not matter: the next tier is asked.
    serde_json::from_str(text).ok()
}

/// The value that a text starts with, whatever follows it.
pub(crate) fn first_value(text: &str) -> Option<&RawValue> {
    serde_json::Deserializer::from_str(text).into_iter().next()?.ok()
}

/// Shows each member of an object in order, until `visit` breaks.
///
/// A key is shown as bytes because it may hold lone surrogates, which no `str` can.
pub(crate) fn members<'a, F>(object: &'a str, visit: F)
where
    F: FnMut(&[u8], &'a RawValue) -> ControlFlow<()>,
{
    // An error is either the break or text that is no object: the look is over in both cases.
    let _ = serde_json::Deserializer::from_str(object).deserialize_map(Look(visit));
}

/// Shows each element of an array in order, until `visit` breaks.
pub(crate) fn elements<'a, F>(array: &'a str, mut visit: F)
where
    F: FnMut(&'a RawValue) -> ControlFlow<()>,
{
    let look = Look(|_: &[u8], value| visit(value));
    // As in `members`.
    let _ = serde_json::Deserializer::from_str(array).deserialize_seq(look);
}

/// The values of some members, in one pass; of a repeated key the last one, as is usual in JSON.
pub(crate) fn pick<'a, const N: usize>(
    object: &'a RawValue,
    keys: [&str; N],
) -> [Option<&'a RawValue>; N] {
    let mut found = [None; N];
    members(object.get(), |name, value| {
        if let Some(place) = keys.iter().position(|key| key.as_bytes() == name) {
            found[place] = Some(value);
        }
        ControlFlow::Continue(())
    });
    found
}

/// The text of a JSON string, `None` for any other value; lone surrogates become U+FFFD.
pub(crate) fn string(value: &RawValue) -> Option<String> {
    let mut bytes = Vec::new();
    let mut json = serde_json::Deserializer::from_str(value.get());
    // Every failure means that the value is no string.
    value.get().starts_with('"').then(|| Bytes(&mut bytes).deserialize(&mut json).ok())??;
    Some(
        String::from_utf8(bytes)
            .unwrap_or_else(|wrong| String::from_utf8_lossy(wrong.as_bytes()).into_owned()),
    )
}

/// Visits what is directly inside a map or a sequence.
struct Look<F>(F);

impl<'de, F> Visitor<'de> for Look<F>
where
    F: FnMut(&[u8], &'de RawValue) -> ControlFlow<()>,
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let mut name = Vec::new();
        while map.next_key_seed(Bytes(&mut name))?.is_some() {
            if (self.0)(&name, map.next_value()?).is_break() {
                return Err(A::Error::custom("seen enough"));
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        while let Some(value) = seq.next_element()? {
            if (self.0)(b"", value).is_break() {
                return Err(A::Error::custom("seen enough"));
            }
        }
        Ok(())
    }
}

/// Reads a string as bytes into a buffer that is used again.
struct Bytes<'b>(&'b mut Vec<u8>);

impl<'de> DeserializeSeed<'de> for Bytes<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

impl Visitor<'_> for Bytes<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        self.0.clear();
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(object: &str) -> Vec<String> {
        let mut seen = Vec::new();
        members(object, |name, value| {
            seen.push(format!("{}={}", String::from_utf8_lossy(name), value.get()));
            if name == b"stop" { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        seen
    }

    #[test]
    fn members_are_shown_raw_in_order_until_the_break() {
        assert_eq!(
            names(r#"{"a": {"b": 1} ,"\u0063":[1, 2],"stop":1,"later":2}"#),
            [r#"a={"b": 1}"#, "c=[1, 2]", "stop=1"]
        );
    }

    #[test]
    fn a_lone_surrogate_in_a_key_hides_no_later_member() {
        assert_eq!(names(r#"{"\ud800":1,"b":2}"#).last().map(String::as_str), Some("b=2"));
    }

    #[test]
    fn only_strings_have_a_text() {
        let text = |json: &'static str| {
            string(serde_json::from_str::<&RawValue>(json).expect("valid JSON"))
        };
        assert_eq!(text(r#""a\nb""#).as_deref(), Some("a\nb"));
        assert_eq!(text(r#""cut \ud83d""#).as_deref(), Some("cut \u{FFFD}\u{FFFD}\u{FFFD}"));
        for json in ["1", "null", "[97]", "{}"] {
            assert_eq!(text(json), None, "{json}");
        }
    }
}

//! Lazy looks into valid JSON: values stay as they are written, nothing is built.

use std::borrow::Cow;
use std::fmt;

use memchr::memchr;
use serde::de::{Deserializer, Error, Visitor};
use serde_json::value::RawValue;

use crate::strict::{after_blanks, scalar_end};
use crate::text::string_end;

/// A JSON value as it is written, without blanks around it; a strict reading has passed it.
///
/// A look into a text that is no JSON ends early and quietly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Json<'a>(&'a str);

impl<'a> Json<'a> {
    /// The value that is this text.
    pub(crate) fn valid(text: &'a str) -> Self {
        Self(text)
    }

    /// The value that a text starts with, whatever follows it.
    pub(crate) fn first(text: &'a str) -> Option<Self> {
        value_end(text.as_bytes(), 0).map(|end| Self(&text[..end]))
    }

    pub(crate) fn get(self) -> &'a str {
        self.0
    }

    /// The value for readers outside this crate.
    pub(crate) fn raw(self) -> Option<&'a RawValue> {
        // A value that was passed is one for serde_json too; a property test holds the two together.
        serde_json::from_str(self.0).ok()
    }

    pub(crate) fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    pub(crate) fn is_array(self) -> bool {
        self.0.starts_with('[')
    }

    pub(crate) fn is_string(self) -> bool {
        self.0.starts_with('"')
    }

    /// The members of an object, in order; the keys as they are written.
    pub(crate) fn members(self) -> impl Iterator<Item = (&'a str, Self)> {
        let mut parts = Parts::of(self, '{');
        std::iter::from_fn(move || parts.member())
    }

    /// The elements of an array, in order.
    pub(crate) fn elements(self) -> impl Iterator<Item = Self> {
        let mut parts = Parts::of(self, '[');
        std::iter::from_fn(move || parts.element())
    }

    /// The values of some members, in one pass; of a repeated key the last one, as is usual in JSON.
    pub(crate) fn pick<const N: usize>(self, keys: [&str; N]) -> [Option<Self>; N] {
        let mut found = [None; N];
        for (literal, value) in self.members() {
            let is_it = |key: &&str| is_key(literal.as_bytes(), key);
            if let Some(place) = keys.iter().position(is_it) {
                found[place] = Some(value);
            }
        }
        found
    }

    /// The text of a string, `None` for any other value; lone surrogates become U+FFFD.
    pub(crate) fn string(self) -> Option<Cow<'a, str>> {
        let inner = self.0.strip_prefix('"')?.strip_suffix('"')?;
        match memchr(b'\\', inner.as_bytes()) {
            None => Some(Cow::Borrowed(inner)),
            Some(_) => unescaped(self.0).map(Cow::Owned),
        }
    }
}

/// Whether a key, as written, is the wanted one.
#[inline]
pub(crate) fn is_key(literal: &[u8], wanted: &str) -> bool {
    let (inner, wanted) = (&literal[1..literal.len() - 1], wanted.as_bytes());
    let n_same = inner.iter().zip(wanted).take_while(|(one, other)| one == other).count();
    // Most keys are another one before their first escape.
    if inner.get(n_same) != Some(&b'\\') {
        return n_same == wanted.len() && n_same == inner.len();
    }
    str::from_utf8(literal).ok().and_then(unescaped).is_some_and(|key| key.as_bytes() == wanted)
}

/// Goes through the inside of an object or array.
struct Parts<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parts<'a> {
    /// Starts after the bracket; of a value of another kind there are no parts.
    fn of(value: Json<'a>, bracket: char) -> Self {
        let at = if value.0.starts_with(bracket) { 1 } else { value.0.len() };
        Self { text: value.0, at }
    }

    fn member(&mut self) -> Option<(&'a str, Json<'a>)> {
        let bytes = self.text.as_bytes();
        let quote = self.next_start();
        let end = (bytes.get(quote) == Some(&b'"')).then(|| value_end(bytes, quote)).flatten()?;
        self.at = after_blanks(bytes, end);
        (bytes.get(self.at) == Some(&b':')).then_some(())?;
        self.at += 1;
        Some((&self.text[quote..end], self.element()?))
    }

    fn element(&mut self) -> Option<Json<'a>> {
        let start = self.next_start();
        self.at = value_end(self.text.as_bytes(), start)?;
        Some(Json(&self.text[start..self.at]))
    }

    /// Where the next key or value starts, after blanks and a comma.
    fn next_start(&self) -> usize {
        let bytes = self.text.as_bytes();
        let at = after_blanks(bytes, self.at);
        if bytes.get(at) == Some(&b',') { after_blanks(bytes, at + 1) } else { at }
    }
}

/// Where the value ends that starts here.
fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut at, mut depth) = (start, 0_usize);
    loop {
        at = match bytes.get(at)? {
            // Braces in strings do not matter here.
            b'"' => string_end(bytes, at, &mut Some(0)).ok()?,
            b'{' | b'[' => {
                depth += 1;
                at + 1
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                at + 1
            }
            _ if depth == 0 => scalar_end(bytes, at).ok()?,
            _ => at + 1,
        };
        if depth == 0 {
            return Some(at);
        }
    }
}

/// The text of a string with escapes.
fn unescaped(literal: &str) -> Option<String> {
    // Every failure means that the literal is no string.
    let bytes = serde_json::Deserializer::from_str(literal).deserialize_bytes(Bytes).ok()?;
    Some(
        String::from_utf8(bytes)
            .unwrap_or_else(|wrong| String::from_utf8_lossy(wrong.as_bytes()).into_owned()),
    )
}

/// Reads a string as bytes: a text with lone surrogates is no `str`.
struct Bytes;

impl Visitor<'_> for Bytes {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check_members(object: &str, expected: &[&str]) {
        let seen = Json(object).members().map(|(key, value)| format!("{key}={}", value.get()));
        assert_eq!(seen.collect::<Vec<_>>(), expected, "{object}");
    }

    #[test]
    fn members_are_shown_as_they_are_written_and_in_order() {
        check_members(
            r#"{"a": {"b": "}"} ,"\u0063":[1, 2],"d" : -1.5e3 }"#,
            &[r#""a"={"b": "}"}"#, r#""\u0063"=[1, 2]"#, "\"d\"=-1.5e3"],
        );
        check_members("{ }", &[]);
    }

    #[test]
    fn a_look_into_what_is_no_object_ends_early() {
        for text in ["", "[1]", "1", "\"a\"", "{", "{\"a\"", "{\"a\":", "{\"a\" 1}", "{1:2}", "{]"]
        {
            check_members(text, &[]);
        }
        check_members(r#"{"a":1,"b":}"#, &["\"a\"=1"]);
    }

    #[test]
    fn a_key_is_the_key_however_it_is_escaped() {
        for (literal, expected) in [
            (r#""ab""#, true),
            (r#""\u0061b""#, true),
            (r#""a\u0062""#, true),
            (r#""a\u0063""#, false),
            (r#""abc""#, false),
            (r#""a""#, false),
            (r#""x\u0062""#, false),
            (r#""a\ud800""#, false),
        ] {
            assert_eq!(is_key(literal.as_bytes(), "ab"), expected, "{literal}");
        }
        let object = Json(r#"{"\ud800":1,"b":2,"c":3,"b":4}"#);
        let values = object.pick(["b", "x"]).map(|value| value.map(Json::get));
        assert_eq!(values, [Some("4"), None], "of a repeated key the last");
    }

    #[test]
    fn only_strings_have_a_text() {
        let text = |json: &'static str| Json(json).string();
        assert_eq!(text(r#""a b""#).as_deref(), Some("a b"));
        assert_eq!(text(r#""a\nb""#).as_deref(), Some("a\nb"));
        assert_eq!(text(r#""cut \ud83d""#).as_deref(), Some("cut \u{FFFD}\u{FFFD}\u{FFFD}"));
        for json in ["1", "null", "[97]", "{}"] {
            assert_eq!(text(json), None, "{json}");
        }
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<i64>().prop_map(Into::into),
            "[a{}\\[\\]\",: \\\\é\n]{0,6}".prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
                prop::collection::btree_map("[ab{}\" é]{0,3}", inner, 0..4)
                    .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_look_sees_what_a_parser_sees(value in json(), pretty in any::<bool>()) {
            let text = if pretty { format!("{value:#}") } else { value.to_string() };
            let parsed = |part: Json<'_>| serde_json::from_str::<serde_json::Value>(part.get());
            let longer = format!("{text} {{");
            prop_assert_eq!(Json::first(&longer).map(Json::get), Some(text.as_str()));
            let elements: Result<Vec<_>, _> = Json(&text).elements().map(parsed).collect();
            prop_assert_eq!(elements.unwrap(), value.as_array().cloned().unwrap_or_default());
            let members = Json(&text).members().map(|(key, value)| {
                (serde_json::from_str::<String>(key).unwrap(), parsed(value).unwrap())
            });
            let members: serde_json::Map<_, _> = members.collect();
            prop_assert_eq!(members, value.as_object().cloned().unwrap_or_default());
            let string = Json(&text).string();
            prop_assert_eq!(string.as_deref(), value.as_str());
        }
    }
}

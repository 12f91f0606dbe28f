//! The entries of one list in an agent's answer, each still as it was written.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Why an answer has no list under the key that its contract asks for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoList {
    /// The text is no JSON object; holds the parser's reason.
    #[error("no JSON object: {0}")]
    NotAnObject(String),
    /// The object lacks the key.
    #[error("`{0}` is missing")]
    Missing(String),
    /// The key holds something else.
    #[error("`{0}` is no list")]
    NotAList(String),
}

/// Finds the list under `key` in the JSON object `json` and gives its entries unread, so that one
/// that does not fit its contract spoils no other (DESIGN §5).
///
/// Nothing is copied and no tree is built; other keys are skipped. Where the key stands twice, the
/// later one counts, as in other JSON readers.
///
/// # Errors
/// [`NoList`] when the text is no single JSON object, or the key is missing or holds no list.
pub fn list_entries<'a>(json: &'a str, key: &str) -> Result<Vec<&'a RawValue>, NoList> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let found = ObjectWith(key)
        .deserialize(&mut deserializer)
        .and_then(|found| deserializer.end().map(|()| found))
        .map_err(|error| NoList::NotAnObject(error.to_string()))?;
    match found {
        None => Err(NoList::Missing(key.to_owned())),
        Some(Held::SomethingElse) => Err(NoList::NotAList(key.to_owned())),
        Some(Held::List(list)) => Ok(list),
    }
}

/// What the key holds.
enum Held<'a> {
    List(Vec<&'a RawValue>),
    SomethingElse,
}

struct ObjectWith<'k>(&'k str);

impl<'de> DeserializeSeed<'de> for ObjectWith<'_> {
    type Value = Option<Held<'de>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ObjectWith<'_> {
    type Value = Option<Held<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(is_wanted) = map.next_key_seed(IsKey(self.0))? {
            if is_wanted {
                found = Some(map.next_value_seed(HeldVisitor)?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

/// Compares a key without keeping it.
struct IsKey<'k>(&'k str);

impl<'de> DeserializeSeed<'de> for IsKey<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for IsKey<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<bool, E> {
        Ok(key == self.0)
    }
}

struct HeldVisitor;

impl<'de> DeserializeSeed<'de> for HeldVisitor {
    type Value = Held<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Held<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for HeldVisitor {
    type Value = Held<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Held<'de>, A::Error> {
        let mut list = Vec::new();
        while let Some(entry) = seq.next_element()? {
            list.push(entry);
        }
        Ok(Held::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Held<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Held::SomethingElse)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Held<'de>, E> {
        Ok(Held::SomethingElse)
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Held<'de>, E> {
        Ok(Held::SomethingElse)
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<Held<'de>, E> {
        Ok(Held::SomethingElse)
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<Held<'de>, E> {
        Ok(Held::SomethingElse)
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<Held<'de>, E> {
        Ok(Held::SomethingElse)
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<Held<'de>, E> {
        Ok(Held::SomethingElse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expected: Result<&[&str], NoList>) {
        let found = list_entries(json, "validated");
        let texts = found.map(|list| list.into_iter().map(RawValue::get).collect::<Vec<_>>());
        match (texts, expected) {
            (Err(NoList::NotAnObject(_)), Err(NoList::NotAnObject(_))) => {}
            (texts, expected) => assert_eq!(texts, expected.map(<[&str]>::to_vec), "{json}"),
        }
    }

    #[test]
    fn entries_are_given_as_they_were_written() {
        check(
            r#"{"cycle": 1, "validated": [ {"a" : 1.0}, "x", null ], "z": [1]}"#,
            Ok(&[r#"{"a" : 1.0}"#, r#""x""#, "null"]),
        );
        check(r#"{"validated": []}"#, Ok(&[]));
        check(r#"{"validated": [1], "validated": [2]}"#, Ok(&["2"]));
        check(r#"{"v\u0061lidated": [1]}"#, Ok(&["1"]));
    }

    #[test]
    fn a_missing_list_says_what_is_there_instead() {
        let missing = || Err(NoList::Missing("validated".to_owned()));
        check("{}", missing());
        check(r#"{"result": {"validated": []}}"#, missing());
        for other in ["null", "{}", r#"{"0": []}"#, "true", "1", "-1", "1.5", r#""[]""#] {
            let json = format!(r#"{{"validated": {other}}}"#);
            check(&json, Err(NoList::NotAList("validated".to_owned())));
        }
        for text in ["", "[]", "null", "7", r#""x""#, "{} {}", r#"{"validated": [}"#] {
            check(text, Err(NoList::NotAnObject(String::new())));
        }
    }

    #[test]
    fn deep_nesting_is_skipped_without_recursion() {
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        let json = format!(r#"{{"other": {deep}, "validated": [{deep}]}}"#);
        assert_eq!(list_entries(&json, "validated").map(|list| list.len()), Ok(1));
    }
}

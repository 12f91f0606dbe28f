//! A datum as JSON.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::Datum;
use crate::datum::Fields;

/// A text is no JSON value, or nests deeper than 128 levels.
#[derive(Debug, thiserror::Error)]
#[error("no JSON value: {0}")]
pub struct NotJson(#[source] serde_json::Error);

impl Datum {
    /// Reads one JSON value; of a field written twice the last value counts.
    ///
    /// # Errors
    /// The text is no JSON value, goes on after it, or nests deeper than 128 levels.
    pub fn from_json(text: &str) -> Result<Self, NotJson> {
        serde_json::from_str(text).map_err(NotJson)
    }

    /// The value as compact JSON, fields in their order.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a datum has text keys and no infinite numbers")
    }
}

impl Serialize for Datum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(fields) => serializer.collect_map(fields),
        }
    }
}

impl<'de> Deserialize<'de> for Datum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Datum;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Datum, E> {
        Ok(Datum::Null)
    }

    fn visit_none<E>(self) -> Result<Datum, E> {
        Ok(Datum::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Datum, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Datum, E> {
        Ok(Datum::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Datum, E> {
        Ok(Datum::Int(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Datum, E> {
        #[expect(clippy::cast_precision_loss, reason = "whole numbers beyond 64 bits are rounded")]
        Ok(i64::try_from(value).map_or(Datum::Float(value as f64), Datum::Int))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Datum, E> {
        if value.is_finite() {
            Ok(Datum::Float(value))
        } else {
            Err(E::custom("a number must be finite"))
        }
    }

    fn visit_str<E>(self, text: &str) -> Result<Datum, E> {
        Ok(Datum::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Datum, E> {
        Ok(Datum::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Datum, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Datum::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Datum, A::Error> {
        let mut fields = Fields::new();
        while let Some((name, value)) = object.next_entry()? {
            fields.insert(name, value);
        }
        Ok(Datum::Map(fields))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_datum() -> impl Strategy<Value = Datum> {
        let leaf = prop_oneof![
            Just(Datum::Null),
            any::<bool>().prop_map(Datum::Bool),
            any::<i64>().prop_map(Datum::Int),
            (-1.0e300..1.0e300).prop_map(Datum::Float),
            any::<String>().prop_map(Datum::Text),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Datum::List),
                prop::collection::vec((any::<String>(), inner), 0..6).prop_map(Datum::map),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_datum_survives_json(value in any_datum()) {
            prop_assert_eq!(Datum::from_json(&value.to_json()).expect("own JSON"), value);
        }
    }

    #[test]
    fn order_of_fields_is_kept_and_the_last_of_two_counts() {
        let value = Datum::from_json(r#"{"z":1,"a":2,"z":3}"#).expect("valid");
        assert_eq!(value.to_json(), r#"{"z":3,"a":2}"#);
    }

    #[test]
    fn whole_numbers_stay_whole() {
        assert_eq!(
            Datum::from_json("9007199254740993").expect("valid").render(),
            "9007199254740993"
        );
        assert!(matches!(Datum::from_json("18446744073709551615"), Ok(Datum::Float(_))));
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in ["", "{", "1 2", "nul", "'a'", &"[".repeat(100_000)] {
            assert!(Datum::from_json(text).is_err(), "{}", &text[..text.len().min(20)]);
        }
    }
}

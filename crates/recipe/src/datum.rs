//! The values that steps hand to one another.

use indexmap::IndexMap;

/// A typed value of the context (D38).
///
/// Whole numbers beyond 64 bits become floating point when they are read from JSON. Two objects are
/// equal whatever the order of their fields; the order is kept all the same, for reading.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Datum {
    /// Nothing: not set yet, or set by a step that was skipped.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction; never infinite.
    Float(f64),
    /// Text.
    Text(String),
    /// Values in order.
    List(Vec<Datum>),
    /// Fields by name, in the order they were written.
    Map(Fields),
}

/// The fields of an object, in the order they were written.
pub type Fields = IndexMap<String, Datum>;

/// A text that looks like a boolean stands where a condition is wanted (D38).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the text `{0}` is not empty and would count as true")]
pub struct TextCondition(pub String);

/// Texts that mean "no" to whoever wrote them.
const NEGATIVE_TEXTS: [&str; 4] = ["false", "no", "off", "0"];

impl Datum {
    /// The word for the kind of value: null, boolean, number, text, list, object.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Int(_) | Self::Float(_) => "number",
            Self::Text(_) => "text",
            Self::List(_) => "list",
            Self::Map(_) => "object",
        }
    }

    /// Whether the value holds as a condition: false, null, 0, empty text, list and object do not.
    ///
    /// # Errors
    /// The texts `false`, `no`, `off` and `0`, in any letter case, are refused (D38).
    pub fn truthy(&self) -> Result<bool, TextCondition> {
        Ok(match self {
            Self::Null => false,
            Self::Bool(value) => *value,
            Self::Int(value) => *value != 0,
            Self::Float(value) => *value != 0.0,
            Self::Text(text) => {
                let word = text.trim();
                if NEGATIVE_TEXTS.iter().any(|no| word.eq_ignore_ascii_case(no)) {
                    return Err(TextCondition(text.clone()));
                }
                !text.is_empty()
            }
            Self::List(items) => !items.is_empty(),
            Self::Map(fields) => !fields.is_empty(),
        })
    }

    /// The value as it stands in a prompt or a command: text as it is, null as nothing, lists and
    /// objects as compact JSON (D38).
    pub fn render(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Text(text) => text.clone(),
            Self::Bool(_) | Self::Int(_) | Self::Float(_) | Self::List(_) | Self::Map(_) => {
                self.to_json()
            }
        }
    }

    /// The value below a path of field names; the empty path is the value itself.
    pub fn get<'d>(&'d self, path: &[&str]) -> Option<&'d Self> {
        path.iter().try_fold(self, |value, name| value.as_map()?.get(*name))
    }

    /// The field of an object.
    pub fn field(&self, name: &str) -> Option<&Self> {
        self.as_map()?.get(name)
    }

    /// The value when it is a boolean, or a text that says `true` or `false` in any case (D14).
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            Self::Text(text) if text.eq_ignore_ascii_case("true") => Some(true),
            Self::Text(text) if text.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        }
    }

    /// The whole number, when the value is one.
    pub fn as_int(&self) -> Option<i64> {
        if let Self::Int(value) = self { Some(*value) } else { None }
    }

    /// The text, when the value is one.
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The items, when the value is a list.
    pub fn as_list(&self) -> Option<&[Self]> {
        if let Self::List(items) = self { Some(items) } else { None }
    }

    /// The fields, when the value is an object.
    pub fn as_map(&self) -> Option<&Fields> {
        if let Self::Map(fields) = self { Some(fields) } else { None }
    }

    /// Makes an object of named values.
    pub fn map<N: Into<String>>(fields: impl IntoIterator<Item = (N, Self)>) -> Self {
        Self::Map(fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }
}

impl From<&str> for Datum {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Datum {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Datum {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Datum {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<u32> for Datum {
    fn from(value: u32) -> Self {
        Self::Int(i64::from(value))
    }
}

impl<T: Into<Self>> From<Vec<T>> for Datum {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Self>> From<Option<T>> for Datum {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Datum {
        Datum::from_json(text).expect("valid JSON")
    }

    #[test]
    fn truth_of_every_kind() {
        let rows = [
            ("null", Ok(false)),
            ("false", Ok(false)),
            ("true", Ok(true)),
            ("0", Ok(false)),
            ("-1", Ok(true)),
            ("0.0", Ok(false)),
            ("0.5", Ok(true)),
            (r#""""#, Ok(false)),
            (r#"" ""#, Ok(true)),
            (r#""maybe""#, Ok(true)),
            ("[]", Ok(false)),
            ("[null]", Ok(true)),
            ("{}", Ok(false)),
            (r#"{"a":null}"#, Ok(true)),
            (r#""false""#, Err("false")),
            (r#""False""#, Err("False")),
            (r#""no""#, Err("no")),
            (r#""OFF""#, Err("OFF")),
            (r#""0""#, Err("0")),
            (r#"" no\n""#, Err(" no\n")),
        ];
        for (text, expected) in rows {
            let expected = expected.map_err(|text: &str| TextCondition(text.to_owned()));
            assert_eq!(json(text).truthy(), expected, "{text}");
        }
    }

    #[test]
    fn rendering_of_every_kind() {
        let rows = [
            ("null", ""),
            ("true", "true"),
            ("-7", "-7"),
            ("2.50", "2.5"),
            (r#""a \"b\"\n""#, "a \"b\"\n"),
            (r#"[1, "a", null]"#, r#"[1,"a",null]"#),
            (r#"{ "b": 1, "a": {"x": []} }"#, r#"{"b":1,"a":{"x":[]}}"#),
        ];
        for (text, expected) in rows {
            assert_eq!(json(text).render(), expected, "{text}");
        }
    }

    #[test]
    fn a_path_leads_through_objects_alone() {
        let value = json(r#"{"a":{"b":[1]},"t":"text"}"#);
        assert_eq!(value.get(&[]), Some(&value));
        assert_eq!(value.get(&["a", "b"]), Some(&json("[1]")));
        assert_eq!(value.get(&["a", "b", "0"]), None);
        assert_eq!(value.get(&["t", "x"]), None);
    }

    #[test]
    fn objects_are_equal_whatever_the_order_of_fields() {
        assert_eq!(json(r#"{"a":1,"b":2}"#), json(r#"{"b":2,"a":1}"#));
        assert_ne!(json(r#"[1,2]"#), json(r#"[2,1]"#));
    }
}

//! The name of a finding, in normal form.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A finding's id in normal form: `1`, `"1"`, `" 1 "` and `1.0` are the same id (D6).
///
/// Kept as text, so integers of any size stay exact. Never blank.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct FindingId(String);

impl FindingId {
    /// Takes an id from text; `None` when it is blank.
    pub fn new(text: &str) -> Option<Self> {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return None;
        }
        Some(Self(whole_number(trimmed).unwrap_or(trimmed).to_owned()))
    }

    /// Takes an id from a JSON value as it was written; `None` unless it is a number or text.
    ///
    /// Numbers are read by their digits, never through floating point.
    pub fn from_json(raw: &RawValue) -> Option<Self> {
        let text = raw.get().trim();
        match text.as_bytes().first()? {
            b'"' => Self::new(&serde_json::from_str::<String>(text).ok()?),
            b'-' | b'0'..=b'9' => Self::new(text),
            _ => None,
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// `12.000` is the whole number `12`.
fn whole_number(text: &str) -> Option<&str> {
    let (whole, fraction) = text.split_once('.')?;
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let is_number = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !fraction.is_empty()
        && fraction.bytes().all(|byte| byte == b'0');
    is_number.then_some(whole)
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl<'de> Deserialize<'de> for FindingId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::from_json(&raw)
            .ok_or_else(|| serde::de::Error::custom("a finding id is a number or a non-blank text"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expected: Option<&str>) {
        let raw: Box<RawValue> = serde_json::from_str(json).expect("valid JSON");
        let id = FindingId::from_json(&raw);
        assert_eq!(id.as_ref().map(FindingId::as_str), expected, "{json}");
    }

    #[test]
    fn one_finding_has_one_id_however_it_is_written() {
        check("1", Some("1"));
        check("1.0", Some("1"));
        check(r#""1""#, Some("1"));
        check(r#""  1 ""#, Some("1"));
        check(r#""F1""#, Some("F1"));
        check("9007199254740993", Some("9007199254740993"));
        check("9007199254740992", Some("9007199254740992"));
        check("1.5", Some("1.5"));
    }

    #[test]
    fn what_is_no_id_gives_none() {
        for json in ["null", "true", "[]", "{}", r#""""#, r#""  ""#] {
            check(json, None);
        }
    }
}

//! The name of a finding, in normal form.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A finding's id in normal form: `1`, `"1"`, `" 1 "` and `1.0` are the same id (D6).
///
/// Kept as text, so integers of any size stay exact. Never blank, and on one line: an id with a
/// control character is none, since ids stand in the lines that Tribunal prints. Ordered as people
/// count: `2` before `10`, `F2` before `F10`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct FindingId(String);

impl FindingId {
    /// Takes an id from text; `None` when it is blank or holds a control character.
    pub fn new(text: &str) -> Option<Self> {
        let trimmed = text.trim();
        if trimmed.is_empty() || trimmed.contains(breaks_a_line) {
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
            b'"' if text.contains('\\') => Self::new(&serde_json::from_str::<String>(text).ok()?),
            b'"' => Self::new(text.strip_prefix('"')?.strip_suffix('"')?),
            b'-' | b'0'..=b'9' => Self::new(text),
            _ => None,
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn breaks_a_line(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
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

impl Ord for FindingId {
    fn cmp(&self, other: &Self) -> Ordering {
        count_order(&self.0, &other.0).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for FindingId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Compares runs of digits by their value and everything else byte by byte.
fn count_order(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    loop {
        match (left.first(), right.first()) {
            (Some(a), Some(b)) if a.is_ascii_digit() && b.is_ascii_digit() => {
                let (number, other) = (digits(&mut left), digits(&mut right));
                let by_value = number.len().cmp(&other.len()).then_with(|| number.cmp(other));
                if by_value.is_ne() {
                    return by_value;
                }
            }
            (Some(a), Some(b)) if a == b => {
                left = &left[1..];
                right = &right[1..];
            }
            (a, b) => return a.cmp(&b),
        }
    }
}

/// Takes the leading digits off `text`; leading zeros are left out of the answer.
fn digits<'a>(text: &mut &'a [u8]) -> &'a [u8] {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    *text = rest;
    let zeros = number.iter().take_while(|byte| **byte == b'0').count();
    &number[zeros..]
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl JsonSchema for FindingId {
    fn schema_name() -> Cow<'static, str> {
        "finding_id".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number or a text on one line; `1` and `\"1\"` are the same id.",
            "type": ["string", "number"],
            "pattern": r"^\P{Cc}*\S\P{Cc}*$",
        })
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
        for json in [
            "null",
            "true",
            "[]",
            "{}",
            r#""""#,
            r#""  ""#,
            r#""F1\nVERIFY: PASS""#,
            "\"F\\u001b[2J\"",
        ] {
            check(json, None);
        }
    }

    #[test]
    fn ids_are_ordered_as_people_count() {
        let mut ids = ["F10", "c2-F1", "10", "F2", "2", "F02", "F1", "F1-2", "a"]
            .map(|text| FindingId::new(text).expect("an id"));
        ids.sort();
        assert_eq!(
            ids.map(|id| id.to_string()),
            ["2", "10", "F1", "F1-2", "F02", "F2", "F10", "a", "c2-F1"]
        );
    }
}

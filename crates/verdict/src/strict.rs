//! A strict JSON reader for one value inside a text (RFC 8259).
//!
//! Reading goes on an explicit stack: nested input costs memory, never the thread's own stack.

use crate::json::Json;
use crate::text::string_end;
use crate::trail::{Trail, fits};

/// Reads the array or object that starts at `start` and gives the offset after it, else the offset
/// from which on the text is no JSON; the trail says what was passed.
pub(crate) fn read(
    bytes: &[u8],
    start: usize,
    wanted: &str,
    trail: &mut Trail,
) -> Result<usize, usize> {
    trail.start(start);
    Reading { bytes, wanted, trail }.run(start)
}

/// A text that is exactly one JSON object.
pub(crate) fn whole_object<'a>(text: &'a str, trail: &mut Trail) -> Option<Json<'a>> {
    // Most texts are no object, and their two ends say so.
    let may_be_object = text.starts_with('{') && text.ends_with('}') && fits(text);
    // Why the text is no object does not matter: the next tier is asked.
    let is_object = may_be_object && read(text.as_bytes(), 0, "", trail) == Ok(text.len());
    trail.keyed.clear();
    is_object.then(|| Json::valid(text))
}

struct Reading<'a> {
    bytes: &'a [u8],
    wanted: &'a str,
    trail: &'a mut Trail,
}

impl Reading<'_> {
    fn run(&mut self, start: usize) -> Result<usize, usize> {
        let bytes = self.bytes;
        let mut at = start;
        let mut key_is_due = false;
        loop {
            if key_is_due {
                at = self.key(at)?;
            }
            // A value is due: an open bracket, with what it holds, or a scalar.
            let byte = *bytes.get(at).ok_or(at)?;
            if byte == b'"' {
                at = self.string(at)?;
            } else if byte == b'{' || byte == b'[' {
                let is_object = byte == b'{';
                let inner = after_blanks(bytes, at + 1);
                // In ASCII each bracket is two before its partner.
                if bytes.get(inner) != Some(&(byte + 2)) {
                    self.trail.open(at, is_object);
                    key_is_due = is_object;
                    at = inner;
                    continue;
                }
                self.trail.pass_empty(at, inner + 1, is_object);
                at = inner + 1;
                if self.trail.depth() == 0 {
                    return Ok(at);
                }
            } else {
                at = scalar_end(bytes, at)?;
                if !self.trail.in_object() {
                    at = numbers_end(bytes, at)?;
                }
            }
            // A value has ended: brackets may close, until a comma promises another value.
            loop {
                at = after_blanks(bytes, at);
                let byte = *bytes.get(at).ok_or(at)?;
                if byte == b',' {
                    at = after_blanks(bytes, at + 1);
                    key_is_due = self.trail.in_object();
                    break;
                }
                let is_right = match byte {
                    b'}' => self.trail.close(true, at + 1),
                    b']' => self.trail.close(false, at + 1),
                    _ => false,
                };
                if !is_right {
                    return Err(at);
                }
                at += 1;
                if self.trail.depth() == 0 {
                    return Ok(at);
                }
            }
        }
    }

    /// Reads a key and its colon; gives the offset of the value.
    #[inline]
    fn key(&mut self, start: usize) -> Result<usize, usize> {
        if self.bytes.get(start) != Some(&b'"') {
            return Err(start);
        }
        let end = self.string(start)?;
        let colon = after_blanks(self.bytes, end);
        if self.bytes.get(colon) != Some(&b':') {
            return Err(colon);
        }
        let value = after_blanks(self.bytes, colon + 1);
        self.trail.add_key(&self.bytes[start..end], self.wanted, value);
        Ok(value)
    }

    #[inline]
    fn string(&mut self, quote: usize) -> Result<usize, usize> {
        let end = string_end(self.bytes, quote, &mut self.trail.hidden);
        end.inspect_err(|_| self.trail.in_string = true)
    }
}

/// The offset of the first byte from `at` on that is not blank.
#[inline]
pub(crate) fn after_blanks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at)
        && *byte <= b' '
        && matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
    {
        at += 1;
    }
    at
}

/// The end of a number or a literal; else the offset of the first wrong byte.
#[inline]
pub(crate) fn scalar_end(bytes: &[u8], at: usize) -> Result<usize, usize> {
    match bytes.get(at) {
        Some(b'-' | b'0'..=b'9') => number_end(bytes, at),
        _ => word_end(bytes, at),
    }
}

fn word_end(bytes: &[u8], at: usize) -> Result<usize, usize> {
    match bytes.get(at) {
        Some(b't') => literal_end(bytes, at, b"true"),
        Some(b'f') => literal_end(bytes, at, b"false"),
        Some(b'n') => literal_end(bytes, at, b"null"),
        _ => Err(at),
    }
}

fn literal_end(bytes: &[u8], at: usize, literal: &[u8]) -> Result<usize, usize> {
    if bytes[at..].starts_with(literal) { Ok(at + literal.len()) } else { Err(at) }
}

/// The end of the numbers that follow an element at once; in a list of thousands none of them needs
/// a look at the brackets.
#[inline]
fn numbers_end(bytes: &[u8], mut end: usize) -> Result<usize, usize> {
    while let Some([b',', b'0'..=b'9']) = bytes.get(end..end + 2) {
        end = number_end(bytes, end + 1)?;
    }
    Ok(end)
}

#[inline]
fn number_end(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start + usize::from(bytes[start] == b'-');
    at = if bytes.get(at) == Some(&b'0') { at + 1 } else { digits_end(bytes, at)? };
    match bytes.get(at) {
        Some(b'.' | b'e' | b'E') => fraction_end(bytes, at),
        _ => Ok(at),
    }
}

fn fraction_end(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start;
    if bytes[at] == b'.' {
        at = digits_end(bytes, at + 1)?;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at = digits_end(bytes, at + 1 + signed)?;
    }
    Ok(at)
}

/// The end of at least one digit.
#[inline]
fn digits_end(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start;
    while matches!(bytes.get(at), Some(b'0'..=b'9')) {
        at += 1;
    }
    if at == start { Err(at) } else { Ok(at) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use super::*;

    fn check(text: &str, expected: Result<usize, usize>) {
        let mut trail = Trail::default();
        assert_eq!(read(text.as_bytes(), 0, "k", &mut trail), expected, "{text}");
        assert!(!trail.in_string, "{text}");
    }

    fn check_in_string(text: &str, wrong: usize) {
        let mut trail = Trail::default();
        assert_eq!(read(text.as_bytes(), 0, "k", &mut trail), Err(wrong), "{text}");
        assert!(trail.in_string, "{text}");
    }

    #[test]
    fn a_reading_ends_after_the_value_or_at_the_first_wrong_byte() {
        check("{} tail", Ok(2));
        check(r#"{"a":[1,-0.5e+3,true,null,"\u00e9"]}}"#, Ok(36));
        check(r#"{"a":1,}"#, Err(7));
        check("[1,]", Err(3));
        check("{'a':1}", Err(1));
        check(r#"{"a":01}"#, Err(6));
        check_in_string(r#"{"a":"\d"}"#, 6);
        check_in_string("{\"a\":\"\n\"}", 6);
        check(r#"{"a":[}"#, Err(6));
        check(r#"{"a":"#, Err(5));
        check(r#"{"a":NaN}"#, Err(5));
    }

    fn keyed(text: &str) -> Vec<(&str, bool)> {
        let mut trail = Trail::default();
        let _ = read(text.as_bytes(), 0, "k", &mut trail);
        trail.keyed.iter().map(|keyed| (&text[keyed.place()], keyed.inside)).collect()
    }

    #[test]
    fn the_outer_of_two_objects_with_the_key_is_kept() {
        assert_eq!(keyed(r#"{"k":{"k":1}}"#), [(r#"{"k":{"k":1}}"#, false)]);
        assert_eq!(keyed(r#"{"a":{"k":1},"k":2}"#), [(r#"{"a":{"k":1},"k":2}"#, false)]);
        assert_eq!(keyed(r#"{"a":{"\u006b":1}}"#), [(r#"{"\u006b":1}"#, true)]);
        assert_eq!(keyed(r#"[{"k":1},{"b":"k"}]"#), [(r#"{"k":1}"#, false)]);
        assert_eq!(keyed(r#"{"a":{"k":1},"#), [(r#"{"k":1}"#, true)], "an unfinished object");
    }

    proptest! {
        #[test]
        fn the_reader_takes_exactly_what_serde_json_takes(
            text in r#"[\[{]([\[\]{}:,"\\ \n]|"a"|"k":|1|-|0|\.|e|\+|true|null|\\u00e9|\\n|é){0,24}"#
        ) {
            let mut stream = serde_json::Deserializer::from_str(&text).into_iter::<&RawValue>();
            let theirs = stream.next().and_then(Result::ok).map(|_| stream.byte_offset());
            let ours = read(text.as_bytes(), 0, "k", &mut Trail::default()).ok();
            prop_assert_eq!(ours, theirs);
        }
    }
}

//! A strict JSON reader for one value inside a text (RFC 8259).
//!
//! Reading goes on an explicit stack: nested input costs memory, never the thread's own stack.

use crate::text::string_end;
use crate::trail::Trail;

/// Reads the array or object that starts at `start` and gives the offset after it, else the offset
/// from which on the text is no JSON; the trail says what was passed.
pub(crate) fn read(
    text: &str,
    start: usize,
    wanted: &str,
    trail: &mut Trail,
) -> Result<usize, usize> {
    trail.clear();
    Reading { text, bytes: text.as_bytes(), wanted, trail }.run(start)
}

struct Reading<'a> {
    text: &'a str,
    bytes: &'a [u8],
    wanted: &'a str,
    trail: &'a mut Trail,
}

impl Reading<'_> {
    fn run(&mut self, start: usize) -> Result<usize, usize> {
        let mut at = self.value(start)?;
        loop {
            at = after_blanks(self.bytes, at);
            at = match self.bytes.get(at) {
                Some(b',') => {
                    let mut value = after_blanks(self.bytes, at + 1);
                    if self.trail.in_object() {
                        value = self.key(value)?;
                    }
                    self.value(value)?
                }
                Some(b'}') if self.trail.close_object(at + 1) => at + 1,
                Some(b']') if self.trail.close_array() => at + 1,
                _ => return Err(at),
            };
            if self.trail.is_closed() {
                return Ok(at);
            }
        }
    }

    /// Reads a scalar, or opens brackets down to one; what it opened is closed later. Gives the
    /// offset to go on from.
    #[inline]
    fn value(&mut self, start: usize) -> Result<usize, usize> {
        let mut at = start;
        loop {
            match self.bytes.get(at) {
                Some(b'{') => {
                    self.trail.open_object(at);
                    at = after_blanks(self.bytes, at + 1);
                    if self.bytes.get(at) == Some(&b'}') {
                        return Ok(at);
                    }
                    at = self.key(at)?;
                }
                Some(b'[') => {
                    self.trail.open_array();
                    at = after_blanks(self.bytes, at + 1);
                    if self.bytes.get(at) == Some(&b']') {
                        return Ok(at);
                    }
                }
                Some(b'"') => return self.string(at),
                _ => return scalar_end(self.bytes, at),
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
        self.trail.add_key(&self.text[start..end], self.wanted, value);
        Ok(value)
    }

    #[inline]
    fn string(&mut self, quote: usize) -> Result<usize, usize> {
        let end = string_end(self.bytes, quote, &mut self.trail.hidden);
        self.trail.in_string = end.is_err();
        end
    }
}

/// The offset of the first byte from `at` on that is not blank.
#[inline]
pub(crate) fn after_blanks(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// The end of a number or a literal; else the offset of the first wrong byte.
fn scalar_end(bytes: &[u8], at: usize) -> Result<usize, usize> {
    match bytes.get(at) {
        Some(b'-' | b'0'..=b'9') => number_end(bytes, at),
        Some(b't') => literal_end(bytes, at, b"true"),
        Some(b'f') => literal_end(bytes, at, b"false"),
        Some(b'n') => literal_end(bytes, at, b"null"),
        _ => Err(at),
    }
}

fn literal_end(bytes: &[u8], at: usize, literal: &[u8]) -> Result<usize, usize> {
    if bytes[at..].starts_with(literal) { Ok(at + literal.len()) } else { Err(at) }
}

fn number_end(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start + usize::from(bytes[start] == b'-');
    at = if bytes.get(at) == Some(&b'0') { at + 1 } else { digits_end(bytes, at)? };
    if bytes.get(at) == Some(&b'.') {
        at = digits_end(bytes, at + 1)?;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at = digits_end(bytes, at + 1 + signed)?;
    }
    Ok(at)
}

/// The end of at least one digit.
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
        assert_eq!(read(text, 0, "k", &mut trail), expected, "{text}");
        assert!(!trail.in_string, "{text}");
    }

    fn check_in_string(text: &str, wrong: usize) {
        let mut trail = Trail::default();
        assert_eq!(read(text, 0, "k", &mut trail), Err(wrong), "{text}");
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
        let _ = read(text, 0, "k", &mut trail);
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
            let ours = read(&text, 0, "k", &mut Trail::default()).ok();
            prop_assert_eq!(ours, theirs);
        }
    }
}

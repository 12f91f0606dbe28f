//! A strict JSON reader for one value inside a text (RFC 8259), which remembers what it passed.
//!
//! Reading goes on one explicit stack: nested input costs memory, never the thread's own stack.

use std::ops::Range;

use serde_json::value::RawValue;

use crate::members::string;

/// How a reading ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The value is complete; the offset is the one after it.
    Complete(usize),
    /// The text is no JSON from this offset on.
    Broken(usize),
}

/// A closed object that has the wanted key, and that no closed object with the key contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Keyed {
    pub(crate) place: Range<usize>,
    /// Whether it was read as a part of another object.
    pub(crate) inside: bool,
}

/// What one reading passed; kept between readings for its memory alone.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    /// The braces of all objects that were opened, the first one included.
    pub(crate) braces: Vec<usize>,
    /// Objects with the wanted key, in order.
    pub(crate) keyed: Vec<Keyed>,
    /// The last closed object that is no part of another one.
    pub(crate) outermost: Option<Range<usize>>,
    /// Whether a key and its colon were read.
    pub(crate) colon: bool,
    open: Vec<Frame>,
    open_objects: usize,
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    start: usize,
    is_object: bool,
    has_key: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    Value,
    ValueOrClose,
    Key,
    KeyOrClose,
    Colon,
    CommaOrClose,
}

/// Reads the array or object that starts at `start`.
pub(crate) fn read(text: &str, start: usize, wanted: &str, trail: &mut Trail) -> Ended {
    trail.clear();
    let bytes = text.as_bytes();
    let mut expected = Expected::Value;
    let mut at = start;
    loop {
        at += blanks(&bytes[at..]);
        let Some(&byte) = bytes.get(at) else { return Ended::Broken(at) };
        expected = match (expected, byte) {
            (Expected::Value | Expected::ValueOrClose, b'{') => {
                trail.open(at, true);
                at += 1;
                Expected::KeyOrClose
            }
            (Expected::Value | Expected::ValueOrClose, b'[') => {
                trail.open(at, false);
                at += 1;
                Expected::ValueOrClose
            }
            (
                Expected::KeyOrClose | Expected::ValueOrClose | Expected::CommaOrClose,
                b'}' | b']',
            ) => {
                at += 1;
                if !trail.close(at, byte == b'}') {
                    return Ended::Broken(at - 1);
                }
                if trail.open.is_empty() {
                    return Ended::Complete(at);
                }
                Expected::CommaOrClose
            }
            (Expected::CommaOrClose, b',') => {
                at += 1;
                if trail.in_object() { Expected::Key } else { Expected::Value }
            }
            (Expected::Key | Expected::KeyOrClose, b'"') => match string_end(bytes, at) {
                Ok(end) => {
                    trail.note_key(&text[at..end], wanted);
                    at = end;
                    Expected::Colon
                }
                Err(wrong) => return Ended::Broken(wrong),
            },
            (Expected::Colon, b':') => {
                trail.colon = true;
                at += 1;
                Expected::Value
            }
            (Expected::Value | Expected::ValueOrClose, _) => match scalar_end(bytes, at) {
                Ok(end) => {
                    at = end;
                    Expected::CommaOrClose
                }
                Err(wrong) => return Ended::Broken(wrong),
            },
            _ => return Ended::Broken(at),
        };
    }
}

impl Trail {
    fn clear(&mut self) {
        self.braces.clear();
        self.keyed.clear();
        self.outermost = None;
        self.colon = false;
        self.open.clear();
        self.open_objects = 0;
    }

    fn open(&mut self, start: usize, is_object: bool) {
        if is_object {
            self.braces.push(start);
            self.open_objects += 1;
        }
        self.open.push(Frame { start, is_object, has_key: false });
    }

    fn in_object(&self) -> bool {
        self.open.last().is_some_and(|frame| frame.is_object)
    }

    fn note_key(&mut self, literal: &str, wanted: &str) {
        if let Some(frame) = self.open.last_mut() {
            frame.has_key |= is_key(literal, wanted);
        }
    }

    /// Closes the innermost frame; false when the bracket is not its own.
    fn close(&mut self, end: usize, is_object: bool) -> bool {
        let Some(frame) = self.open.pop_if(|frame| frame.is_object == is_object) else {
            return false;
        };
        if !is_object {
            return true;
        }
        self.open_objects -= 1;
        let inside = self.open_objects > 0;
        if !inside {
            self.outermost = Some(frame.start..end);
        }
        if frame.has_key {
            while self.keyed.pop_if(|inner| inner.place.start > frame.start).is_some() {}
            self.keyed.push(Keyed { place: frame.start..end, inside });
        }
        true
    }
}

/// Whether a key, as written, is the wanted one.
fn is_key(literal: &str, wanted: &str) -> bool {
    if !literal.contains('\\') {
        return &literal[1..literal.len() - 1] == wanted;
    }
    serde_json::from_str::<&RawValue>(literal).ok().and_then(string).as_deref() == Some(wanted)
}

fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
}

/// The end of a string, a number or a literal; else the offset of the first wrong byte.
fn scalar_end(bytes: &[u8], at: usize) -> Result<usize, usize> {
    match bytes[at] {
        b'"' => string_end(bytes, at),
        b'-' | b'0'..=b'9' => number_end(bytes, at),
        b't' => literal_end(bytes, at, b"true"),
        b'f' => literal_end(bytes, at, b"false"),
        b'n' => literal_end(bytes, at, b"null"),
        _ => Err(at),
    }
}

fn literal_end(bytes: &[u8], at: usize, literal: &[u8]) -> Result<usize, usize> {
    if bytes[at..].starts_with(literal) { Ok(at + literal.len()) } else { Err(at) }
}

fn string_end(bytes: &[u8], quote: usize) -> Result<usize, usize> {
    let mut at = quote + 1;
    loop {
        at += bytes[at..].iter().take_while(|byte| !STOPS[usize::from(**byte)]).count();
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => at = escape_end(bytes, at)?,
            _ => return Err(at),
        }
    }
}

/// The bytes that end a run of plain characters in a string: quote, backslash, control codes.
const STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        stops[byte] = true;
        byte += 1;
    }
    stops[b'"' as usize] = true;
    stops[b'\\' as usize] = true;
    stops
};

fn escape_end(bytes: &[u8], backslash: usize) -> Result<usize, usize> {
    match bytes.get(backslash + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(backslash + 2),
        Some(b'u') => match bytes.get(backslash + 2..backslash + 6) {
            Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => Ok(backslash + 6),
            _ => Err(backslash),
        },
        _ => Err(backslash),
    }
}

fn number_end(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let digits = |at: usize| {
        let count = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 { Err(at) } else { Ok(at + count) }
    };
    let mut at = start + usize::from(bytes[start] == b'-');
    at = if bytes.get(at) == Some(&b'0') { at + 1 } else { digits(at)? };
    if bytes.get(at) == Some(&b'.') {
        at = digits(at + 1)?;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at = digits(at + 1 + signed)?;
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: Ended) {
        assert_eq!(read(text, 0, "k", &mut Trail::default()), expected, "{text}");
    }

    #[test]
    fn a_reading_ends_after_the_value_or_at_the_first_wrong_byte() {
        check("{} tail", Ended::Complete(2));
        check(r#"{"a":[1,-0.5e+3,true,null,"\u00e9"]}}"#, Ended::Complete(36));
        check(r#"{"a":1,}"#, Ended::Broken(7));
        check("[1,]", Ended::Broken(3));
        check("{'a':1}", Ended::Broken(1));
        check(r#"{"a":01}"#, Ended::Broken(6));
        check(r#"{"a":"\d"}"#, Ended::Broken(6));
        check("{\"a\":\"\n\"}", Ended::Broken(6));
        check(r#"{"a":[}"#, Ended::Broken(6));
        check(r#"{"a":"#, Ended::Broken(5));
        check(r#"{"a":NaN}"#, Ended::Broken(5));
    }

    fn keyed(text: &str) -> Vec<(&str, bool)> {
        let mut trail = Trail::default();
        read(text, 0, "k", &mut trail);
        trail.keyed.iter().map(|keyed| (&text[keyed.place.clone()], keyed.inside)).collect()
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
            let ours = match read(&text, 0, "k", &mut Trail::default()) {
                Ended::Complete(end) => Some(end),
                Ended::Broken(_) => None,
            };
            prop_assert_eq!(ours, theirs);
        }
    }
}

//! The walk over a text that is no single object (tier 3, D3).
//!
//! Every brace is tried as the start of an object, but none twice: what a JSON value is does not
//! depend on what surrounds it, so a brace that a reading passed needs no reading of its own. The
//! braces that are left stand inside strings of a broken reading; a reading that starts there sees
//! strings where the broken one saw none and the other way round. So each byte is read at most
//! once for each of these two views, whatever the text.

use memchr::{memchr, memchr2, memrchr};

use crate::Wanted;
use crate::picks::Picks;
use crate::strict::{Ended, Trail, read};

/// Walks a text for objects with the wanted key.
///
/// With `head_is_missing`, nothing is known about what stood before, so only an object with the
/// key can be an answer.
pub(crate) fn walk<'a>(text: &'a str, wanted: &Wanted<'_>, head_is_missing: bool) -> Picks<'a> {
    let covered = if head_is_missing { text.len() } else { 0 };
    let mut walk = Walk {
        text,
        wanted,
        covered,
        picks: Picks::default(),
        trail: Trail::default(),
        passed: Passed::default(),
        bytes_read: 0,
    };
    // Most texts without an answer have no object at all.
    if memrchr(b'}', text.as_bytes()).is_some() {
        walk.run();
    }
    walk.picks
}

struct Walk<'a, 'w> {
    text: &'a str,
    wanted: &'w Wanted<'w>,
    /// Up to here the text belongs to a broken object: only objects with the key count.
    covered: usize,
    picks: Picks<'a>,
    trail: Trail,
    passed: Passed,
    /// Counted for the tests of linear time.
    bytes_read: usize,
}

impl Walk<'_, '_> {
    fn run(&mut self) {
        let mut from = 0;
        while let Some(offset) = memchr(b'{', &self.text.as_bytes()[from..]) {
            let brace = from + offset;
            from = if self.passed.contains(brace) { brace + 1 } else { self.try_at(from, brace) };
        }
    }

    /// Tries the object at `brace`, or the array that starts right before it; gives the offset
    /// to go on from.
    fn try_at(&mut self, from: usize, brace: usize) -> usize {
        let before = self.text[from..brace].trim_end_matches([' ', '\t', '\n', '\r']);
        let start = if before.ends_with('[') { from + before.len() - 1 } else { brace };
        let ended = read(self.text, start, self.wanted.key, &mut self.trail);
        for keyed in &self.trail.keyed {
            let object = &self.text[keyed.place.clone()];
            self.picks.add(self.wanted, keyed.place.start, object, keyed.inside);
        }
        match ended {
            Ended::Complete(end) => {
                self.bytes_read += end - start;
                self.take(start, end);
                end
            }
            Ended::Broken(at) => {
                self.bytes_read += at - start;
                self.pass_by(start, brace);
                brace + 1
            }
        }
    }

    fn take(&mut self, start: usize, end: usize) {
        let text = self.text;
        if start < self.covered {
            return;
        }
        if text[start..].starts_with('[') {
            self.picks.array = Some(&text[start..end]);
        }
        if let Some(place) = self.trail.outermost.clone() {
            self.picks.outermost = Some(&text[place]);
        }
    }

    fn pass_by(&mut self, start: usize, brace: usize) {
        let text = self.text;
        self.passed.extend(text.len(), &self.trail.braces);
        let is_broken_object = self.trail.colon || looks_like_object(&text[brace + 1..]);
        if start >= self.covered && is_broken_object {
            self.covered = lenient_end(text.as_bytes(), start);
            self.bytes_read += self.covered - start;
        }
    }
}

/// Whether what follows a brace was meant as an object: a first key in any kind of quotes, or in
/// none, and a colon. A brace in prose or code is not.
fn looks_like_object(text: &str) -> bool {
    // A key with a brace in it would let every brace of a flood look over the whole rest.
    let end = memchr2(b'{', b'}', text.as_bytes()).unwrap_or(text.len());
    let Some((key, _)) = without_comments(&text[..end]).split_once(':') else { return false };
    let key = key.trim();
    let quoted = ['"', '\''].into_iter().find_map(|quote| {
        key.strip_prefix(quote)?.strip_suffix(quote).map(|name| !name.contains([quote, '\n']))
    });
    quoted.unwrap_or_else(|| {
        !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
    })
}

fn without_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let after = if let Some(comment) = rest.strip_prefix("//") {
            comment.split_once('\n')
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/")
        } else {
            return rest;
        };
        rest = after.map_or("", |(_, code)| code.trim_start());
    }
}

/// Where a broken value would end: at the bracket that closes it, brackets in strings aside, else
/// at the end of the text (D3: an inner entry of a truncated or broken verdict is no answer).
fn lenient_end(bytes: &[u8], start: usize) -> usize {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (offset, byte) in bytes[start..].iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return start + offset + 1;
                }
            }
            _ => {}
        }
    }
    bytes.len()
}

/// The braces that a broken reading has passed, one bit for each byte of the text.
#[derive(Debug, Default)]
struct Passed(Vec<u64>);

impl Passed {
    fn contains(&self, at: usize) -> bool {
        self.0.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn extend(&mut self, text_length: usize, braces: &[usize]) {
        // The brace that a reading starts at is never met again; most readings in prose have
        // no other.
        if braces.len() > 1 && self.0.is_empty() {
            self.0.resize(text_length / 64 + 1, 0);
        }
        for at in braces {
            if let Some(word) = self.0.get_mut(at / 64) {
                *word |= 1 << (at % 64);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bytes_read(text: &str) -> usize {
        let wanted = Wanted::any_entry("validated");
        let mut walk = Walk {
            text,
            wanted: &wanted,
            covered: 0,
            picks: Picks::default(),
            trail: Trail::default(),
            passed: Passed::default(),
            bytes_read: 0,
        };
        walk.run();
        walk.bytes_read
    }

    /// Two views of each byte, and one look for the end of what is broken.
    fn check_linear(text: &str) {
        let read = bytes_read(text);
        assert!(read <= 3 * text.len(), "{read} bytes read of {}", text.len());
    }

    #[test]
    fn floods_are_read_a_bounded_number_of_times() {
        let pieces = [
            "{",
            "{\"a\":",
            "[",
            "[{",
            "\"",
            "{\"",
            "{\"a\":\"{\",",
            "{'a':",
            "{//",
            "{/*",
            "{ ",
            "{\"a\":[",
            "{\"a\":{}},",
            "}",
            "{}",
            "[{}",
            "\\",
            "{\"\\",
            "{\"a\":1 x",
            "{\"a\":\"\\\"{",
            "{\"{\":",
            "```{",
            "{a:\"",
            "{\"validated\":[",
            "{\"validated\":[]}",
            "[ [ {",
        ];
        for piece in pieces {
            let flood = piece.repeat(50_000 / piece.len());
            check_linear(&format!("{flood}}}"));
            check_linear(&format!("{flood}\"}}"));
            check_linear(&format!("{flood}]}}]"));
        }
        let members =
            format!("{}{}", r#"{"a":1,"b":"#.repeat(120), r#"{"c":"x{y}"},"#.repeat(4_000));
        check_linear(&format!("{members}}}"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_a_bounded_number_of_times(
            text in r#"([{}\[\]",:\\ a1]|"a":|\{"a":|\{"|\\"|"validated":){0,200}\}"#
        ) {
            check_linear(&text);
        }
    }

    fn check_object_like(text: &str, expected: bool) {
        assert_eq!(looks_like_object(text), expected, "{text}");
    }

    #[test]
    fn a_brace_that_was_meant_as_an_object_shows_a_first_key() {
        for text in ["\"a\":1", " 'a' : 1", "validated: [", "// note\n \"a\": 1", "/* x */a:1"] {
            check_object_like(text, true);
        }
        for text in ["", "x}", " println!(\"a:\") }", "\"a\" }", "{\"a\":1}", "if a b: c", ":"] {
            check_object_like(text, false);
        }
    }
}

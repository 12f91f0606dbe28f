//! The walk over a text that is no single object (tier 3, D3).
//!
//! Every brace is tried as the start of an object, but none twice: what a JSON value is does not
//! depend on what surrounds it, so a brace that a reading passed needs no reading of its own. The
//! braces that are left stand inside strings of a broken reading; a reading that starts there sees
//! strings where the broken one saw none and the other way round. So each byte is read at most
//! once for each of these two views, whatever the text.

use memchr::{memchr, memrchr};

use crate::Wanted;
use crate::broken::{find_near, lenient_end, looks_like_object};
use crate::picks::Picks;
use crate::strict::{after_blanks, read};
use crate::text::near_string_end;
use crate::trail::{Place, Trail, fits};

/// Bytes of a text that are searched at most (D5).
pub(crate) const WALK_MAX: usize = 64 << 20;

/// Finds the objects of a text, the first one as the whole text where it is that.
pub(crate) struct Walk<'a, 'w> {
    text: &'a str,
    wanted: &'w Wanted<'w>,
    /// The reading of the whole text, until it counts.
    first: Option<Result<usize, usize>>,
    /// Up to here the text belongs to a broken object: only objects with the key count.
    covered: usize,
    /// The last outermost array of objects.
    array: Option<Place>,
    /// The last outermost object.
    outermost: Option<Place>,
    trail: Trail,
    /// Counted for the tests of linear time.
    bytes_read: usize,
}

impl<'a, 'w> Walk<'a, 'w> {
    pub(crate) fn new(text: &'a str, wanted: &'w Wanted<'w>) -> Self {
        let trail = Trail::default();
        let (array, outermost) = (None, None);
        Self { text, wanted, first: None, covered: 0, array, outermost, trail, bytes_read: 0 }
    }

    /// Of a text without its head nothing is known about what stood before, so only an object with
    /// the key can be an answer.
    pub(crate) fn without_head(text: &'a str, wanted: &'w Wanted<'w>) -> Self {
        Self { covered: text.len(), ..Self::new(text, wanted) }
    }

    /// Whether the text is one object and nothing else; asked first, if at all.
    pub(crate) fn is_whole(&mut self) -> bool {
        // Most texts are no object, and their two ends say so.
        if !self.text.starts_with('{') || !self.text.ends_with('}') || !fits(self.text) {
            return false;
        }
        let reading = read(self.text.as_bytes(), 0, self.wanted.key, &mut self.trail);
        self.first = Some(reading);
        reading == Ok(self.text.len())
    }

    /// Whether the whole text has the key at its top level.
    pub(crate) fn has_key(&self) -> bool {
        self.trail.keyed.last().is_some_and(|keyed| keyed.place() == (0..self.text.len()))
    }

    /// Walks to the end; at most [`WALK_MAX`] bytes, a text that is whole apart.
    pub(crate) fn finish(mut self) -> Picks<'a> {
        self.run();
        Picks::new(self.text, self.trail.keyed, self.array, self.outermost)
    }

    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        // Most texts without an answer have no object at all.
        if memrchr(b'}', bytes).is_none() {
            return;
        }
        let mut from = self.first.take().map_or(0, |reading| self.count(0, 0, reading));
        while let Some(brace) = next_brace(bytes, from) {
            let is_passed = self.trail.passed.contains(brace);
            from = if is_passed { brace + 1 } else { self.try_at(brace) };
        }
    }

    /// Tries the object at `brace`, or the array that starts right before it; gives the offset
    /// to go on from.
    fn try_at(&mut self, brace: usize) -> usize {
        let bytes = self.text.as_bytes();
        let first = after_blanks(bytes, brace + 1);
        let next = bytes.get(first).copied();
        if next == Some(b'"') {
            return match self.no_key(brace, first) {
                Some(end) => self.pass_over(first, end),
                None => self.read(array_before(bytes, brace).unwrap_or(brace), brace),
            };
        }
        if next == Some(b'}') {
            let end = first + 1;
            return match array_before(bytes, brace) {
                None => self.take_empty(brace, end),
                Some(start) if is_element_end(bytes, end) => self.read(start, brace),
                // An array that breaks off before it holds a member.
                Some(_) => end,
            };
        }
        // No object, and no need to read on: most braces of prose and code end here.
        let may_be_key = !matches!(next, None | Some(b'{' | b'[' | b']' | b',' | b':'));
        if may_be_key && brace >= self.covered && looks_like_object(&self.text[brace + 1..]) {
            let is_in_array = array_before(bytes, brace).is_some();
            self.cover(first, 1 + usize::from(is_in_array), false);
        }
        first
    }

    /// Where the string at `quote` ends or breaks, if it is plain that it is no key: a flood of such
    /// strings is passed without a reading for each.
    #[inline]
    fn no_key(&self, brace: usize, quote: usize) -> Option<usize> {
        match near_string_end(self.text.as_bytes(), quote)? {
            Ok(end) => {
                // Any visible ASCII character but a colon.
                let next = self.text.as_bytes().get(end);
                next.is_some_and(|next| next.is_ascii_graphic() && *next != b':').then_some(end)
            }
            Err(at) => {
                let counts = brace >= self.covered;
                (!counts || !looks_like_object(&self.text[brace + 1..])).then_some(at)
            }
        }
    }

    /// Passes over a string that was no key; a brace in it may start an object.
    fn pass_over(&mut self, quote: usize, end: usize) -> usize {
        self.bytes_read += end - quote;
        let inside = &self.text.as_bytes()[quote..end];
        inside.iter().position(|byte| *byte == b'{').map_or(end, |offset| quote + offset)
    }

    fn read(&mut self, start: usize, brace: usize) -> usize {
        let reading = read(self.text.as_bytes(), start, self.wanted.key, &mut self.trail);
        self.count(start, brace, reading)
    }

    /// Takes a reading into account; gives the offset to go on from.
    #[inline]
    fn count(&mut self, start: usize, brace: usize, reading: Result<usize, usize>) -> usize {
        match reading {
            Ok(end) => {
                self.bytes_read += end - start;
                self.take(start, end);
                end
            }
            Err(at) => self.count_broken(start, brace, at),
        }
    }

    fn count_broken(&mut self, start: usize, brace: usize, at: usize) -> usize {
        self.bytes_read += at - start;
        if start >= self.covered && (self.trail.colon || looks_like_object(&self.text[brace + 1..]))
        {
            self.cover(at, self.trail.depth(), self.trail.in_string);
        }
        self.trail.hidden.unwrap_or(at)
    }

    /// Takes an object without members, which needs no reading.
    fn take_empty(&mut self, start: usize, end: usize) -> usize {
        if start >= self.covered {
            self.outermost = Some(Place::new(start, end));
        }
        end
    }

    fn take(&mut self, start: usize, end: usize) {
        if start < self.covered {
            return;
        }
        if self.text.as_bytes()[start] == b'[' {
            self.array = Some(Place::new(start, end));
        }
        self.outermost = self.trail.outermost.or(self.outermost);
    }

    /// Covers the rest of a broken object; up to `at`, `depth` brackets are open.
    fn cover(&mut self, at: usize, depth: usize, in_string: bool) {
        self.covered = lenient_end(self.text.as_bytes(), at, depth, in_string);
        self.bytes_read += self.covered - at;
    }
}

/// The next brace that can start an object.
#[inline]
fn next_brace(bytes: &[u8], from: usize) -> Option<usize> {
    let mut brace = from;
    if bytes.get(from) != Some(&b'{') {
        brace += find_near(&bytes[from..], |byte| byte == b'{', |rest| memchr(b'{', rest))?;
    }
    // A flood of braces is passed without a look at each.
    while bytes.get(brace + 1) == Some(&b'{') {
        brace += 1;
    }
    Some(brace)
}

/// The bracket of an array that has the brace as its first element.
#[inline]
fn array_before(bytes: &[u8], brace: usize) -> Option<usize> {
    let mut before = brace.checked_sub(1)?;
    while matches!(bytes[before], b' ' | b'\t' | b'\n' | b'\r') {
        before = before.checked_sub(1)?;
    }
    (bytes[before] == b'[').then_some(before)
}

/// Whether an element of an array can end here.
fn is_element_end(bytes: &[u8], end: usize) -> bool {
    matches!(bytes.get(after_blanks(bytes, end)), Some(b',' | b']'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bytes_read(text: &str) -> usize {
        let wanted = Wanted::any_entry("validated");
        let mut walk = Walk::new(text, &wanted);
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
}

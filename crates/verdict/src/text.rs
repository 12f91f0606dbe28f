//! The strings of JSON, eight bytes at a time.

/// The end of the string that opens at `quote`; else the offset of the first wrong byte.
///
/// `hidden` learns of the first brace in a string, unless it knows of one.
#[inline]
pub(crate) fn string_end(
    bytes: &[u8],
    quote: usize,
    hidden: &mut Option<usize>,
) -> Result<usize, usize> {
    let start = quote + 1;
    // Most strings are keys and words, which one look settles.
    if let Some(word) = bytes[start..].first_chunk() {
        let mut length = plain_in(*word, also(*hidden));
        if word.get(length) == Some(&b'{') {
            hidden.get_or_insert(start + length);
            length = plain_in(*word, also(*hidden));
        }
        if word.get(length) == Some(&b'"') {
            return Ok(start + length + 1);
        }
    }
    long_string_end(bytes, start, hidden)
}

/// Goes on within a string.
fn long_string_end(bytes: &[u8], start: usize, hidden: &mut Option<usize>) -> Result<usize, usize> {
    let mut at = start;
    loop {
        at += plain(&bytes[at..], also(*hidden));
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => at = escape_end(bytes, at)?,
            Some(b'{') => {
                hidden.get_or_insert(at);
                at += 1;
            }
            _ => return Err(at),
        }
    }
}

/// What a look stops at besides quote, backslash and control codes.
#[inline]
fn also(hidden: Option<usize>) -> u8 {
    if hidden.is_none() { b'{' } else { b'"' }
}

/// The end of the string that opens at `quote`, else the offset of its first wrong byte, where one of
/// them is near and no escape comes before it.
#[inline]
pub(crate) fn near_string_end(bytes: &[u8], quote: usize) -> Option<Result<usize, usize>> {
    const NEAR: usize = 8;
    let inner = &bytes[quote + 1..];
    let inner = &inner[..inner.len().min(NEAR)];
    let stop = inner.iter().position(|byte| matches!(byte, b'"' | b'\\' | ..b' '))?;
    let at = quote + 1 + stop;
    match inner[stop] {
        b'"' => Some(Ok(at + 1)),
        b'\\' => escape_end(bytes, at).err().map(Err),
        _ => Some(Err(at)),
    }
}

/// How many bytes come before the first quote, backslash, control code or `also`.
#[inline]
fn plain(bytes: &[u8], also: u8) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let length = plain_in(*word, also);
        if length < word.len() {
            return 8 * index + length;
        }
    }
    let is_plain = |byte: &u8| *byte >= b' ' && !matches!(byte, b'"' | b'\\') && *byte != also;
    8 * words.len() + rest.iter().take_while(|byte| is_plain(byte)).count()
}

/// The same for one word; 8 when all of it is plain.
#[inline]
fn plain_in(word: [u8; 8], also: u8) -> usize {
    (stops(u64::from_le_bytes(word), also).trailing_zeros() / 8) as usize
}

const EVERY_BYTE: u64 = u64::from_ne_bytes([1; 8]);

/// The high bit of each byte that `plain` stops at. A borrow can set bits above the lowest one that
/// is right, never below it.
#[inline]
fn stops(word: u64, also: u8) -> u64 {
    let zeros = |word: u64| word.wrapping_sub(EVERY_BYTE) & !word;
    let equal = |byte: u8| zeros(word ^ (EVERY_BYTE * u64::from(byte)));
    let controls = word.wrapping_sub(EVERY_BYTE * u64::from(b' ')) & !word;
    (equal(b'"') | equal(b'\\') | equal(also) | controls) & (EVERY_BYTE << 7)
}

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn words_stop_where_single_bytes_would(
            bytes in prop::collection::vec(any::<u8>(), 0..40),
            also in prop::sample::select(vec![b'{', b'"']),
        ) {
            let is_stop = |byte: &u8| *byte < b' ' || [b'"', b'\\', also].contains(byte);
            let expected = bytes.iter().position(is_stop).unwrap_or(bytes.len());
            prop_assert_eq!(plain(&bytes, also), expected);
        }
    }

    #[test]
    fn the_first_brace_in_a_string_is_known() {
        let mut hidden = None;
        assert_eq!(string_end(br#""a{b{c" d"#, 0, &mut hidden), Ok(7));
        assert_eq!(hidden, Some(2));
        assert_eq!(string_end(br#""a{b\"}" d"#, 0, &mut hidden), Ok(8));
        assert_eq!(hidden, Some(2));
        assert_eq!(string_end(b"\"ab{\n", 0, &mut None), Err(4));
    }
}

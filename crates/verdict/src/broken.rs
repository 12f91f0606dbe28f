//! What was meant as an object and is none (D3): an inner entry of a truncated or broken verdict is
//! no answer.

use memchr::{memchr2, memchr3};

/// Whether what follows a brace was meant as an object: a first key in any kind of quotes, or in
/// none, and a colon. A brace in prose or code is not.
pub(crate) fn looks_like_object(text: &str) -> bool {
    // A key with a brace in it would let every brace of a flood look over the whole rest.
    let Some(end) = find_near(
        text.as_bytes(),
        |byte| matches!(byte, b'{' | b'}' | b':'),
        |rest| memchr3(b'{', b'}', b':', rest),
    ) else {
        return false;
    };
    if text.as_bytes()[end] != b':' {
        return false;
    }
    if !text.trim_start().starts_with('/') {
        return is_name(&text[..end]);
    }
    let end = memchr2(b'{', b'}', text.as_bytes()).unwrap_or(text.len());
    without_comments(&text[..end]).split_once(':').is_some_and(|(key, _)| is_name(key))
}

/// Whether a key is one: a text in quotes, or a word.
fn is_name(key: &str) -> bool {
    let key = key.trim();
    let quoted = ['"', '\''].into_iter().find_map(|quote| {
        key.strip_prefix(quote)?.strip_suffix(quote).map(|name| !name.contains([quote, '\n']))
    });
    quoted.unwrap_or_else(|| {
        !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
    })
}

/// Finds a byte that is often near: what stands there is looked at first, because in a flood a
/// search costs more than a look.
#[inline]
pub(crate) fn find_near(
    bytes: &[u8],
    is_it: impl Fn(u8) -> bool,
    search: impl Fn(&[u8]) -> Option<usize>,
) -> Option<usize> {
    const NEAR: usize = 12;
    let (near, rest) = bytes.split_at(bytes.len().min(NEAR));
    near.iter().position(|byte| is_it(*byte)).or_else(|| Some(near.len() + search(rest)?))
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
/// at the end of the text.
///
/// Goes on from where the strict reading stopped, with as many brackets open.
pub(crate) fn lenient_end(bytes: &[u8], from: usize, depth: usize, in_string: bool) -> usize {
    let (mut at, mut depth) = (if in_string { after_string(bytes, from) } else { from }, depth);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => at = after_string(bytes, at),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    bytes.len()
}

/// The offset after the quote that ends a string, whatever is in it.
fn after_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(offset) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += offset + 1;
        if bytes[at - 1] == b'"' {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

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

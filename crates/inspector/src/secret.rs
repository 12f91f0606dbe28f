//! Whether a text in quotes may be a real secret.

use std::collections::BTreeMap;

/// Bits per character below which a text is a word, a pattern or a placeholder.
const LEAST_ENTROPY: f64 = 2.75;

/// Parts that only values have which nobody would mind to lose.
const HARMLESS: [&str; 17] = [
    "example",
    "sample",
    "dummy",
    "fake",
    "test",
    "mock",
    "changeme",
    "change-me",
    "change_me",
    "placeholder",
    "your",
    "xxxx",
    "redacted",
    "insert",
    "replace",
    "todo",
    "12345678",
];

/// What stands between the quotes of a string literal, prefixes (`rb`, `b`, `r#`) aside.
pub(crate) fn inner(literal: &str) -> &str {
    let Some(start) = literal.find(['"', '\'', '`']) else { return literal };
    let quoted = literal[start..].trim_end_matches('#');
    quoted.trim_matches(['"', '\'', '`'])
}

/// The password of `scheme://user:password@host`; other values are secrets as a whole.
fn secret_part(value: &str) -> &str {
    let user_info = value.split_once("://").and_then(|(_, rest)| rest.rsplit_once('@'));
    user_info.and_then(|(user_info, _)| user_info.split_once(':')).map_or(value, |(_, it)| it)
}

/// Varied enough, and no well-known stand-in.
pub(crate) fn looks_real(literal: &str) -> bool {
    let value = secret_part(inner(literal));
    let folded = value.to_ascii_lowercase();
    entropy(value) >= LEAST_ENTROPY && !HARMLESS.iter().any(|part| folded.contains(part))
}

/// The text with the secret cut down to what still tells it apart.
pub(crate) fn masked(text: &str, literal: &str) -> String {
    let value = secret_part(inner(literal));
    let first_line = value.lines().next().unwrap_or(value);
    let kept: String = first_line.chars().take(4).collect();
    text.replace(first_line, &format!("{kept}…"))
}

/// Shannon's measure, in bits per character.
fn entropy(text: &str) -> f64 {
    let mut counts: BTreeMap<char, u32> = BTreeMap::new();
    for character in text.chars() {
        *counts.entry(character).or_default() += 1;
    }
    let total = f64::from(counts.values().sum::<u32>());
    counts.values().map(|count| f64::from(*count) / total).map(|part| -part * part.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_and_repetitions_are_no_secrets() {
        for real in ["\"kX9vQ2mPz7LrT4wB\"", "b'SuperSecret123!'", "r#\"aB3$kk29Lm\"#"] {
            assert!(looks_real(real), "{real}");
        }
        for harmless in ["\"\"", "\"aaaaaaaa1\"", "\"your-api-key-1\"", "'AKIAIOSFODNN7EXAMPLE'"] {
            assert!(!looks_real(harmless), "{harmless}");
        }
    }

    #[test]
    fn of_an_address_the_password_alone_is_weighed_and_masked() {
        let address = "'postgres://app:kX9vQ2mPz7@db.example.org/app'";
        assert!(looks_real(address));
        assert_eq!(masked(address, address), "'postgres://app:kX9v…@db.example.org/app'");
        assert!(!looks_real("'postgres://kX9vQ2mPz7:test@db.internal/app'"));
    }

    #[test]
    fn evidence_shows_no_more_than_the_first_characters() {
        assert_eq!(masked("key = 'kX9vQ2mPz7'", "'kX9vQ2mPz7'"), "key = 'kX9v…'");
    }
}

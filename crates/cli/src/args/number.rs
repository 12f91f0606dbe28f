//! Numbers on the command line.

/// A decimal integer from `LEAST`, as people write one: no sign, no leading zero, no separators (D17).
pub(super) fn whole<const LEAST: u32>(text: &str) -> Result<u32, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let plain = digits && (text == "0" || !text.starts_with('0'));
    match text.parse() {
        Ok(number) if plain && number >= LEAST => Ok(number),
        Err(_) if plain => Err(format!("must be at most {}", u32::MAX)),
        _ => Err(format!("must be a decimal integer from {LEAST}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal_integers() {
        for (text, expected) in [("1", Some(1)), ("10", Some(10)), ("0", None), ("03", None)] {
            assert_eq!(whole::<1>(text).ok(), expected, "{text}");
        }
        assert_eq!(whole::<0>("0"), Ok(0));
        for text in ["", "-1", "+1", "1.0", "1e3", "0x1", "00", "1_000", "three", " 1", "1 ", "٣"]
        {
            assert!(whole::<0>(text).is_err(), "{text}");
        }
        assert_eq!(whole::<1>("4294967296"), Err("must be at most 4294967295".to_owned()));
    }
}

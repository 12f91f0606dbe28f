//! Reasons that are none.

const BARE_EXCUSES: [&str; 6] =
    ["low priority", "out of scope", "follow-up", "next cycle", "later", "won't fix"];

/// Whether a reason for skipping is empty or just one of the excuses that D15 refuses.
///
/// Blanks around and inside, letter case, typographic apostrophes and hyphens, and one closing
/// full stop do not matter. A longer text that contains such a phrase is a reason.
pub fn is_bare_excuse(reason: &str) -> bool {
    let words: Vec<&str> = reason.split_whitespace().collect();
    let folded = words
        .join(" ")
        .to_lowercase()
        .replace(['\u{2019}', '\u{2bc}', '`'], "'")
        .replace(['\u{2010}', '\u{2011}'], "-");
    let folded = folded.strip_suffix('.').unwrap_or(&folded).trim_end();
    folded.is_empty() || BARE_EXCUSES.contains(&folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(reason: &str, refused: bool) {
        assert_eq!(is_bare_excuse(reason), refused, "{reason:?}");
    }

    #[test]
    fn a_bare_excuse_is_no_reason() {
        for excuse in BARE_EXCUSES {
            check(excuse, true);
            check(&format!("  {}.\n", excuse.to_uppercase()), true);
        }
        for nothing in ["", " ", "\t\n", "."] {
            check(nothing, true);
        }
        check("Won\u{2019}t  fix", true);
        check("low\n priority", true);
    }

    #[test]
    fn a_technical_reason_is_one_also_when_it_contains_an_excuse() {
        check("needs vendor patch", false);
        check("low priority: the branch cannot be reached since 4.2", false);
        check("out of scope of the public API, would break callers", false);
    }
}

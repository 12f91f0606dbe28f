//! Reasons that are none.

/// The excuses of D15, folded: letters and digits alone count.
const BARE_EXCUSES: [&str; 7] =
    ["low priority", "out of scope", "follow up", "next cycle", "later", "wont fix", "skip"];

/// Whether a reason for skipping is empty or nothing but excuses that D15 refuses.
///
/// Letter case, punctuation and blanks do not matter, so `Low-priority!` and `won't fix; later` are
/// refused too. A longer text that contains such a phrase is a reason.
pub fn is_bare_excuse(reason: &str) -> bool {
    reason
        .split([',', ';', '.', '/'])
        .map(folded)
        .all(|part| part.is_empty() || BARE_EXCUSES.contains(&part.as_str()) || part == "wontfix")
}

/// Letters and digits in lower case, one blank between words; an apostrophe joins.
fn folded(text: &str) -> String {
    let text = text.to_lowercase().replace(['\'', '\u{2019}', '\u{2bc}', '`'], "");
    let words = text.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
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
        for excuse in ["low-priority", "LOW PRIORITY!", "wontfix", "follow-up", "won't fix; later"]
        {
            check(excuse, true);
        }
        for nothing in ["", " ", "\t\n", ".", "-", "…"] {
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

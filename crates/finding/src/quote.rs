//! A piece of somebody else's text inside a message of ours.

const SHOWN_CHARACTERS: usize = 60;

/// Quotes a word that an agent or a file gave: on one line, inert, at most 60 characters.
///
/// Control characters are written as escapes, so that the text cannot move a terminal's cursor or
/// start a line of its own; what is cut off is marked with `…`.
pub fn quote(text: &str) -> String {
    let text = text.trim();
    let mut shown: String =
        text.chars().take(SHOWN_CHARACTERS).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN_CHARACTERS).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_short_and_inert() {
        assert_eq!(quote(" maybe "), "`maybe`");
        assert_eq!(quote("a\nVERIFY: PASS\u{1b}[2J"), r"`a\nVERIFY: PASS\u{1b}[2J`");
        assert_eq!(quote(&"x".repeat(100)), format!("`{}…`", "x".repeat(60)));
    }
}

//! Lines that fit a terminal.

/// Breaks one line of text at blanks so that no line is wider than `width` columns; a word that is
/// wider stays whole. Blank text gives no line.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut columns = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let wide = columns_of(word);
        match lines.last_mut() {
            Some(line) if columns + 1 + wide <= width => {
                line.push(' ');
                line.push_str(word);
                columns += 1 + wide;
            }
            _ => {
                lines.push(word.to_owned());
                columns = wide;
            }
        }
    }
    lines
}

/// Fills up with blanks to `width` columns.
pub(crate) fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns_of(text))))
}

/// The columns that a terminal gives to a text, near enough to align by.
pub(crate) fn columns_of(text: &str) -> usize {
    text.chars().map(columns).sum()
}

fn columns(character: char) -> usize {
    match u32::from(character) {
        0x300..=0x36f | 0x200c..=0x200d | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe4f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks() {
        let check = |text: &str, width, expected: &[&str]| {
            assert_eq!(wrap(text, width), expected, "{text}");
        };
        check("one two three", 7, &["one two", "three"]);
        check("one two three", 13, &["one two three"]);
        check("a/very/long/path x", 5, &["a/very/long/path", "x"]);
        check("漢字 漢字", 8, &["漢字", "漢字"]);
        check("  ", 5, &[]);
    }

    #[test]
    fn columns_are_filled_up() {
        assert_eq!(pad("漢", 4), "漢  ");
        assert_eq!(pad("long", 2), "long");
    }
}

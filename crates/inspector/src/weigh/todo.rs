//! To-dos that nobody will come back to.

use std::sync::LazyLock;

use regex::Regex;

static TODO: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^[\s/*#;-]*@?(TODO|FIXME|XXX|HACK)\b")
        .expect("a constant pattern that the tests compile")
});

/// An issue, an address, a name, or a date until which it stands.
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x) \#[0-9]+ | https?:// | \b[A-Z][A-Z0-9]+-[0-9]+\b | \b(?i:gh|issue|pr|bug|ticket)[\ -]?\#?[0-9]+
          | (?:TODO|FIXME|XXX|HACK) [\ ]* [(\[] \s* [^)\]\s]
          | @[A-Za-z][\w-]+ | \b20[0-9]{2}-[01][0-9]",
    )
    .expect("a constant pattern that the tests compile")
});

/// Whether a line of a comment is a to-do, and the whole comment names nobody and no issue.
pub(super) fn is_nobodys(line: &str, whole: &str) -> bool {
    TODO.is_match(line) && !REFERENCE.is_match(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: bool) {
        let nobodys = text.lines().any(|line| is_nobodys(line, text));
        assert_eq!(nobodys, expected, "{text}");
    }

    #[test]
    fn a_to_do_without_a_reference_is_nobodys() {
        check("// TODO: handle errors", true);
        check("# FIXME this breaks on Windows", true);
        check("/* XXX: racy */", true);
        check("// The first line.\n// HACK: the second", true);
        check("/**\n * TODO: say more\n */", true);
    }

    #[test]
    fn one_with_an_issue_an_owner_or_a_date_is_somebodys() {
        check("// TODO(anna): handle errors", false);
        check("# FIXME #123: breaks", false);
        check("// TODO: see https://example.org/issues/4", false);
        check("// TODO: handle errors\n// (tracked in JIRA-77)", false);
        check("# TODO: drop after 2027-01", false);
        check("// TODO [core]: split", false);
    }

    #[test]
    fn the_word_inside_a_sentence_is_no_to_do() {
        check("// Finds every TODO in a file", false);
        check("# the todo list of a user", false);
        check("// TODOs are listed elsewhere", false);
    }

    #[test]
    fn the_line_of_the_to_do_is_meant() {
        let whole = "// Reads the page.\n// TODO: retry";
        assert!(!is_nobodys("// Reads the page.", whole));
        assert!(is_nobodys("// TODO: retry", whole));
    }
}

//! Places inside a document that a link can name.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\b(?:id|name)\s*=\s*["']?(?<html>[^"'\s>]+)|\{[^}\n]*#(?<attribute>[\w.:-]+)[^}\n]*\}|\[\^(?<note>[^\]]+)\]:"#)
        .expect("a constant pattern that the tests compile")
});

/// The anchors of a document.
///
/// Sites make them from headings in ways that differ in marks and spaces, so letters and digits
/// alone are compared.
pub(crate) struct Anchors {
    known: BTreeSet<String>,
    /// A site adds anchors that the text does not show.
    open: bool,
}

impl Anchors {
    /// Takes the headings among the lines of prose, and all names in HTML.
    pub(crate) fn of(text: &str, prose: &[(u32, Range<usize>)]) -> Self {
        let mut known = BTreeSet::new();
        let mut above = "";
        for (_, range) in prose {
            let line = text[range.clone()].trim();
            let is_rule = line.len() >= 2
                && (line.bytes().all(|byte| byte == b'=') || line.bytes().all(|byte| byte == b'-'));
            if line.starts_with('#') {
                known.extend([folded(line), letters(line)]);
            } else if is_rule {
                known.extend([folded(above), letters(above)]);
            }
            above = line;
        }
        for name in NAMED.captures_iter(text) {
            known.extend(name.iter().skip(1).flatten().map(|name| folded(name.as_str())));
        }
        Self {
            known,
            open: text.contains("{{") || text.contains("{%") || text.contains("<!--#include"),
        }
    }

    /// Whether a link to `#anchor` leads nowhere.
    pub(crate) fn lack(&self, anchor: &str) -> bool {
        let name = folded(anchor);
        // Of headings with the same words the second gets a number.
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
        // Lines of a file, notes and the top of a page are made by the site.
        let by_site = name.is_empty()
            || anchor.starts_with("L") && bare == "l"
            || name == "top"
            || name.starts_with("fn")
            || name.starts_with("userconte");
        !self.open
            && !by_site
            && !anchor.contains(['%', '=', ':', '/', '!'])
            && !self.known.contains(&name)
            && !self.known.contains(bare)
    }
}

/// Without the link around a word, marks, spaces and case.
fn folded(text: &str) -> String {
    static TARGET: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\]\([^)]*\)|\]\[[^\]]*\]|<[^>]*>|\{#[^}]*\}|&\w+;")
            .expect("a constant pattern that the tests compile")
    });
    letters(&TARGET.replace_all(text, ""))
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artefact::prose;

    fn check(text: &str, anchor: &str, lacking: bool) {
        assert_eq!(Anchors::of(text, &prose(text)).lack(anchor), lacking, "{anchor} in {text}");
    }

    #[test]
    fn an_anchor_without_a_heading_is_lacking() {
        check("# One\n\n## Two words\n", "three", true);
        check("# One\n", "one-more", true);
        check("```\n# shell\n```\n", "shell", true);
    }

    #[test]
    fn headings_and_names_are_anchors() {
        check("# One\n\n## Two `words`, *here*!\n", "two-words-here", false);
        check("## Again\n\n## Again\n", "again-1", false);
        check("Title\n=====\n", "title", false);
        check("<a name=\"place\"></a>\n", "place", false);
        check("<h2 id='place'>A</h2>\n", "place", false);
        check("## Heading {#place}\n", "place", false);
        check("## [A link](https://example.org)\n", "a-link", false);
        check("## `new Thing<T>()`\n", "new-thing", false);
        check("## `new Thing<T>()`\n", "new-thingt", false);
    }

    #[test]
    fn what_a_site_makes_is_not_asked_for() {
        check("# One\n", "top", false);
        check("# One\n", "L12", false);
        check("# One\n{{ content }}\n", "two", false);
    }
}

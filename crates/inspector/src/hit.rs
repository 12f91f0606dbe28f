//! A place where a rule matches, with all that the roles ask about it.

use tribunal_finding::Severity;

use crate::edit::Rewrite;
use crate::rule::Rule;
use crate::source::SourceFile;
use crate::weigh::Excess;

/// Lines of evidence that are kept; enough to know the place again.
const EVIDENCE_LINES: u32 = 3;
/// Characters of evidence that are kept.
const EVIDENCE_CHARS: usize = 240;

/// One match of one rule in one file.
pub(crate) struct Hit<'r> {
    pub(crate) rule: &'r Rule,
    /// The rule's, unless this place weighs less.
    pub(crate) severity: Severity,
    /// Counted from 1; `None` where the whole file is meant.
    pub(crate) line: Option<u32>,
    /// What stands there, or what a whole-file rule says in words that do not change with it.
    pub(crate) evidence: String,
    /// A fact about this place, added to the message: a count, a path.
    pub(crate) detail: Option<String>,
    /// Inside a test, though the file is none.
    pub(crate) in_test: bool,
    /// The comment on, in or right above it.
    pub(crate) remark: Option<String>,
    /// The comment above the function around it.
    pub(crate) intent: Option<String>,
    /// The marker by which somebody took it out of review.
    pub(crate) suppressed: Option<String>,
    /// The edit that mends it, where the rule has one.
    pub(crate) rewrite: Option<Rewrite>,
}

impl Hit<'_> {
    /// The same, for a size beyond its limit.
    pub(crate) fn with(self, excess: Excess) -> Self {
        Self { severity: excess.severity(self.severity), detail: Some(excess.detail()), ..self }
    }

    /// The sentence of the finding; the rule's id at its end is how later roles know it again.
    pub(crate) fn description(&self) -> String {
        match &self.detail {
            Some(detail) => format!("{} ({detail}) [{}]", self.rule.message, self.rule.id),
            None => format!("{} [{}]", self.rule.message, self.rule.id),
        }
    }
}

/// The id of the rule at the end of a description.
pub(crate) fn rule_id(description: &str) -> Option<&str> {
    let (_, id) = description.trim_end().strip_suffix(']')?.rsplit_once('[')?;
    Some(id)
}

/// The source lines `first` to `last`, trimmed to a sane length.
pub(crate) fn evidence(file: &SourceFile, first: u32, last: u32) -> String {
    let last = last.min(first + EVIDENCE_LINES - 1);
    let lines: Vec<&str> = file.lines(first, last).map(str::trim).collect();
    shortened(&lines.join("\n"), EVIDENCE_CHARS)
}

/// The first characters of a text, with a sign that more follows.
pub(crate) fn shortened(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_known_again_by_the_end_of_the_description() {
        assert_eq!(rule_id("Empty handler [js-empty-catch]"), Some("js-empty-catch"));
        assert_eq!(rule_id("Uses a[0] twice [py-x] \n"), Some("py-x"));
        assert_eq!(rule_id("The handler is empty"), None);
        assert_eq!(rule_id("Reads a[0]"), Some("0"));
    }

    #[test]
    fn evidence_is_the_trimmed_lines_up_to_a_limit() {
        let file = SourceFile::new("a.py".into(), "if x:\n    a\n    b\n    c\n    d\n".into());
        assert_eq!(evidence(&file, 2, 2), "a");
        assert_eq!(evidence(&file, 1, 5), "if x:\na\nb");
        assert_eq!(shortened("äöü", 2), "äö…");
    }
}

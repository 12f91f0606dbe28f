//! Documents that keep what somebody was told in a conversation.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use tribunal_finding::{Category, Severity};

use crate::edit::Rewrite;
use crate::rule::{Excuse, InTests, Look, Rule, Weigh};

pub(crate) fn rule() -> Rule {
    Rule {
        id: "doc-chat-artefact".to_owned(),
        category: Category::Documentation,
        severity: Severity::Medium,
        depth: 1,
        in_tests: InTests::Skip,
        excuse: Excuse::Never,
        weigh: Weigh::Nothing,
        message: "The document keeps a line from a conversation; readers were not part of it"
            .to_owned(),
        recommendation: "Remove the line, or say what holds now instead of what was done."
            .to_owned(),
        unfixable: None,
        lints: Vec::new(),
        look: Look::Artefacts,
        source: String::new(),
    }
}

/// A line of a document that was said to somebody.
pub(crate) struct Artefact {
    /// Counted from 1.
    pub(crate) line: u32,
    /// Removes it, where nothing is lost with it.
    pub(crate) rewrite: Option<Rewrite>,
}

/// Openings and closings that carry nothing: the whole line may go.
static COURTESY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(certainly|sure|of\ course|absolutely|great\ question)\s*[!,.].*(here\ (is|are)|here's|below).*[:.!]
        | (i\ hope\ (this|that)\ helps|hope\ this\ helps)\b.*
        | let\ me\ know\ (if|how)\ (you|i)\b.*
        | feel\ free\ to\ (ask|reach\ out)(\ to\ me)?(\ (if|for|should|whenever|anytime|with\ any)\b.*|[.!]?)
        | (i'd|i\ would|i'll)\ be\ (happy|glad)\ to\b.*
        | (you're|you\ are)\ (absolutely\ right|welcome)\b.*
        | (would\ you\ like|do\ you\ want)\ me\ to\b.*\?
        | is\ there\ anything\ else\b.*\?",
    )
});

/// Sentences about the writer or the moment: they may hold a fact, so a person rewrites them.
static NOTE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"as\ an?\ (ai|large)(\ language)?\ (model|assistant)\b.*
        | i'm\ (an\ ai|just\ a\ language\ model)\b.*
        | (i\ have|i've|we've\ just|i\ just)\ (now\ )?(updated|added|created|implemented|fixed|removed|refactored|rewritten|modified)\b.*
        | (here\ is|here's|below\ is)\ the\ (updated|revised|corrected|complete|full|final|modified)\ (version|file|code|document|readme)\b.*
        | (in|during|as\ of)\ this\ (session|conversation|chat)\b.*
        | ((as\ per|per|based\ on|following)\ your\ (request|instructions?|feedback|message|prompt)|as\ you\ requested|as\ requested)\b.*
        | (as\ of\ )?my\ (knowledge\ cutoff|training\ data|last\ knowledge\ update)\b.*
        | i\ (cannot|can't|can\ not|am\ unable\ to)\ (browse|access\ the\ internet|run\ (this|the)\ code|verify)\b.*
        | i('ll|\ will)\ now\ (update|add|create|implement|fix|remove|refactor|rewrite|modify)\b.*",
    )
});

fn pattern(sentences: &str) -> Regex {
    Regex::new(&format!(r"(?ix)^(?:[-*+]\s+|\d+\.\s+|\*\*|_)?(?:{sentences})$"))
        .expect("a constant pattern that the tests compile")
}

/// All such lines, code blocks and quotations aside.
pub(crate) fn find(text: &str) -> Vec<Artefact> {
    let lines = prose(text);
    lines
        .iter()
        .enumerate()
        .filter_map(|(at, (line, range))| {
            let said = text[range.clone()].trim();
            let courtesy = COURTESY.is_match(said);
            if !courtesy && !NOTE.is_match(said) {
                return None;
            }
            let blank = |other: Option<&(u32, Range<usize>)>| {
                other.is_none_or(|(_, range)| text[range.clone()].trim().is_empty())
            };
            let before = at.checked_sub(1).and_then(|at| lines.get(at));
            let alone = blank(before) && blank(lines.get(at + 1));
            let rewrite = (courtesy && alone).then(|| removal(text, range));
            Some(Artefact { line: *line, rewrite })
        })
        .collect()
}

/// Takes the paragraph and the blank line behind it.
fn removal(text: &str, line: &Range<usize>) -> Rewrite {
    let rest = &text[line.end..];
    let blank = rest.split_inclusive('\n').next().filter(|next| next.trim().is_empty());
    let end = line.end + blank.map_or(0, str::len);
    Rewrite { range: line.start..end, text: String::new() }
}

/// The lines of a Markdown text that are neither in a code block, nor in a comment, nor quoted.
///
/// A line that is left out stands as an empty range, so that neighbours stay neighbours.
pub(crate) fn prose(text: &str) -> Vec<(u32, Range<usize>)> {
    let mut lines = Vec::new();
    let mut fence: Option<&str> = None;
    let mut comment = false;
    let mut at = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let trimmed = line.trim();
        let range = at..at + line.len();
        at += line.len();
        let is_code = match fence {
            Some(open) => {
                if trimmed.starts_with(open) && trimmed.trim_start_matches(&open[..1]).is_empty() {
                    fence = None;
                }
                true
            }
            None => {
                fence = opening_fence(trimmed);
                fence.is_some()
            }
        };
        let was_comment = comment;
        if !is_code {
            comment = (comment || trimmed.contains("<!--")) && !trimmed.contains("-->");
        }
        let indented = line.starts_with("    ") || line.starts_with('\t');
        let left_out = is_code || was_comment || comment || trimmed.starts_with('>') || indented;
        lines.push((number, if left_out { range.start..range.start } else { range }));
    }
    lines
}

fn opening_fence(line: &str) -> Option<&str> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    (length >= 3).then(|| &line[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(u32, bool)]) {
        let found: Vec<(u32, bool)> =
            find(text).iter().map(|found| (found.line, found.rewrite.is_some())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn lines_said_to_somebody_are_found() {
        check("# A\n\nAs an AI language model, I cannot run this.\n", &[(3, false)]);
        check("I have updated the file to use async.\n", &[(1, false)]);
        check("- I've added tests for the parser.\n", &[(1, false)]);
        check("Certainly! Here is the guide:\n\n# Guide\n", &[(1, true)]);
        check("# A\n\nText.\n\nI hope this helps!\n", &[(5, true)]);
        check("Let me know if you need more.\nMore text.\n", &[(1, false)]);
        check("Here's the updated version of the README:\n", &[(1, false)]);
        check("Based on your request, the parser reads numbers.\n", &[(1, false)]);
        check("You're absolutely right!\n\nText.\n", &[(1, true)]);
        check("Feel free to ask if anything is unclear.\n", &[(1, true)]);
        check("I'll now update the tests.\n", &[(1, false)]);
    }

    #[test]
    fn documents_about_such_lines_and_ordinary_prose_stay_silent() {
        check("Answers often begin with \"Certainly! Here is\".\n", &[]);
        check("> I have updated the file.\n", &[]);
        check("```\nI have updated the file.\n```\n", &[]);
        check("~~~text\nI hope this helps!\n~~~\n", &[]);
        check("    I hope this helps!\n", &[]);
        check("<!-- I hope this helps! -->\n<!--\nI've added x\n-->\n", &[]);
        check("The cache is updated in this session of the server.\n", &[]);
        check("Sure, a parser can be slow.\n", &[]);
        check("Feel free to open an issue.\n", &[]);
        check("Feel free to reach out to any of the core contributors.\n", &[]);
        check("Your request body should be an object.\n", &[]);
        check("We have updated the licence to MIT.\n", &[]);
    }

    #[test]
    fn a_removed_line_takes_one_blank_line_with_it() {
        let text = "# A\n\nCertainly! Here is the guide:\n\nText.\n";
        let found = find(text);
        let rewrite = found[0].rewrite.as_ref().expect("a rewrite");
        assert_eq!(rewrite.apply(text), "# A\n\nText.\n");
    }
}

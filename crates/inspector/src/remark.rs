//! Comments beside a place, and the markers that take it out of review.

use std::sync::LazyLock;

use ast_grep_core::{Doc, Node};
use regex::Regex;

use crate::rule::Rule;

/// A comment, or several line comments that stand together.
pub(crate) struct Remark {
    /// Counted from 1.
    pub(crate) first: u32,
    pub(crate) last: u32,
    /// No code before it on its line.
    pub(crate) alone: bool,
    /// With its marks.
    pub(crate) text: String,
}

impl Remark {
    /// Its lines without the marks of comments, indented as they were behind them.
    pub(crate) fn body(&self) -> Vec<&str> {
        let lines = self.text.lines().map(str::trim_start);
        let bare = lines.map(|line| {
            let line = line.trim_start_matches("/*").trim_end_matches("*/");
            let marks = ["//", "#", "* "];
            marks.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line)
        });
        bare.collect()
    }

    /// For readers of documentation: `///`, `//!`, `/**`, `#!`.
    pub(crate) fn is_documentation(&self) -> bool {
        ["///", "//!", "/**", "/*!", "#!"].iter().any(|mark| self.text.starts_with(mark))
    }
}

/// The comments of a file as people read them, from its comment nodes in order.
pub(crate) fn remarks<D: Doc>(comments: &[Node<D>], source: &str) -> Vec<Remark> {
    let mut found: Vec<Remark> = Vec::new();
    let mut end = 0;
    for node in comments {
        let range = node.range();
        // Doc comments of Rust hold marks that are comments too.
        if range.start < end {
            continue;
        }
        end = range.end;
        let before = source[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let text = node.text().trim_end().to_owned();
        let lines = u32::try_from(text.lines().count()).unwrap_or(1).max(1);
        let first = line_of(node.start_pos().line());
        let last = first + lines - 1;
        let alone = source[before..range.start].trim().is_empty();
        match found.last_mut() {
            Some(above) if alone && above.alone && above.last + 1 == first => {
                above.last = last;
                above.text.push('\n');
                above.text.push_str(&text);
            }
            Some(_) | None => found.push(Remark { first, last, alone, text }),
        }
    }
    found
}

/// ast-grep counts lines from 0, contracts from 1.
pub(crate) fn line_of(row: usize) -> u32 {
    u32::try_from(row + 1).unwrap_or(u32::MAX)
}

/// What is said on the lines `first` to `last`, or right above them.
pub(crate) fn beside(remarks: &[Remark], first: u32, last: u32) -> Option<String> {
    let said: Vec<&str> = ending_from(remarks, first.saturating_sub(1))
        .take_while(|remark| remark.first <= last)
        .filter(|remark| remark.last >= first || remark.alone)
        .map(|remark| remark.text.as_str())
        .collect();
    (!said.is_empty()).then(|| said.join("\n"))
}

/// The comment that ends right above a line.
pub(crate) fn above(remarks: &[Remark], line: u32) -> Option<String> {
    let mut found = ending_from(remarks, line.checked_sub(1)?);
    let found = found.find(|remark| remark.last + 1 != line || remark.alone)?;
    (found.last + 1 == line).then(|| found.text.clone())
}

/// The remarks that end on a line or behind it; they stand in order and apart.
fn ending_from(remarks: &[Remark], line: u32) -> impl Iterator<Item = &Remark> {
    remarks[remarks.partition_point(|remark| remark.last < line)..].iter()
}

/// Comments that switch a linter off for the rest of a file.
pub(crate) fn file_wide(remarks: &[Remark], line: u32) -> impl Iterator<Item = &str> {
    remarks
        .iter()
        .filter(move |remark| remark.first < line)
        .map(|remark| remark.text.as_str())
        .filter(|text| {
            let body = text.trim_start_matches(['/', '*', '#', ' ']);
            body.starts_with("ruff: noqa")
                || body.starts_with("flake8: noqa")
                || (body.starts_with("eslint-disable") && !body.starts_with("eslint-disable-"))
        })
}

static MARKER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)
        \bnoqa\b (?: :\s* (?<noqa>[A-Z]+[0-9]+ (?:[,\s]+[A-Z]+[0-9]+)*) )?
        | \bnolint\b (?: : (?<nolint>[\w,-]+) )?
        | \beslint-disable (?:-next-line|-line)? (?<eslint>[\w@/,\s-]*)
        | \bpylint:\s*disable= (?<pylint>[\w,\s-]+)
        | \bast-grep-ignore (?: :\s* (?<ast_grep>[\w,\s-]+) )?
        | \bshellcheck\s+disable= (?<shellcheck>[\w,\s-]+)
        | \bnosec\b [\s:]* (?<nosec>(?:B[0-9]+[,\s]*)*)
        | \#!?\[(?:allow|expect)\( (?<rust>[^)]*)
        ",
    )
    .expect("a constant pattern that the tests compile")
});

/// The marker in these texts that names the rule by one of its lints, or names none.
pub(crate) fn suppression<'t>(
    rule: &Rule,
    texts: impl IntoIterator<Item = &'t str>,
) -> Option<String> {
    texts.into_iter().find_map(|text| {
        MARKER.captures_iter(text).find_map(|found| {
            let whole = found.get(0)?.as_str().trim();
            let codes = found.iter().skip(1).flatten().next().map_or("", |codes| codes.as_str());
            // What stands behind `--` is eslint's place for a reason.
            let codes = codes.split("--").next().unwrap_or(codes);
            let mut names = codes.split([',', ' ', '\n']).map(str::trim).filter(|c| !c.is_empty());
            let all = codes.trim().is_empty();
            let named =
                names.any(|name| name == rule.id || rule.lints.iter().any(|lint| lint == name));
            (all || named).then(|| whole.to_owned())
        })
    })
}

/// Words by which people say that they meant it.
pub(crate) fn states_intent(remark: &str) -> bool {
    static INTENT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?ix)\b(best[\ -]effort|intentional(ly)?|deliberate(ly)?|on\ purpose|by\ design
            |safe\ to\ ignore|can(not|\ not|'t)\ fail|never\ fails?|ignor(e|ed|es|ing)|swallow(s|ed)?
            |harmless|do(es)?(n't|\ not)\ (care|matter)|no\ need|because|since|fall(s)?\ back)\b",
        )
        .expect("a constant pattern that the tests compile")
    });
    // Words to a machine, the version of a change, the case of letters.
    static NO_INTENT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?ix)\b(type|pyright|mypy|pyre|ty):\s*ignore\b | \b[\w-]+-ignore\b | @since\b
            | \bsince\s+(version\s+)?v?[0-9] | \bignor\w*\s+(the\s+)?case\b",
        )
        .expect("a constant pattern that the tests compile")
    });
    INTENT.is_match(&NO_INTENT.replace_all(remark, " "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use ast_grep_core::tree_sitter::LanguageExt as _;
    use ast_grep_language::SupportLang;

    fn check(comment: &str, rule: &str, expected: bool) {
        let catalog = Catalog::embedded();
        let rule = catalog.rule(rule).expect("a rule");
        assert_eq!(suppression(rule, [comment]).is_some(), expected, "{comment}");
    }

    #[test]
    fn a_marker_counts_when_it_names_the_rule_or_names_none() {
        check("# noqa", "py-except-pass", true);
        check("# noqa: E722", "py-except-pass", true);
        check("# noqa: E501, S110", "py-except-pass", true);
        check("# noqa: E501", "py-except-pass", false);
        check("# pylint: disable=broad-except", "py-except-pass", true);
        check("# pylint: disable=line-too-long", "py-except-pass", false);
        check("// eslint-disable-next-line no-empty -- stream is gone", "js-empty-catch", true);
        check("// eslint-disable-line", "js-empty-catch", true);
        check("// eslint-disable-line semi", "js-empty-catch", false);
        check("//nolint:errcheck", "go-discarded-error", true);
        check("//nolint", "go-discarded-error", true);
        check("//nolint:gosec", "go-discarded-error", false);
        check("#[expect(clippy::dbg_macro, reason = \"a tool\")]", "rust-dbg-value", true);
        check("#[allow(dead_code)]", "rust-dbg-value", false);
        check("// ast-grep-ignore: js-empty-catch", "js-empty-catch", true);
        check("// ast-grep-ignore: js-eval", "js-empty-catch", false);
        check("// the noqaness of it", "py-except-pass", false);
    }

    #[test]
    fn remarks_stand_on_in_or_right_above_a_place() {
        let source = "# one\n# two\na = 1\n\n# far\n\nb = 2  # on it\nc = 3\n";
        let tree = SupportLang::Python.ast_grep(source);
        let root = tree.root();
        let comments: Vec<_> = root.dfs().filter(|node| node.kind() == "comment").collect();
        let remarks = remarks(&comments, source);
        assert_eq!(beside(&remarks, 3, 3).as_deref(), Some("# one\n# two"));
        assert_eq!(beside(&remarks, 7, 7).as_deref(), Some("# on it"));
        assert_eq!(beside(&remarks, 8, 8), None);
    }

    #[test]
    fn intent_is_stated_in_words() {
        assert!(states_intent("// best effort: the receiver may be gone"));
        assert!(states_intent("# Deliberately broad"));
        assert!(!states_intent("// fetch the page"));
        assert!(!states_intent("// the ignorelist"));
        assert!(!states_intent("x = f()  # type: ignore[arg-type]"));
        assert!(!states_intent("// @ts-ignore"));
        assert!(!states_intent("/** @since 3.1 */"));
        assert!(!states_intent("# New since version 2.0, ignoring case"));
        assert!(states_intent("# type: ignore  # safe to ignore"));
    }
}

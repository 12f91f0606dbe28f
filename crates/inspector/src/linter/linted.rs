//! What linters report, as hits of rules that the roles can judge like any others.

use std::path::Path;

use ast_grep_core::Node;
use ast_grep_core::tree_sitter::LanguageExt as _;

use super::diagnostic::Diagnostic;
use super::weight::weigh;
use super::{Linter, Report};
use crate::hit::Hit;
use crate::matchers::SourceDoc;
use crate::remark::remarks;
use crate::rule::{Excuse, InTests, Look, Rule, Weigh, one_line};
use crate::scan::around;
use crate::source::SourceFile;

/// The reports of a linter about one file, each with the rule that it is a hit of.
pub(crate) struct Linted {
    pub(crate) file: SourceFile,
    rules: Vec<(Rule, (u32, u32))>,
    /// What follows from each, beside `rules`.
    why: Vec<&'static str>,
}

impl Linted {
    /// One for each file of a report that can still be read.
    pub(crate) fn by_file(root: &Path, report: &Report) -> Vec<Self> {
        let same_file = |a: &Diagnostic, b: &Diagnostic| a.file == b.file;
        let groups = report.diagnostics.chunk_by(same_file);
        groups
            .filter_map(|group| {
                let file = SourceFile::read(root, group.first()?.file.clone())?;
                let rules = group.iter().map(|found| (rule(found), found.lines)).collect();
                let why = group.iter().map(|found| weigh(found).why).collect();
                Some(Self { file, rules, why })
            })
            .collect()
    }

    /// A hit for each report, in the order of lines.
    pub(crate) fn hits(&self) -> Vec<Hit<'_>> {
        let hits = self.places().into_iter().zip(&self.why);
        hits.map(|(hit, why)| Hit { detail: Some((*why).to_owned()), ..hit }).collect()
    }

    fn places(&self) -> Vec<Hit<'_>> {
        let file = &self.file;
        // Linters are asked about files that have one.
        let Some(grammar) = file.grammar else { return Vec::new() };
        let tree = grammar.ast_grep(&file.text);
        let root = tree.root();
        let comments: Vec<Node<SourceDoc>> =
            root.dfs().filter(|node| node.kind().contains("comment")).collect();
        let remarks = remarks(&comments, &file.text);
        let places = self.rules.iter().map(|(rule, lines)| {
            let node = smallest(root.clone(), file, *lines);
            around(file, &remarks, rule, &node, *lines)
        });
        places.collect()
    }
}

/// The smallest node around what stands on some lines.
fn smallest<'t>(
    root: Node<'t, SourceDoc>,
    file: &SourceFile,
    (first, last): (u32, u32),
) -> Node<'t, SourceDoc> {
    let text = &file.text;
    let start_of = |line: u32| -> usize {
        text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum()
    };
    let (start, end) = (start_of(first), start_of(last.saturating_add(1)));
    let start = start + text[start..end].len() - text[start..end].trim_start().len();
    let end = start + text[start..end].trim_end().len();
    let mut node = root;
    loop {
        let holds = |child: &Node<_>| child.range().start <= start && end <= child.range().end;
        let Some(child) = node.children().find(holds) else { return node };
        node = child;
    }
}

/// The rule behind a report; its words are the linter's.
fn rule(found: &Diagnostic) -> Rule {
    let weight = weigh(found);
    let (_, code) = found.rule.split_once("::").unwrap_or(("", &found.rule));
    let linter = Linter::of_rule(&found.rule).map_or_else(String::new, |linter| linter.to_string());
    let recommendation = match &found.help {
        Some(help) => sentence(help),
        None => format!("See what {linter} says about {code}."),
    };
    Rule {
        id: found.rule.clone(),
        category: weight.category,
        severity: weight.severity,
        depth: 1,
        in_tests: InTests::Keep,
        excuse: Excuse::Never,
        weigh: Weigh::Nothing,
        message: one_line(&found.message).trim_end_matches('.').to_owned(),
        recommendation,
        unfixable: None,
        lints: vec![found.rule.clone(), code.to_owned()],
        look: Look::Elsewhere,
        source: String::new(),
    }
}

/// Linters write fragments and sentences; reports are made of sentences.
fn sentence(text: &str) -> String {
    let line = one_line(text);
    let mut characters = line.chars();
    let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = if line.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", characters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_becomes_a_sentence() {
        assert_eq!(sentence("remove `return`"), "Remove `return`.");
        assert_eq!(sentence("Quote\n  this."), "Quote this.");
        assert_eq!(sentence(""), ".");
    }
}

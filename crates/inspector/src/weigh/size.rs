//! How large a function is.

use std::collections::BTreeSet;

use ast_grep_core::Node;
use tribunal_finding::Severity;

use crate::matchers::SourceDoc;

/// A size beyond its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Excess {
    pub(crate) count: u32,
    pub(crate) limit: u32,
    pub(crate) unit: &'static str,
}

impl Excess {
    /// The fact in words.
    pub(crate) fn detail(self) -> String {
        let Self { count, limit, unit } = self;
        format!("{count} {unit}, limit {limit}")
    }

    /// What it weighs: a limit is a convention, so less than half beyond it is low.
    pub(crate) fn severity(self, full: Severity) -> Severity {
        let is_slight = u64::from(self.count) * 2 < u64::from(self.limit) * 3;
        if is_slight { full.min(Severity::Low) } else { full }
    }
}

/// Lines of a function that hold code: neither blank, nor comment, nor its documentation.
///
/// `None` where the function cannot have more than `limit` of them, which costs nothing to tell.
pub(super) fn code_lines(function: &Node<SourceDoc>, limit: u32) -> Option<u32> {
    let body = function.field("body").unwrap_or_else(|| function.clone());
    let rows = body.end_pos().line() + 1 - body.start_pos().line();
    (saturated(rows) > limit).then(|| saturated(code_rows(&body).len()))
}

/// The rows, from 0, on which code stands.
pub(crate) fn code_rows(node: &Node<SourceDoc>) -> BTreeSet<usize> {
    let mut rows = BTreeSet::new();
    // From the top down: a node does not know its parent, and asking costs a walk from the root.
    let mut open = vec![node.clone()];
    while let Some(node) = open.pop() {
        let kind = node.kind();
        if kind.contains("comment") || is_docstring(&node) {
            continue;
        }
        if node.is_leaf() || kind.contains("string") {
            rows.extend(node.start_pos().line()..=node.end_pos().line());
        } else {
            open.extend(node.children());
        }
    }
    rows
}

/// A text that is a statement of its own.
fn is_docstring(node: &Node<SourceDoc>) -> bool {
    node.kind() == "expression_statement"
        && node.child(0).is_some_and(|child| child.kind().starts_with("string"))
        && node.child(1).is_none()
}

/// Branches and loops that stand inside each other, at the deepest place.
///
/// `else if` is no deeper than its `if`; functions inside are functions of their own.
pub(super) fn nesting(function: &Node<SourceDoc>) -> u32 {
    let body = function.field("body").unwrap_or_else(|| function.clone());
    // No recursion: how deep a file goes is up to its author.
    let mut deepest = 0;
    let mut open: Vec<(Node<SourceDoc>, u32)> = body.children().map(|child| (child, 0)).collect();
    while let Some((node, around)) = open.pop() {
        let kind = node.kind();
        if is_function(&kind) {
            continue;
        }
        let level = around + u32::from(is_branch(&kind) && !is_else_if(&node));
        deepest = deepest.max(level);
        open.extend(node.children().map(|child| (child, level)));
    }
    deepest
}

pub(super) fn is_function(kind: &str) -> bool {
    matches!(
        kind,
        "function_item"
            | "closure_expression"
            | "function_definition"
            | "lambda"
            | "function_declaration"
            | "function_expression"
            | "arrow_function"
            | "method_definition"
            | "method_declaration"
            | "func_literal"
            | "generator_function"
            | "generator_function_declaration"
            | "class_definition"
            | "class_declaration"
    )
}

fn is_branch(kind: &str) -> bool {
    matches!(
        kind,
        "if_expression"
            | "match_expression"
            | "for_expression"
            | "while_expression"
            | "loop_expression"
            | "if_statement"
            | "for_statement"
            | "for_in_statement"
            | "while_statement"
            | "do_statement"
            | "switch_statement"
            | "try_statement"
            | "match_statement"
            | "expression_switch_statement"
            | "type_switch_statement"
            | "select_statement"
            | "case_statement"
            | "c_style_for_statement"
    )
}

/// An `if` that is the whole of another one's `else`.
fn is_else_if(node: &Node<SourceDoc>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let in_else_clause = parent.kind() == "else_clause";
    let as_alternative = parent.kind() == node.kind()
        && parent.field("alternative").is_some_and(|other| other.node_id() == node.node_id());
    node.kind().starts_with("if_") && (in_else_clause || as_alternative)
}

/// Parameters of a function, its receiver aside.
pub(super) fn parameters(function: &Node<SourceDoc>) -> u32 {
    let Some(list) = function.field("parameters") else { return 0 };
    let mut count = 0;
    for (index, parameter) in list.children().filter(Node::is_named).enumerate() {
        let text = parameter.text();
        let receiver = index == 0 && matches!(&*text, "self" | "cls" | "this");
        let kind = parameter.kind();
        if receiver
            || kind.contains("comment")
            || matches!(
                &*kind,
                "self_parameter" | "attribute_item" | "keyword_separator" | "positional_separator"
            )
        {
            continue;
        }
        // Go writes one type for several names.
        count += parameter.field_children("name").count().max(1);
    }
    saturated(count)
}

fn saturated(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use ast_grep_core::tree_sitter::LanguageExt as _;
    use ast_grep_language::SupportLang;

    use super::*;

    /// Lines, levels and parameters of the first function.
    fn check(grammar: SupportLang, source: &str, expected: (u32, u32, u32)) {
        let tree = grammar.ast_grep(source);
        let root = tree.root();
        let function = root.dfs().find(|node| is_function(&node.kind())).expect("a function");
        let found =
            (code_lines(&function, 0).unwrap_or(0), nesting(&function), parameters(&function));
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn functions_are_measured_in_every_language() {
        check(
            SupportLang::Rust,
            "impl A { fn f(&self, a: u8, (b, c): (u8, u8)) {\n    // why\n\n    if a {\n        for x in y { g(); }\n    } else if b {\n        h();\n    } else if c {\n        loop {}\n    }\n} }",
            (9, 2, 2),
        );
        check(
            SupportLang::Python,
            "def f(self, a, *, b=1, **c):\n    \"\"\"Says\n    it.\"\"\"\n    if a:\n        with b:\n            while c:\n                pass\n    elif b:\n        pass\n",
            (6, 2, 3),
        );
        check(
            SupportLang::JavaScript,
            "function f(a, {b, c}, ...d) {\n  a.map(x => { if (x) { if (y) {} } });\n  try { if (a) {} } catch (e) {}\n}",
            (4, 2, 3),
        );
        check(
            SupportLang::Go,
            "package a\nfunc (s *S) f(a, b int, c string) {\n\tfor {\n\t\tif a {\n\t\t} else if b {\n\t\t\tswitch c {}\n\t\t}\n\t}\n}",
            (8, 3, 3),
        );
    }

    #[test]
    fn less_than_half_beyond_a_limit_is_low() {
        for (count, expected) in [
            (301, Severity::Low),
            (449, Severity::Low),
            (450, Severity::Medium),
            (9000, Severity::Medium),
        ] {
            let excess = Excess { count, limit: 300, unit: "lines of code" };
            assert_eq!(excess.severity(Severity::Medium), expected, "{count}");
        }
        let excess = Excess { count: 5, limit: 4, unit: "levels" };
        assert_eq!(excess.detail(), "5 levels, limit 4");
    }

    #[test]
    fn a_text_over_several_lines_counts_with_all_of_them() {
        check(SupportLang::Python, "def f():\n    g(\"\"\"a\n    b\n    c\"\"\")\n", (3, 0, 0));
    }
}

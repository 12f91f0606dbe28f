//! Comments that hold code somebody switched off.
//!
//! Prose often parses by accident, so a comment counts only when all of it parses in the language
//! of its file *and* it holds statements that nobody writes as a sentence.

use std::sync::LazyLock;

use ast_grep_core::Node;
use ast_grep_core::tree_sitter::LanguageExt as _;
use ast_grep_language::SupportLang;
use regex::Regex;

use crate::matchers::SourceDoc;
use crate::remark::Remark;

/// Longer comments are licences and essays.
const MOST_LINES: usize = 400;

/// Whether the comment is code of that language, and nothing else.
pub(super) fn holds_code(remark: &Remark, grammar: SupportLang) -> bool {
    if !remark.alone || remark.is_documentation() {
        return false;
    }
    let lines: Vec<&str> = remark.body();
    let filled: Vec<&str> = lines.iter().copied().filter(|line| !line.trim().is_empty()).collect();
    if filled.is_empty()
        || filled.len() > MOST_LINES
        || filled.iter().any(|line| is_directive(line))
    {
        return false;
    }
    if filled.iter().any(|line| is_outline(line)) || are_settings(&filled, grammar) {
        return false;
    }
    // Cheap, and true of nearly all prose: no line of it ends or begins like code.
    let like_code = filled.iter().filter(|line| looks_like_code(line, grammar)).count();
    // Any sentence is a command to a shell, so there most lines have to look like code.
    let least = if grammar == SupportLang::Bash { filled.len().div_ceil(2) } else { 1 };
    if like_code < least {
        return false;
    }
    let text = wrapped(&unindented(&lines), grammar);
    let tree = grammar.ast_grep(&text);
    let root = tree.root();
    if root.get_inner_node().has_error() {
        return false;
    }
    let statements = root.dfs().filter(|node| is_statement(node, grammar)).count();
    statements >= 1 && (filled.len() >= 2 || is_whole_statement(filled[0], grammar))
}

/// Lines that speak to a tool: `type: ignore`, `eslint-disable`, `go:generate`, `prettier-ignore`.
fn is_directive(line: &str) -> bool {
    static DIRECTIVE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?x)^\s*(?:type:|noqa|pylint|pragma|mypy:|isort|fmt:|yapf|flake8|ruff|coding[:=]|-\*-
            |eslint|prettier|jshint|jslint|jscs|istanbul|c8\s|v8\s|global\s|globals\s|exported\s|@|ts-
            |go:|\+build|nolint|export\s+\w+$|shellcheck|vim?:|ex:|SPDX|region|endregion|rustfmt|clippy)",
        )
        .expect("a constant pattern that the tests compile")
    });
    DIRECTIVE.is_match(line)
}

/// `chord([a, b, ...], c)` shows a form and was never run.
fn is_outline(line: &str) -> bool {
    static OUTLINE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"[,(\[]\s*(?:\.\.\.|…)\s*[)\]]")
            .expect("a constant pattern that the tests compile")
    });
    OUTLINE.is_match(line)
}

/// `#TIMEOUT=30`: a script's settings, each to be switched on by whoever wants it.
fn are_settings(filled: &[&str], grammar: SupportLang) -> bool {
    static SETTING: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^[A-Za-z_]\w*=[^$`]*$").expect("a constant pattern that the tests compile")
    });
    grammar == SupportLang::Bash && filled.iter().all(|line| SETTING.is_match(line))
}

fn looks_like_code(line: &str, grammar: SupportLang) -> bool {
    let line = line.trim();
    match grammar {
        SupportLang::Python => {
            static START: LazyLock<Regex> = LazyLock::new(|| {
                Regex::new(
                    r"(?x)^(?:(?:if|for|while|with|def|class|elif|except|try|else)\b.*:$
                    |(?:return|raise|yield|assert|del|import|from)\s+\S
                    |[A-Za-z_][\w.\[\]'\x22,\ ]*\s*[-+*/|&]?=\s*\S|[A-Za-z_][\w.]*\(.*[),\[({]$)",
                )
                .expect("a constant pattern that the tests compile")
            });
            START.is_match(line)
        }
        SupportLang::Bash => {
            static START: LazyLock<Regex> = LazyLock::new(|| {
                Regex::new(
                    r#"(?x)^(?:[A-Za-z_]\w*=\S*$|(?:if|while|for|case)\s.*;\s*(?:then|do)$|(?:fi|done|esac)$
                    |(?:rm|cp|mv|mkdir|chmod|chown|ln|curl|wget|tar|sed|awk|grep|git|docker|npm|pip|apt-get|make|cargo|python3?|node|sudo|export|local|source|echo|exit|cd)\s+["'$./~\-][^\s]*.*$)"#,
                )
                .expect("a constant pattern that the tests compile")
            });
            START.is_match(line)
        }
        SupportLang::Go if is_assignment_to_field(line) => true,
        _ => line.ends_with([';', '{', '}']) || (line.ends_with(')') && line.contains('(')),
    }
}

/// One line of code that is no fragment of a sentence.
fn is_whole_statement(line: &str, grammar: SupportLang) -> bool {
    let line = line.trim();
    match grammar {
        SupportLang::Python => {
            static WHOLE: LazyLock<Regex> = LazyLock::new(|| {
                Regex::new(
                    r"(?x)^(?:(?:return|raise|assert|del)\s+[\w.]+[\[(].*[\])]$|(?:import\s+[\w.]+|from\s+[\w.]+\s+import\s+[\w,\ *]+)$
                    |[A-Za-z_]\w*(?:\.\w+)+\s*=\s*[\w.]+$
                    |[A-Za-z_][\w.]*(?:\[[^\]]*\])?\s*[-+*/|&]?=\s*[^=\s].*[)\]}\x22'\d]$|[A-Za-z_]\w*(?:\.\w+)*\(.*\)$
                    |[a-z_][\w.]+\s=\s[a-z_]\w+(?:\.\w+)+$)",
                )
                .expect("a constant pattern that the tests compile")
            });
            // A condition that holds here is a remark.
            WHOLE.is_match(line) && !line.starts_with("isinstance(")
        }
        SupportLang::Go => {
            line.contains(":=")
                || is_assignment_to_field(line)
                || (line.ends_with(')') && line.contains('.'))
                || line.ends_with('{')
        }
        SupportLang::Bash => true,
        _ => line.ends_with(';') && line.contains(['(', '=']),
    }
}

/// `s.seen = true`; a sentence has no name with a dot in front of an equals sign.
fn is_assignment_to_field(line: &str) -> bool {
    line.split_once(" = ").is_some_and(|(left, _)| left.contains('.') && !left.contains(' '))
}

/// What is neither a name, nor a literal, nor a bare operation on them.
fn is_statement(node: &Node<SourceDoc>, grammar: SupportLang) -> bool {
    let kind = node.kind();
    if grammar == SupportLang::Bash {
        return matches!(
            &*kind,
            "command" | "variable_assignment" | "if_statement" | "for_statement"
        );
    }
    matches!(
        &*kind,
        "call"
            | "call_expression"
            | "macro_invocation"
            | "assignment"
            | "assignment_expression"
            | "assignment_statement"
            | "short_var_declaration"
            | "let_declaration"
            | "lexical_declaration"
            | "variable_declaration"
            | "return_statement"
            | "return_expression"
            | "import_statement"
            | "import_from_statement"
            | "use_declaration"
            | "if_statement"
            | "if_expression"
            | "for_statement"
            | "for_expression"
            | "while_statement"
            | "raise_statement"
            | "throw_statement"
            | "function_definition"
            | "assert_statement"
            | "delete_statement"
    )
}

/// The text as a file of its own: some languages take statements inside functions alone.
fn wrapped(text: &str, grammar: SupportLang) -> String {
    match grammar {
        SupportLang::Rust => format!("fn f() {{\n{text}\n}}\n"),
        SupportLang::Go if declares(text) => format!("package p\n{text}\n"),
        SupportLang::Go => format!("package p\nfunc f() {{\n{text}\n}}\n"),
        _ => format!("{text}\n"),
    }
}

/// Functions of Go stand in no other function.
fn declares(text: &str) -> bool {
    text.starts_with("func ")
}

/// The lines without what all of them are indented by.
fn unindented(lines: &[&str]) -> String {
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    let least = filled.map(indent).min().unwrap_or(0);
    lines.iter().map(|line| line.get(least..).unwrap_or("")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(grammar: SupportLang, text: &str, expected: bool) {
        let remark = Remark { first: 1, last: 1, alone: true, text: text.to_owned() };
        assert_eq!(holds_code(&remark, grammar), expected, "{text}");
    }

    #[test]
    fn code_that_was_switched_off_is_found() {
        check(SupportLang::Rust, "// let a = f(b);\n// if a { return; }", true);
        check(SupportLang::Rust, "// self.flush(out);", true);
        check(SupportLang::Rust, "/*\n   for x in y {\n       g(x);\n   }\n*/", true);
        check(SupportLang::Python, "# if a:\n#     b = f(a)\n#     return b", true);
        check(SupportLang::Python, "# self.items = load(path)", true);
        check(SupportLang::Python, "# logger.debug(\"x\", a)", true);
        check(SupportLang::Python, "# loader = template.loader", true);
        check(SupportLang::JavaScript, "// const a = f(b);\n// return a;", true);
        check(SupportLang::JavaScript, "// this.emit('x', y);", true);
        check(SupportLang::Go, "// if err != nil {\n// \treturn err\n// }", true);
        check(SupportLang::Go, "// a := f(b)", true);
        check(SupportLang::Go, "// s.seen = true", true);
        check(SupportLang::Go, "// func f(a int) *B {\n// \treturn g(a)\n// }", true);
        check(SupportLang::Python, "# self.env.reload = value", true);
        check(SupportLang::Bash, "# rm -rf \"$OUT\"\n# mkdir -p \"$OUT\"", true);
    }

    #[test]
    fn prose_examples_and_directives_are_no_code() {
        check(SupportLang::Rust, "// The first byte (if any);", false);
        check(SupportLang::Rust, "/// let a = f(b);", false);
        check(SupportLang::Rust, "// See foo(bar)", false);
        check(SupportLang::Rust, "// rustfmt::skip;", false);
        check(SupportLang::Python, "# type: ignore", false);
        check(SupportLang::Python, "# Returns the value.", false);
        check(SupportLang::Python, "# note", false);
        check(SupportLang::Python, "# For example:\n# f(x)", false);
        check(SupportLang::Python, "# pylint: disable=x", false);
        check(SupportLang::Python, "# a = b", false);
        check(SupportLang::Python, "# isinstance(a[0], B)", false);
        check(SupportLang::JavaScript, "// eslint-disable-next-line no-x", false);
        check(SupportLang::JavaScript, "// see fs.read()", false);
        check(SupportLang::Go, "//go:generate stringer -type=A", false);
        check(SupportLang::Go, "// Reads one (1) byte.", false);
        check(SupportLang::Bash, "# Remove the old folder", false);
        check(SupportLang::Bash, "# usage: build.sh [--fast]", false);
        check(SupportLang::Bash, "#HOST=example\n#QUEUE=\"main\"", false);
        check(SupportLang::Python, "# chord([a, b, ...], c)", false);
        check(
            SupportLang::Bash,
            "# Taken from the notes on\n# find -name x\n# by its author",
            false,
        );
    }
}

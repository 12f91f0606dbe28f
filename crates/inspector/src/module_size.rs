//! `module_loc_limit`: modules that grew too long to read at once.

use ast_grep_core::{Doc, Node};
use ast_grep_language::SupportLang;
use tribunal_finding::{Category, Severity};

use crate::place::is_rust_test_attribute;
use crate::remark::line_of;
use crate::rule::{Excuse, InTests, Look, Rule, Weigh};
use crate::source::SourceFile;

/// Names of files that hold code, whatever language.
const CODE: [&str; 46] = [
    "rs", "py", "pyi", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "go", "java", "kt",
    "kts", "scala", "groovy", "c", "h", "cc", "cpp", "cxx", "hh", "hpp", "cs", "fs", "swift", "m",
    "mm", "rb", "php", "pl", "pm", "lua", "sh", "bash", "zsh", "ex", "exs", "erl", "hs", "ml",
    "clj", "dart", "zig", "vue",
];

pub(crate) fn rule() -> Rule {
    Rule {
        id: "module-loc-limit".to_owned(),
        category: Category::Structural,
        severity: Severity::Medium,
        depth: 1,
        in_tests: InTests::Skip,
        excuse: Excuse::Never,
        weigh: Weigh::Nothing,
        message: "The module is longer than the limit, so nobody reads it as a whole".to_owned(),
        recommendation: "Split it along its responsibilities; keep the public face where it is."
            .to_owned(),
        unfixable: Some(
            "where a module divides follows from what its parts are for, and callers and imports \
             move with them; a structural rewrite cannot tell"
                .to_owned(),
        ),
        lints: ["max-lines", "too-many-lines", "C0302"].map(str::to_owned).to_vec(),
        look: Look::ModuleSize,
        source: String::new(),
    }
}

/// The non-blank lines of a module that exceeds the limit; test modules inside it aside.
pub(crate) fn excess<D: Doc>(file: &SourceFile, root: Option<&Node<D>>, limit: u32) -> Option<u32> {
    // Declarations are listed, not read as a whole.
    if !CODE.contains(&file.extension()) || file.path.ends_with(".d.ts") {
        return None;
    }
    let tests = match (file.grammar, root) {
        (Some(SupportLang::Rust), Some(root)) => test_modules(root),
        _ => Vec::new(),
    };
    let counted = (1..)
        .zip(file.text.lines())
        .filter(|(line, text)| {
            let in_tests = tests.iter().any(|(first, last)| first <= line && line <= last);
            !text.trim().is_empty() && !in_tests
        })
        .count();
    u32::try_from(counted).ok().filter(|lines| *lines > limit)
}

/// First and last line of each `#[cfg(test)] mod`.
fn test_modules<D: Doc>(root: &Node<D>) -> Vec<(u32, u32)> {
    root.children()
        .filter(|node| node.kind() == "mod_item" && is_rust_test_attribute(node))
        .map(|node| (line_of(node.start_pos().line()), line_of(node.end_pos().line())))
        .collect()
}

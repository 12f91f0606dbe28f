//! `module_loc_limit`: modules that grew too long to read at once.

use std::ops::RangeInclusive;

use ast_grep_core::Node;
use ast_grep_language::SupportLang;
use tribunal_finding::{Category, Severity};

use crate::matchers::SourceDoc;
use crate::place::is_rust_test_attribute;
use crate::rule::{Excuse, InTests, Look, Rule, Weigh};
use crate::source::SourceFile;
use crate::weigh::{Excess, code_rows};

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

/// The lines of code of a module that exceeds the limit, test modules inside it aside.
///
/// Comments and documentation do not count, as far as the language is known; a module is not long
/// because it is explained.
pub(crate) fn excess(
    file: &SourceFile,
    root: Option<&Node<SourceDoc>>,
    limit: u32,
) -> Option<Excess> {
    // Declarations are listed, not read as a whole; so are the words that a shell completes.
    let is_list = file.path.ends_with(".d.ts") || file.text.starts_with("#compdef");
    if is_list || !CODE.contains(&file.extension()) {
        return None;
    }
    let filled = file.text.lines().filter(|line| !line.trim().is_empty()).count();
    let filled = u32::try_from(filled).ok().filter(|lines| *lines > limit)?;
    let excess = |count| Excess { count, limit, unit: "lines of code" };
    let Some(root) = root else { return Some(excess(filled)) };
    let tests = match file.grammar {
        Some(SupportLang::Rust) => test_modules(root),
        _ => Vec::new(),
    };
    let in_tests = |row: &usize| tests.iter().any(|rows| rows.contains(row));
    let counted = code_rows(root).iter().filter(|row| !in_tests(row)).count();
    u32::try_from(counted).ok().filter(|lines| *lines > limit).map(excess)
}

/// The rows of each `#[cfg(test)] mod`.
fn test_modules(root: &Node<SourceDoc>) -> Vec<RangeInclusive<usize>> {
    root.children()
        .filter(|node| node.kind() == "mod_item" && is_rust_test_attribute(node))
        .map(|node| node.start_pos().line()..=node.end_pos().line())
        .collect()
}

//! Pieces of code beside a rule, on which it must match and must not.

use std::path::Path;

use ast_grep_language::SupportLang;
use serde::Deserialize;

use crate::catalog::Catalog;
use crate::family::grammars_of;
use crate::rule::{InTests, Rule, RuleProblem, from_yaml};
use crate::scan::Scanner;
use crate::seek::is_worth_reporting;
use crate::source::SourceFile;

/// Examples that each list must hold at least.
const LEAST: usize = 3;

/// The file `ID.examples.yml`: the form that `ast-grep test` reads, and what is left of the
/// invalid pieces after the rewrite.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Examples {
    pub(crate) id: String,
    pub(crate) invalid: Vec<String>,
    /// Beside `invalid`, where the rule has a rewrite.
    #[serde(default)]
    pub(crate) fixed: Vec<String>,
    pub(crate) valid: Vec<String>,
}

impl Examples {
    pub(crate) fn parse(yaml: &str) -> Result<Self, RuleProblem> {
        from_yaml(yaml)
    }
}

/// All rules of a catalog, ready for [`check`].
pub(crate) fn scanner(catalog: &Catalog) -> Scanner<'_> {
    Scanner::new(catalog, Path::new("."), u32::MAX)
}

/// What is wrong with a rule, shown by its examples; empty where all is well.
///
/// The scanner is the caller's, because one serves all rules of a catalog: it holds them compiled.
pub(crate) fn check(
    scanner: &Scanner,
    catalog: &Catalog,
    id: &str,
    examples: &Examples,
) -> Vec<String> {
    let Some(rule) = catalog.rule(id) else { return vec![format!("{id}: there is no such rule")] };
    let mut slips = Vec::new();
    if examples.id != rule.id {
        slips.push(format!("{id}: its examples are for `{}`", examples.id));
    }
    if examples.invalid.len() < LEAST || examples.valid.len() < LEAST {
        slips.push(format!("{id}: needs {LEAST} invalid and {LEAST} valid examples at least"));
    }
    if rule.unfixable.is_none() && examples.fixed.len() != examples.invalid.len() {
        slips.push(format!("{id}: needs one entry in `fixed` for each in `invalid`"));
    }
    for grammar in rule.language().map_or(&[][..], grammars_of) {
        slips.extend(check_in(scanner, rule, *grammar, examples));
    }
    slips
}

fn check_in(
    scanner: &Scanner,
    rule: &Rule,
    grammar: SupportLang,
    examples: &Examples,
) -> Vec<String> {
    let mut slips = Vec::new();
    let mut slip =
        |what: &str, code: &str| slips.push(format!("{} {grammar}: {what}:\n{code}", rule.id));
    for (index, code) in examples.invalid.iter().enumerate() {
        let file = example(rule, grammar, code);
        let scan = scanner.scan(&file);
        if scan.broken {
            slip("does not parse", code);
        }
        let mut hits = scan.hits.iter().filter(|hit| hit.rule.id == rule.id);
        let Some(hit) = hits.find(|hit| is_worth_reporting(hit, file.surroundings)) else {
            slip("is missed", code);
            continue;
        };
        let rewritten = hit.rewrite.as_ref().map(|rewrite| rewrite.apply(code));
        if rewritten.as_ref() != examples.fixed.get(index) {
            slip(&format!("becomes {rewritten:?}"), code);
        }
        let again = rewritten.map(|code| scanner.scan(&example(rule, grammar, &code)));
        if again.is_some_and(|scan| scan.broken) {
            slip("does not parse after the rewrite", code);
        }
    }
    for code in &examples.valid {
        let file = example(rule, grammar, code);
        let scan = scanner.scan(&file);
        let mut hits = scan.hits.iter().filter(|hit| hit.rule.id == rule.id);
        if hits.any(|hit| is_worth_reporting(hit, file.surroundings)) {
            slip("is a false alarm", code);
        }
    }
    slips
}

fn example(rule: &Rule, grammar: SupportLang, code: &str) -> SourceFile {
    let extension = match grammar {
        SupportLang::Rust => "rs",
        SupportLang::Python => "py",
        SupportLang::Go => "go",
        SupportLang::TypeScript => "ts",
        SupportLang::Tsx => "tsx",
        SupportLang::Bash => "sh",
        SupportLang::Markdown => "md",
        _ => "js",
    };
    let folder = if rule.in_tests == InTests::Only { "tests" } else { "src" };
    SourceFile::new(format!("{folder}/example.{extension}"), code.to_owned())
}

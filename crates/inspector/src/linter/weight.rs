//! What kind of fault a linter's rule is, and how much it matters: by what follows if it stays.

use tribunal_finding::Category::{
    self, DeadCode, DocGaps, Documentation, ErrorSwallowing, Reliability, Security, Structural,
    TestGaps,
};
use tribunal_finding::Severity::{self, High, Low, Medium};

use super::clippy_groups::{CORRECTNESS, SUSPICIOUS};
use super::diagnostic::{Diagnostic, Level};

/// The weight of a finding, with its reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Weight {
    pub(super) category: Category,
    pub(super) severity: Severity,
    /// What follows, told with the linter's message, which rarely says it.
    pub(super) why: &'static str,
}

/// Rules with one weight: their ids, between blanks; one that ends in `*` is a beginning ([`fits`]).
struct Row {
    weight: Weight,
    patterns: &'static str,
}

const fn row(
    category: Category,
    severity: Severity,
    why: &'static str,
    patterns: &'static str,
) -> Row {
    Row { weight: Weight { category, severity, why }, patterns }
}

const WRONG: Weight =
    Weight { category: Reliability, severity: High, why: "the code does not do what it says" };
const LIKELY_WRONG: Weight =
    Weight { category: Reliability, severity: Medium, why: "it likely does what nobody meant" };
const UNTIDY: Weight =
    Weight { category: Structural, severity: Low, why: "it reads harder than it has to" };

/// The first row that fits holds.
const TABLE: &[Row] = &[
    Row { weight: UNTIDY, patterns: "ruff::F541 ruff::B009 ruff::B010 ruff::B904 ruff::B905" },
    row(
        Reliability,
        High,
        "the file cannot be read as its language",
        "ruff::invalid-syntax ruff::E9* eslint::invalid-syntax",
    ),
    row(
        Reliability,
        High,
        "it fails when it is reached",
        "ruff::F821 ruff::F822 ruff::F823 ruff::F50* ruff::F52* ruff::PLE* eslint::no-undef \
         eslint::no-const-assign eslint::no-this-before-super eslint::no-obj-calls \
         rustc::arithmetic_overflow rustc::unconditional_panic rustc::unconditional_recursion",
    ),
    row(
        Security,
        High,
        "whoever controls the input can run code or read what is not theirs",
        "ruff::S102 ruff::S301 ruff::S307 ruff::S506 ruff::S60* ruff::S61* ruff::S701 \
         eslint::no-eval eslint::no-implied-eval eslint::no-new-func eslint::no-script-url \
         eslint::@typescript-eslint/no-implied-eval",
    ),
    row(
        Reliability,
        High,
        "with an empty variable it removes what it must not",
        "shellcheck::SC2115 shellcheck::SC2114",
    ),
    row(Reliability, Medium, "a server that says nothing holds the program for ever", "ruff::S113"),
    row(
        ErrorSwallowing,
        Medium,
        "a failure passes without a trace",
        "ruff::E722 ruff::BLE001 ruff::S110 ruff::S112 ruff::SIM105 ruff::B012 ruff::PLW1510 \
         eslint::no-empty eslint::no-unsafe-finally \
         eslint::@typescript-eslint/no-floating-promises shellcheck::SC2164 \
         shellcheck::SC2155 rustc::unused_must_use clippy::let_underscore_must_use \
         clippy::unused_io_amount clippy::map_err_ignore",
    ),
    row(
        TestGaps,
        Medium,
        "the test passes whatever happens",
        "ruff::F631 ruff::B011 ruff::B015 ruff::B017 ruff::PT015 ruff::PT017 \
         eslint::jest/expect-expect eslint::vitest/expect-expect \
         eslint::jest/no-focused-tests clippy::assertions_on_constants",
    ),
    row(Security, Medium, "it weakens a protection", "ruff::S* eslint::security/*"),
    row(
        DeadCode,
        Medium,
        "it was left over from a search for a fault",
        "ruff::T10* eslint::no-debugger clippy::dbg_macro clippy::todo clippy::unimplemented",
    ),
    row(
        DeadCode,
        Medium,
        "it is never reached, so something else happens than is written",
        "rustc::unreachable_* eslint::no-unreachable* shellcheck::SC2317",
    ),
    row(
        DeadCode,
        Low,
        "nothing uses it, and every reader looks for who does",
        "ruff::F401 ruff::F811 ruff::F841 ruff::ARG* ruff::ERA001 ruff::T20* \
         eslint::no-unused-* eslint::@typescript-eslint/no-unused-* eslint::no-console \
         shellcheck::SC2034 rustc::unused_* rustc::dead_code clippy::no_effect* \
         clippy::unused_unit",
    ),
    row(
        Reliability,
        Medium,
        "it panics where an error could be told",
        "clippy::unwrap_used clippy::expect_used clippy::panic* clippy::indexing_slicing \
         clippy::unwrap_in_result clippy::arithmetic_side_effects",
    ),
    row(
        Reliability,
        Medium,
        "values are compared, converted or shared in a way that surprises",
        "ruff::F* ruff::B* ruff::E711 ruff::DTZ* ruff::ASYNC* ruff::RUF006 ruff::PLW* \
         eslint::eqeqeq eslint::no-cond-assign eslint::no-dupe-* eslint::no-fallthrough \
         eslint::no-self-* eslint::use-isnan eslint::valid-typeof \
         eslint::no-async-promise-executor eslint::no-unsafe-* eslint::require-atomic-updates \
         eslint::array-callback-return eslint::@typescript-eslint/no-misused-promises \
         clippy::cast_* clippy::float_cmp* rustc::static_mut_refs",
    ),
    row(
        Structural,
        Medium,
        "nobody can hold all of it in mind",
        "ruff::C901 ruff::PLR09* eslint::complexity eslint::max-* \
         clippy::cognitive_complexity clippy::too_many_* clippy::type_complexity",
    ),
    row(
        DocGaps,
        Low,
        "callers have to read the code to use it",
        "ruff::D1* eslint::jsdoc/require-* rustc::missing_docs \
         clippy::missing_docs_in_private_items clippy::missing_errors_doc \
         clippy::missing_panics_doc clippy::missing_safety_doc",
    ),
    row(
        Documentation,
        Low,
        "the documentation is not shown as it was meant",
        "ruff::D* eslint::jsdoc/* clippy::doc_* clippy::empty_docs",
    ),
    row(Reliability, Low, "it goes away with a later version", "rustc::deprecated*"),
];

/// Whether a pattern names a rule. `ruff::S*` is all of S101, S602, and nothing of SIM105: a
/// beginning ends where a word of the id does.
fn fits(pattern: &str, rule: &str) -> bool {
    let Some(beginning) = pattern.strip_suffix('*') else { return rule == pattern };
    let is_letter = |text: Option<char>| text.is_some_and(char::is_alphabetic);
    let goes_on =
        |rest: &str| is_letter(beginning.chars().next_back()) && is_letter(rest.chars().next());
    rule.strip_prefix(beginning).is_some_and(|rest| !goes_on(rest))
}

/// Weighs by the table, then by clippy's groups, then by what shellcheck makes of it itself.
pub(super) fn weigh(found: &Diagnostic) -> Weight {
    if let Some(row) = TABLE
        .iter()
        .find(|row| row.patterns.split_whitespace().any(|pattern| fits(pattern, &found.rule)))
    {
        return row.weight;
    }
    match found.rule.split_once("::") {
        Some(("clippy", lint)) if CORRECTNESS.contains(&lint) => WRONG,
        Some(("clippy", lint)) if SUSPICIOUS.contains(&lint) => LIKELY_WRONG,
        Some(("shellcheck", _)) => match found.level {
            Level::Error => WRONG,
            Level::Warning => LIKELY_WRONG,
            Level::Hint => Weight { severity: Low, ..LIKELY_WRONG },
            Level::Style => UNTIDY,
        },
        Some(_) | None => UNTIDY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linter::Linter;
    use crate::linter::diagnostic::Repair;

    fn check(rule: &str, level: Level, category: Category, severity: Severity) {
        let found = Diagnostic {
            rule: rule.to_owned(),
            file: String::new(),
            lines: (1, 1),
            level,
            message: String::new(),
            help: None,
            repair: Repair::Unknown,
        };
        let weight = weigh(&found);
        assert_eq!((weight.category, weight.severity), (category, severity), "{rule}");
    }

    #[test]
    fn a_rule_weighs_what_follows_from_it() {
        check("clippy::needless_return", Level::Warning, Structural, Low);
        check("clippy::approx_constant", Level::Warning, Reliability, High);
        check("clippy::suspicious_map", Level::Warning, Reliability, Medium);
        check("rustc::unused_imports", Level::Warning, DeadCode, Low);
        check("rustc::unused_must_use", Level::Warning, ErrorSwallowing, Medium);
        check("ruff::F401", Level::Warning, DeadCode, Low);
        check("ruff::F821", Level::Warning, Reliability, High);
        check("ruff::S110", Level::Warning, ErrorSwallowing, Medium);
        check("ruff::S602", Level::Warning, Security, High);
        check("ruff::I001", Level::Warning, Structural, Low);
        check("ruff::SIM117", Level::Warning, Structural, Low);
        check("ruff::FURB167", Level::Warning, Structural, Low);
        check("clippy::panicking_unwrap", Level::Warning, Reliability, High);
        check("eslint::no-unused-vars", Level::Error, DeadCode, Low);
        check("eslint::semi", Level::Error, Structural, Low);
        check("shellcheck::SC2086", Level::Hint, Reliability, Low);
        check("shellcheck::SC2006", Level::Style, Structural, Low);
        check("shellcheck::SC2164", Level::Warning, ErrorSwallowing, Medium);
    }

    #[test]
    fn every_pattern_belongs_to_a_linter_and_is_reached() {
        let patterns: Vec<&str> =
            TABLE.iter().flat_map(|row| row.patterns.split_whitespace()).collect();
        for (index, pattern) in patterns.iter().enumerate() {
            assert!(Linter::of_rule(pattern).is_some(), "{pattern}");
            let hides = |above: &&str| fits(above, pattern.trim_end_matches('*'));
            assert_eq!(patterns[..index].iter().copied().find(hides), None, "{pattern}");
        }
    }
}

//! Edits that a linter vouches for and that are not right in every context all the same.
//!
//! The linter sees one file, or one way to build it; what the edit changes shows elsewhere, or was
//! what the author meant. Such findings are reported and left to a person.

use crate::edit::Rewrite;

/// Rules of one kind, and what their edit may break.
struct Doubt {
    rules: &'static [&'static str],
    /// Where the text between the first and the last edit holds this; `None`: everywhere.
    beside: Option<char>,
    why: &'static str,
}

const DOUBTS: [Doubt; 8] = [
    Doubt {
        rules: &["ruff::F401", "ruff::F811"],
        beside: None,
        why: "other modules may import from here what this one does not use",
    },
    Doubt {
        rules: &["rustc::unused_imports"],
        beside: None,
        why: "tests and other features may use the import, and they are not compiled here",
    },
    Doubt {
        rules: &[
            "ruff::I001",
            "eslint::sort-imports",
            "eslint::import/order",
            "eslint::import/first",
            "eslint::import-x/order",
            "eslint::import-x/first",
            "eslint::perfectionist/sort-imports",
            "eslint::simple-import-sort/imports",
        ],
        beside: None,
        why: "modules run in the order in which they are imported",
    },
    Doubt {
        rules: &["shellcheck::SC2086", "shellcheck::SC2248", "shellcheck::SC2223"],
        beside: None,
        why: "the value may hold several words or a pattern on purpose",
    },
    Doubt {
        rules: &[
            "shellcheck::SC2053",
            "shellcheck::SC2231",
            "shellcheck::SC2254",
            "shellcheck::SC2295",
        ],
        beside: None,
        why: "the value may be a pattern on purpose",
    },
    Doubt {
        rules: &["shellcheck::SC2164"],
        beside: None,
        why: "`exit` ends the shell of whoever sources the file, and a missing folder may be allowed",
    },
    Doubt {
        rules: &["shellcheck::SC2095"],
        beside: None,
        why: "the command may be meant to read what the loop reads",
    },
    Doubt {
        rules: &["shellcheck::SC2006"],
        beside: Some('\\'),
        why: "a backslash means something else between backquotes",
    },
];

/// Why these edits for this rule are not made; `None` where the linter's word is enough.
pub(super) fn doubt(rule: &str, edits: &[Rewrite], text: &str) -> Option<&'static str> {
    let doubt = DOUBTS.iter().find(|doubt| doubt.rules.contains(&rule))?;
    let start = edits.iter().map(|edit| edit.range.start).min().unwrap_or_default();
    let end = edits.iter().map(|edit| edit.range.end).max().unwrap_or_default();
    let holds = |mark| text.get(start..end).is_none_or(|edited| edited.contains(mark));
    doubt.beside.is_none_or(holds).then_some(doubt.why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linter::Linter;

    #[test]
    fn every_doubt_names_rules_of_a_linter_and_each_once() {
        let rules: Vec<&str> = DOUBTS.iter().flat_map(|doubt| doubt.rules).copied().collect();
        for (at, rule) in rules.iter().enumerate() {
            assert!(Linter::of_rule(rule).is_some(), "{rule}");
            assert!(!rules[..at].contains(rule), "{rule}");
        }
    }

    #[test]
    fn an_edit_is_doubted_by_its_rule_and_by_what_it_stands_around() {
        let quotes = |text: &str| {
            let edit = |at: usize| Rewrite { range: at..at + 1, text: String::new() };
            [edit(0), edit(text.len() - 1)]
        };
        for (rule, text, expected) in [
            ("ruff::F541", "f''", false),
            ("clippy::needless_return", "return a;", false),
            ("shellcheck::SC2086", "$x", true),
            ("shellcheck::SC2006", "`date`", false),
            ("shellcheck::SC2006", "`sed s/a/\\\\./`", true),
        ] {
            assert_eq!(doubt(rule, &quotes(text), text).is_some(), expected, "{rule} {text}");
        }
    }
}

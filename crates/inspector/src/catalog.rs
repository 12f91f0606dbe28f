//! All rules that are built in.

use ast_grep_config::RuleConfig;
use ast_grep_language::SupportLang;

use crate::rule::{Look, Rule};
use crate::{artefact, links, module_size};

macro_rules! rule_files {
    ($($path:literal),* $(,)?) => {
        /// The text of each rule file, under its path below `rules/`.
        const RULE_FILES: &[(&str, &str)] =
            &[$(($path, include_str!(concat!("../rules/", $path, ".yml")))),*];
    };
}

rule_files![
    "rust/rust-constant-assertion",
    "rust/rust-dbg-statement",
    "rust/rust-dbg-value",
    "rust/rust-discarded-io",
    "rust/rust-empty-error-arm",
    "rust/rust-hardcoded-secret",
    "rust/rust-io-fallback",
    "rust/rust-nan-comparison",
    "rust/rust-todo-macro",
    "python/py-assert-tuple",
    "python/py-bare-except",
    "python/py-except-pass",
    "python/py-hardcoded-secret",
    "python/py-literal-identity",
    "python/py-mutable-default",
    "python/py-none-comparison",
    "python/py-raise-not-implemented",
    "python/py-request-without-timeout",
    "python/py-shell-injection",
    "python/py-unsafe-yaml",
    "javascript/js-async-executor",
    "javascript/js-debugger",
    "javascript/js-empty-catch",
    "javascript/js-eval",
    "javascript/js-focused-test",
    "javascript/js-hardcoded-secret",
    "javascript/js-nan-comparison",
    "javascript/js-swallowed-rejection",
    "go/go-body-before-error",
    "go/go-defer-in-loop",
    "go/go-deferred-lock",
    "go/go-discarded-error",
    "go/go-empty-error-check",
    "go/go-hardcoded-secret",
    "go/go-ignored-parse-error",
    "go/go-nan-comparison",
    "go/go-request-without-timeout",
];

/// The rules, by id.
pub(crate) struct Catalog {
    rules: Vec<Rule>,
}

impl Catalog {
    /// Compiles what is built in.
    pub(crate) fn embedded() -> Self {
        let from_files = RULE_FILES.iter().map(|(path, yaml)| {
            Rule::parse(yaml).unwrap_or_else(|problem| panic!("rules/{path}.yml: {problem}"))
        });
        let by_hand = [module_size::rule(), links::rule(), artefact::rule()];
        Self { rules: from_files.chain(by_hand).collect() }
    }

    pub(crate) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub(crate) fn rule(&self, id: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.id == id)
    }

    /// The compiled matchers of all structural rules.
    pub(crate) fn structural(&self) -> impl Iterator<Item = &RuleConfig<SupportLang>> {
        self.rules.iter().flat_map(|rule| match &rule.look {
            Look::Structure(configs) => configs.as_slice(),
            Look::ModuleSize | Look::Links | Look::Artefacts => &[],
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::{Path, PathBuf};

    use fs_err as fs;
    use serde::Deserialize;

    use super::*;
    use crate::rule::InTests;
    use crate::scan::Scanner;
    use crate::seek::is_worth_reporting;
    use crate::source::SourceFile;

    /// Pieces of code beside a rule, in the form that `ast-grep test` reads, and what is left of
    /// the invalid ones after the rewrite.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Examples {
        id: String,
        invalid: Vec<String>,
        #[serde(default)]
        fixed: Vec<String>,
        valid: Vec<String>,
    }

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")
    }

    fn files_below(folder: &Path) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for language in fs::read_dir(folder).expect("the rules") {
            let language = language.expect("an entry").path();
            for file in fs::read_dir(&language).expect("a folder") {
                let file = file.expect("an entry").path();
                let path = file.strip_prefix(folder).expect("below");
                found.insert(path.to_str().expect("UTF-8").to_owned());
            }
        }
        found
    }

    fn file(rule: &Rule, language: SupportLang, code: &str) -> SourceFile {
        let extension = match language {
            SupportLang::Rust => "rs",
            SupportLang::Python => "py",
            SupportLang::Go => "go",
            SupportLang::TypeScript => "ts",
            SupportLang::Tsx => "tsx",
            _ => "js",
        };
        let folder = if rule.in_tests == InTests::Only { "tests" } else { "src" };
        SourceFile::new(format!("{folder}/example.{extension}"), code.to_owned())
    }

    #[test]
    fn every_rule_file_is_listed_and_has_examples() {
        let listed: BTreeSet<String> = RULE_FILES
            .iter()
            .flat_map(|(path, _)| [format!("{path}.yml"), format!("{path}.examples.yml")])
            .collect();
        assert_eq!(listed, files_below(&folder()));
        for (path, yaml) in RULE_FILES {
            let rule = Rule::parse(yaml).expect(path);
            assert_eq!(path.rsplit('/').next(), Some(rule.id.as_str()));
            assert!((1..=3).contains(&rule.depth), "{path}");
        }
    }

    #[test]
    fn ids_are_unique() {
        let catalog = Catalog::embedded();
        let ids: BTreeSet<&str> = catalog.rules().iter().map(|rule| rule.id.as_str()).collect();
        assert_eq!(ids.len(), catalog.rules().len());
    }

    #[test]
    fn each_language_has_rules_with_and_without_a_rewrite() {
        let catalog = Catalog::embedded();
        let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for rule in catalog.rules() {
            if let Look::Structure(configs) = &rule.look {
                for config in configs {
                    let entry = counts.entry(config.language.to_string()).or_default();
                    if rule.unfixable.is_none() { entry.0 += 1 } else { entry.1 += 1 }
                }
            }
        }
        assert_eq!(counts.len(), 6, "{counts:?}");
        assert!(counts.values().all(|(with, without)| *with >= 2 && *without >= 2), "{counts:?}");
    }

    #[test]
    fn rules_match_their_examples_and_rewrites_mend_them() {
        let catalog = Catalog::embedded();
        let folder = folder();
        let scanner = Scanner::new(&catalog, &folder, 300);
        let mut slips = Vec::new();
        for (path, _) in RULE_FILES {
            let text = fs::read_to_string(folder.join(format!("{path}.examples.yml"))).expect(path);
            let examples: Examples = ast_grep_config::from_str(&text).expect(path);
            let rule = catalog.rule(&examples.id).expect(path);
            assert!(examples.invalid.len() >= 3 && examples.valid.len() >= 3, "{path}");
            if rule.unfixable.is_none() {
                assert_eq!(examples.fixed.len(), examples.invalid.len(), "{path}");
            }
            let Look::Structure(configs) = &rule.look else { panic!("{path} is structural") };
            for config in configs {
                slips.extend(check(&scanner, rule, config.language, &examples));
            }
        }
        assert!(slips.is_empty(), "{}", slips.join("\n"));
    }

    fn check(
        scanner: &Scanner,
        rule: &Rule,
        language: SupportLang,
        examples: &Examples,
    ) -> Vec<String> {
        let mut slips = Vec::new();
        let mut slip =
            |what: &str, code: &str| slips.push(format!("{} {language}: {what}: {code}", rule.id));
        for (index, code) in examples.invalid.iter().enumerate() {
            let source = file(rule, language, code);
            let scan = scanner.scan(&source);
            if scan.broken {
                slip("does not parse", code);
            }
            let hit = scan.hits.iter().find(|hit| hit.rule.id == rule.id);
            match hit.filter(|hit| is_worth_reporting(hit, source.surroundings)) {
                None => slip("is missed", code),
                Some(hit) => {
                    let rewritten = hit.rewrite.as_ref().map(|rewrite| rewrite.apply(code));
                    if rewritten.as_ref() != examples.fixed.get(index) {
                        slip(&format!("becomes {rewritten:?}"), code);
                    }
                }
            }
        }
        for code in &examples.valid {
            let source = file(rule, language, code);
            let hits = scanner.scan(&source).hits;
            if hits
                .iter()
                .any(|hit| hit.rule.id == rule.id && is_worth_reporting(hit, source.surroundings))
            {
                slip("is a false alarm", code);
            }
        }
        slips
    }
}
